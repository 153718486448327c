import type { StoredSecret } from '../../store/json/tools.ts';
import type { ProviderSettings, StoredVendor } from '../../store/json/provider-settings.ts';
import { errors } from '../../errors.ts';
import type { AddressRules } from '../../shared/address-rules.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Seal } from '../../shared/seal.ts';
import { type OperatorProviders } from '../../vendors/accounts.ts';
import { PROVIDER_KINDS, VENDOR_NAMES, vendorOf, type VendorName } from '../../vendors/catalogue.ts';
import type { Db, Tx } from '../../store/database.ts';
import {
  declaredProviders,
  findProviders,
  lockProviders,
  updateProviders,
} from '../../store/tenants/providers.ts';
import { commitChange, type ChangeEntry } from '../audit/change-entry.ts';
import { checkChain, checkS2s } from './check-chain.ts';
import type { ProvidersInput } from '../../wire/provider-schema.ts';
import { sealKey, toProviderSettings } from './provider-settings.ts';

export interface MergeDeps {
  readonly seal: Seal;
  readonly operator: OperatorProviders;
  readonly guard: AddressRules;
}
export interface ProvidersDeps extends MergeDeps {
  readonly db: Db;
  readonly clock: Clock;
}

type VendorInput = NonNullable<NonNullable<ProvidersInput['vendors']>[VendorName]>;

export const readProviders = async (
  deps: { readonly db: Db },
  workspaceId: string,
): Promise<ProviderSettings> => toProviderSettings(await findProviders(deps.db, workspaceId));

/** What the provision file declares of them, such as `stt` and `vendors.deepgram`. */
export const readDeclaredProviders = (
  deps: { readonly db: Db },
  workspaceId: string,
): Promise<readonly string[]> => declaredProviders(deps.db, workspaceId);

/**
 * Merges the input into the workspace's providers: an absent field keeps its value, null removes it. Throws 422; then
 * nothing changes. `stored` runs in the transaction.
 */
export function saveProviders(
  deps: ProvidersDeps,
  workspaceId: string,
  change: ChangeEntry | null,
  input: ProvidersInput,
  stored: (tx: Tx, settings: ProviderSettings) => Promise<void>,
): Promise<ProviderSettings> {
  const { db, clock } = deps;
  return commitChange(db, change, async (tx) => {
    const after = await mergeProviders(deps, tx, workspaceId, input, new Date(clock.now()));
    await stored(tx, after);
    return after;
  });
}

/** As `saveProviders`, in a transaction of the caller. */
export async function mergeProviders(
  deps: MergeDeps,
  tx: Tx,
  workspaceId: string,
  input: ProvidersInput,
  at: Date,
): Promise<ProviderSettings> {
  const before = toProviderSettings(await lockProviders(tx, workspaceId, at));
  const after = merged(deps, before, input);
  for (const kind of PROVIDER_KINDS) checkChain(deps.operator, after, kind, kind, after[kind] ?? []);
  if (after.s2s !== undefined) checkS2s(deps.operator, after, 's2s', after.s2s);
  await updateProviders(tx, workspaceId, after, at);
  return after;
}

function merged(deps: MergeDeps, before: ProviderSettings, input: ProvidersInput): ProviderSettings {
  const chains = PROVIDER_KINDS.flatMap((kind) => {
    const sent = input[kind];
    const chain = sent === undefined ? before[kind] : sent;
    return chain == null ? [] : [[kind, chain]];
  });
  const vendors = VENDOR_NAMES.flatMap((name) => {
    const sent = input.vendors?.[name];
    const known = before.vendors[name];
    const vendor =
      sent === undefined ? known : sent === null ? undefined : mergedVendor(deps, name, known, sent);
    return vendor === undefined || Object.keys(vendor).length === 0 ? [] : [[name, vendor]];
  });
  const s2s = input.s2s === undefined ? before.s2s : (input.s2s ?? undefined);
  return {
    ...Object.fromEntries(chains),
    vendors: Object.fromEntries(vendors),
    ...(s2s === undefined ? {} : { s2s }),
  };
}

