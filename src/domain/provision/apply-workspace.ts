import { newId } from '../../shared/ids.ts';
import type { Tx } from '../../store/database.ts';
import { findRootWorkspace, insertWorkspace, updateWorkspace } from '../../store/tenants/provision.ts';
import { childNamed } from '../../store/tenants/sub-workspaces.ts';
import { provisionedSettings, type ProvisionedSettings } from '../../store/json/provisioned-settings.ts';
import type { JsonObject } from '../../store/schema.ts';
import { ApiError } from '../../errors.ts';
import { toMicroCredits } from '../credits/price.ts';
import { mergeProviders, type MergeDeps } from '../providers/save-providers.ts';
import { CLOSED } from '../workspaces/home-destinations.ts';
import { applyNumbers } from './apply-numbers.ts';
import { applyKey, applyOwner } from './apply-secrets.ts';
import { applyWhatsapp } from './apply-whatsapp.ts';
import type { ChildEntry } from '../../wire/provision/schema.ts';

/** A key created by this run; it can be shown only now. */
export interface NewKey {
  workspace: string;
  apiKey: string;
}

/** One run over the file: what it adds up while it applies entry by entry. */
export interface Run {
  readonly deps: MergeDeps;
  readonly tx: Tx;
  readonly at: Date;
  readonly problems: string[];
  readonly newKeys: NewKey[];
  readonly notes: string[];
  /** Of the numbers that the file declares. */
  readonly numberIds: string[];
  /** What the file declares of the providers, by workspace. */
  readonly providers: Map<string, readonly string[]>;
}

/** Creates or changes a workspace that is no child. Null, and a problem, for a new one with the name of a child. */
export async function applyRoot(run: Run, path: string, entry: ChildEntry): Promise<string | null> {
  const { tx, at } = run;
  let workspace = await findRootWorkspace(tx, entry.name);
  if (workspace === undefined) {
    const child = await childNamed(tx, entry.name);
    if (child !== null) {
      const cure = `declare it under children of ${child.parent}, or choose another name`;
      run.problems.push(`${path}.name is the name of a child workspace of ${child.parent}: ${cure}`);
      return null;
    }
    workspace = { id: newId(), credits: 0, unlimited: false, settings: { ...CLOSED } };
    await insertWorkspace(tx, workspace.id, entry.name, at);
  }
  const { delta, provisioned } = creditsChange(entry, workspace.settings);
  const declared = provisionedSettings.write({ ...provisioned, ...declaredSettings(entry) });
  const settings = { ...workspace.settings, ...declared };
  await updateWorkspace(
    tx,
    workspace.id,
    {
      creditsDelta: delta,
      ...(entry.credits === undefined ? {} : { unlimited: entry.credits === 'unlimited' }),
      ...(entry.callLimit === undefined ? {} : { callLimit: entry.callLimit }),
      settings,
    },
    at,
  );
  return workspace.id;
}

/** Micro-credits to add. Spent credits stay spent: the balance changes by the difference between the declared figures. */
export function creditsChange(
  { credits }: ChildEntry,
  stored: JsonObject,
): { delta: number; provisioned: Pick<ProvisionedSettings, 'provisionedCredits'> } {
  if (typeof credits !== 'number') return { delta: 0, provisioned: {} };
  const declared = toMicroCredits(credits);
  const before = stored['provisioned_credits'];
  return {
    delta: declared - (typeof before === 'number' ? before : 0),
    provisioned: { provisionedCredits: declared },
  };
}

const SETTINGS = [
  'allowPremiumNumbers',
  'limits',
  'largeCampaigns',
  'strictVariables',
  'circuitBreaker',
] as const;
const declaredSettings = (entry: ChildEntry): ProvisionedSettings =>
  Object.fromEntries(SETTINGS.flatMap((key) => (entry[key] === undefined ? [] : [[key, entry[key]]])));

/** What a workspace and a child have in common: vendors, key, numbers and owner. */
export async function applyRest(
  run: Run,
  path: string,
  workspace: { readonly id: string; readonly parentId: string | null },
  entry: ChildEntry,
): Promise<void> {
  const { deps, tx, at, problems, notes } = run;
  await applyProviders(run, path, workspace.id, entry);
  await applyKey(run, path, workspace.id, entry);
  await applyNumbers(run, path, workspace, entry.numbers ?? []);
  notes.push(...(await applyWhatsapp({ tx, seal: deps.seal, at }, path, workspace.id, entry, problems)));
  if (entry.owner !== undefined) await applyOwner(run, workspace.id, entry.owner);
}

async function applyProviders(
  { deps, tx, at, problems, providers: declared }: Run,
  path: string,
  workspaceId: string,
  { providers }: ChildEntry,
): Promise<void> {
  if (providers === undefined) return;
  const { vendors = {}, ...parts } = providers;
  declared.set(workspaceId, [
    ...Object.keys(parts),
    ...Object.keys(vendors).map((name) => `vendors.${name}`),
  ]);
  try {
    await mergeProviders(deps, tx, workspaceId, providers, at);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    problems.push(`${path}.providers.${error.message}`);
  }
}
