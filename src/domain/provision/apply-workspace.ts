import { hash, verify } from '@node-rs/argon2';
import { newId, sha256 } from '../../shared/ids.ts';
import type { Tx } from '../../store/database.ts';
import { findKey, replaceKey } from '../../store/tenants/keys.ts';
import {
  findKeyWorkspace,
  findRootWorkspace,
  findUser,
  insertWorkspace,
  putOwner,
  putUser,
  updateWorkspace,
} from '../../store/tenants/provision.ts';
import { childNamed } from '../../store/tenants/sub-workspaces.ts';
import type { JsonObject } from '../../store/schema.ts';
import { ApiError } from '../../errors.ts';
import { toMicroCredits } from '../credits/price.ts';
import { toProvidersInput } from '../providers/provider-schema.ts';
import { mergeProviders, type MergeDeps } from '../providers/save-providers.ts';
import { CLOSED } from '../workspaces/home-destinations.ts';
import { newApiKey, storedForm } from '../workspaces/api-key.ts';
import { applyNumbers } from './apply-numbers.ts';
import { applyWhatsapp } from './apply-whatsapp.ts';
import type { ChildEntry } from './provision-schema.ts';

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
  const settings = { ...workspace.settings, ...provisioned, ...declaredSettings(entry) };
  await updateWorkspace(
    tx,
    workspace.id,
    {
      creditsDelta: delta,
      ...(entry.credits === undefined ? {} : { unlimited: entry.credits === 'unlimited' }),
      ...(entry.call_limit === undefined ? {} : { callLimit: entry.call_limit }),
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
): { delta: number; provisioned: JsonObject } {
  if (typeof credits !== 'number') return { delta: 0, provisioned: {} };
  const declared = toMicroCredits(credits);
  const before = stored['provisioned_credits'];
  return {
    delta: declared - (typeof before === 'number' ? before : 0),
    provisioned: { provisioned_credits: declared },
  };
}

const SETTINGS = [
  'allow_premium_numbers',
  'limits',
  'large_campaigns',
  'strict_variables',
  'circuit_breaker',
] as const;
const declaredSettings = (entry: ChildEntry): JsonObject =>
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
  if (entry.owner !== undefined) await applyOwner(tx, workspace.id, entry.owner, at);
}

async function applyProviders(
  { deps, tx, at, problems }: Run,
  path: string,
  workspaceId: string,
  { providers }: ChildEntry,
): Promise<void> {
  if (providers === undefined) return;
  try {
    await mergeProviders(deps, tx, workspaceId, toProvidersInput(providers), at);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    problems.push(`${path}.providers.${error.message}`);
  }
}

async function applyKey(
  { tx, at, problems, newKeys }: Run,
  path: string,
  workspaceId: string,
  entry: ChildEntry,
): Promise<void> {
  const stored = await findKey(tx, workspaceId);
  if (entry.api_key === undefined) {
    if (stored !== null) return;
    const apiKey = newApiKey();
    await replaceKey(tx, workspaceId, storedForm(apiKey), at);
    newKeys.push({ workspace: entry.name, apiKey });
    return;
  }
  const holder = await findKeyWorkspace(tx, sha256(entry.api_key));
  if (holder !== null && holder !== workspaceId)
    problems.push(`${path}.api_key belongs to another workspace`);
  else if (holder === null) await replaceKey(tx, workspaceId, storedForm(entry.api_key), at);
}

async function applyOwner(
  tx: Tx,
  workspaceId: string,
  owner: { email: string; password: string },
  at: Date,
): Promise<void> {
  const known = await findUser(tx, owner.email);
  const isSame = known !== undefined && (await verify(known.passwordHash, owner.password).catch(() => false));
  const userId =
    known !== undefined && isSame
      ? known.id
      : await putUser(
          tx,
          { id: known?.id ?? null, email: owner.email, passwordHash: await hash(owner.password) },
          at,
        );
  await putOwner(tx, workspaceId, userId, at);
}