function mergedVendor(
  { seal, guard }: MergeDeps,
  name: VendorName,
  stored: StoredVendor | undefined,
  sent: VendorInput,
): StoredVendor {
  const path = `vendors.${name}`;
  const keep = <T>(field: T | null | undefined, before: T | undefined): T | undefined =>
    field === undefined ? before : (field ?? undefined);
  const baseUrl = keep(sent.baseUrl, stored?.baseUrl);
  const sttBaseUrl = keep(sent.sttBaseUrl, stored?.sttBaseUrl);
  const ttsBaseUrl = keep(sent.ttsBaseUrl, stored?.ttsBaseUrl);
  checkAddresses(guard, name, sent);
  // Otherwise a key holder, who cannot read the key, could have it sent to another server.
  const known = originsOf(stored);
  const hasMoved = [...originsOf({ baseUrl, sttBaseUrl, ttsBaseUrl })].some((origin) => !known.has(origin));
  const key = keyOf(seal, `${path}.api_key`, sent.apiKey, stored?.apiKey, hasMoved);
  const model = keep(sent.model, stored?.model);
  const llmModel = keep(sent.llmModel, stored?.llmModel);
  const ttsModel = keep(sent.ttsModel, stored?.ttsModel);
  const s2sModel = keep(sent.s2sModel, stored?.s2sModel);
  const voice = keep(sent.voice, stored?.voice);
  const languages = keep(sent.languages, stored?.languages);
  return {
    ...(key === undefined ? {} : { apiKey: key }),
    ...(baseUrl === undefined ? {} : { baseUrl: baseUrl }),
    ...(sttBaseUrl === undefined ? {} : { sttBaseUrl }),
    ...(ttsBaseUrl === undefined ? {} : { ttsBaseUrl }),
    ...(model === undefined ? {} : { model }),
    ...(llmModel === undefined ? {} : { llmModel: llmModel }),
    ...(ttsModel === undefined ? {} : { ttsModel: ttsModel }),
    ...(s2sModel === undefined ? {} : { s2sModel: s2sModel }),
    ...(voice === undefined ? {} : { voice }),
    ...(languages === undefined || languages.length === 0 ? {} : { languages }),
  };
}

function keyOf(
  seal: Seal,
  path: string,
  sent: string | null | undefined,
  known: StoredSecret | undefined,
  hasMoved: boolean,
): StoredSecret | undefined {
  if (sent === null) return undefined;
  const isMask = sent?.includes('•') === true;
  if (isMask && sent !== known?.shown)
    throw errors.invalid(path, 'is masked and not the stored key; send the real key');
  if (sent !== undefined && !isMask) {
    return known !== undefined && seal.open(known.sealed) === sent ? known : sealKey(seal, sent);
  }
  if (known !== undefined && hasMoved) {
    throw errors.invalid(path, 'must be sent again with a base_url of another server, or null to remove it');
  }
  return known;
}

/** Throws 422 unless calls may connect there. */
function checkBaseUrl(guard: AddressRules, path: string, text: string): void {
  const rule = guard.refusal(text);
  if (rule !== null) throw errors.invalid(path, rule);
  const { protocol, search, hash } = new URL(text);
  if (!protocol.startsWith('http')) throw errors.invalid(path, 'must be an https URL');
  if (search !== '' || hash !== '') throw errors.invalid(path, 'must not have a query or a fragment');
}

/** Throws 422 for an address that calls may not connect to, or of a part that has none of its own. */
function checkAddresses(guard: AddressRules, name: VendorName, sent: VendorInput): void {
  const path = `vendors.${name}`;
  const { stt, tts } = vendorOf(name);
  const parts = [
    { field: 'stt_base_url', url: sent.sttBaseUrl, facts: stt?.baseUrl },
    { field: 'tts_base_url', url: sent.ttsBaseUrl, facts: tts?.baseUrl },
  ];
  if (sent.baseUrl != null) checkBaseUrl(guard, `${path}.base_url`, sent.baseUrl);
  for (const { field, url, facts } of parts) {
    if (url == null) continue;
    if (facts === undefined)
      throw errors.invalid(`${path}.${field}`, 'is only for openai-compatible; use base_url');
    checkBaseUrl(guard, `${path}.${field}`, url);
  }
}

/** The servers that a vendor's key is sent to; null: the vendor's own. */
const originsOf = (
  vendor: { readonly [K in 'baseUrl' | 'sttBaseUrl' | 'ttsBaseUrl']?: string | undefined } | undefined,
): ReadonlySet<string | null> =>
  new Set([
    originOf(vendor?.baseUrl),
    ...[vendor?.sttBaseUrl, vendor?.ttsBaseUrl].flatMap((url) => (url === undefined ? [] : [originOf(url)])),
  ]);

const originOf = (url: string | undefined): string | null => (url === undefined ? null : new URL(url).origin);
