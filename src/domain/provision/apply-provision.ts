import { hash, verify } from '@node-rs/argon2';
import type { Clock } from '../../shared/clock.ts';
import { newId, sha256 } from '../../shared/ids.ts';
import type { Seal } from '../../shared/seal.ts';
import type { Db, Tx } from '../../store/database.ts';
import { findKey, replaceKey } from '../../store/tenants/keys.ts';
import {
  findKeyWorkspace,
  findLine,
  findRootWorkspace,
  findTrunkId,
  findTrunkPassword,
  findUser,
  insertWorkspace,
  lockProvisioning,
  putNumber,
  putOwner,
  putTrunk,
  putUser,
  updateWorkspace,
  printWorkspace,
  type WorkspacePrint,
} from '../../store/tenants/provision.ts';
import { listChildren } from '../../store/tenants/sub-workspaces.ts';
import { ApiError } from '../../errors.ts';
import { mergeProviders, type MergeDeps } from '../providers/save-providers.ts';
import { toMicroCredits } from '../credits/price.ts';
import { newApiKey, storedForm } from '../workspaces/api-key.ts';
import { passOnTerms } from '../workspaces/inherited.ts';
import { applyWhatsapp } from './apply-whatsapp.ts';
import { auditProvision } from './provision-entry.ts';
import type { ProvisionPlan, TrunkEntry, WorkspaceEntry } from './provision-file.ts';
import { TEST_TRUNK } from './test-trunk.ts';

/** A key created by this run; it can be shown only now. */
export interface NewKey {
  workspace: string;
  apiKey: string;
}
export type Provisioned =
  | { ok: true; newKeys: NewKey[]; notes: string[] }
  | { ok: false; problems: string[] };

export interface ApplyDeps extends MergeDeps {
  readonly db: Db;
  readonly clock: Clock;
}

export interface ApplyOptions {
  /** Processes are running: calls on a new trunk wait until all of them know it. */
  readonly isRunning: boolean;
}
/** Longer than a running process takes to notice a new trunk. */
const NEW_TRUNK_MS = 10_000;

/** Rolls the transaction back. */
class Refused extends Error {}

/**
 * Applies the plan in one transaction (open-points, Starting the service). Idempotent; names that the plan does not
 * mention are not changed.
 */
export async function applyProvision(
  deps: ApplyDeps,
  plan: ProvisionPlan,
  { isRunning }: ApplyOptions = { isRunning: false },
): Promise<Provisioned> {
  const problems: string[] = [];
  const newKeys: NewKey[] = [];
  const notes: string[] = [];
  try {
    await deps.db.transaction().execute(async (tx) => {
      await lockProvisioning(tx);
      const at = new Date(deps.clock.now());
      await putTestTrunk(tx, at);
      for (const trunk of plan.trunks) {
        const password = sealedPassword(deps.seal, trunk, await findTrunkPassword(tx, trunk.name));
        const newFrom = isRunning ? new Date(at.getTime() + NEW_TRUNK_MS) : null;
        await putTrunk(tx, trunk.name, { ...trunkSettings(trunk), password }, at, newFrom);
      }
      for (const [index, workspace] of plan.workspaces.entries()) {
        const path = `workspaces[${index}]`;
        const known = await findRootWorkspace(tx, workspace.name);
        const before = known === undefined ? null : await printWorkspace(tx, known.id);
        const id = await applyWorkspace(tx, workspace, at);
        await passTermsOn(tx, id, at);
        await applyProviders(deps, tx, path, id, workspace, at, problems);
        newKeys.push(...(await applyKey(tx, path, id, workspace, at, problems)));
        await applyNumbers(tx, path, id, workspace, at, problems);
        const { seal } = deps;
        notes.push(...(await applyWhatsapp({ tx, seal, at }, path, id, workspace, problems)));
        if (workspace.owner !== undefined) await applyOwner(tx, id, workspace.owner, at);
        await auditProvision(tx, id, before, at);
      }
      if (problems.length > 0) throw new Refused();
    });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { ok: false, problems };
  }
  return { ok: true, newKeys, notes };
}

/** Children that inherit follow their parent; each that changes gets an audit entry. */
async function passTermsOn(tx: Tx, parentId: string, at: Date): Promise<void> {
  const before = new Map<string, WorkspacePrint>();
  for (const { id } of await listChildren(tx, parentId)) before.set(id, await printWorkspace(tx, id));
  await passOnTerms(tx, parentId, at);
  for (const [id, print] of before) await auditProvision(tx, id, print, at);
}

/** Upserts the trunk of the built-in test carrier, which every installation has. */
export const putTestTrunk = (tx: Tx, at: Date): Promise<string> =>
  putTrunk(tx, TEST_TRUNK, { kind: 'test' }, at);

/** The stored form of the declared password; unchanged if the password is unchanged. */
function sealedPassword(seal: Seal, trunk: TrunkEntry, stored: string | null): string | null {
  if (trunk.password === undefined) return null;
  return stored !== null && seal.open(stored) === trunk.password ? stored : seal.seal(trunk.password);
}

const trunkSettings = (trunk: TrunkEntry): Record<string, unknown> => ({
  kind: 'sip',
  uri: trunk.uri,
  username: trunk.username ?? null,
  register: trunk.register ?? false,
  ...(trunk.enabled === false ? { enabled: false } : {}),
  max_calls: trunk.max_calls ?? null,
  calls_per_second: trunk.calls_per_second ?? null,
  transport: trunk.transport ?? /;transport=(udp|tcp)/i.exec(trunk.uri)?.[1]?.toLowerCase() ?? null,
  allowed_sources: trunk.allowed_sources ?? [],
  media_ranges: trunk.media_ranges ?? [],
});

async function applyWorkspace(tx: Tx, entry: WorkspaceEntry, at: Date): Promise<string> {
  let workspace = await findRootWorkspace(tx, entry.name);
  if (workspace === undefined) {
    workspace = { id: newId(), credits: 0, unlimited: false, settings: {} };
    await insertWorkspace(tx, workspace.id, entry.name, at);
  }
  // Spent credits stay spent: the balance changes by the difference between the declared figures.
  const declared = typeof entry.credits === 'number' ? toMicroCredits(entry.credits) : null;
  const before = workspace.settings['provisioned_credits'];
  const creditsDelta = declared === null ? 0 : declared - (typeof before === 'number' ? before : 0);
  await updateWorkspace(
    tx,
    workspace.id,
    {
      creditsDelta,
      ...(entry.credits === undefined ? {} : { unlimited: entry.credits === 'unlimited' }),
      ...(entry.call_limit === undefined ? {} : { call_limit: entry.call_limit }),
      settings: {
        ...workspace.settings,
        ...(declared === null ? {} : { provisioned_credits: declared }),
        ...(entry.allow_premium_numbers === undefined
          ? {}
          : { allow_premium_numbers: entry.allow_premium_numbers }),
        ...(entry.limits === undefined ? {} : { limits: entry.limits }),
        ...(entry.large_campaigns === undefined ? {} : { large_campaigns: entry.large_campaigns }),
        ...(entry.strict_variables === undefined ? {} : { strict_variables: entry.strict_variables }),
        ...(entry.circuit_breaker === undefined ? {} : { circuit_breaker: entry.circuit_breaker }),
      },
    },
    at,
  );
  return workspace.id;
}

async function applyProviders(
  deps: MergeDeps,
  tx: Tx,
  path: string,
  workspaceId: string,
  { providers }: WorkspaceEntry,
  at: Date,
  problems: string[],
): Promise<void> {
  if (providers === undefined) return;
  try {
    await mergeProviders(deps, tx, workspaceId, providers, at);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    problems.push(`${path}.providers.${error.message}`);
  }
}

async function applyKey(
  tx: Tx,
  path: string,
  workspaceId: string,
  entry: WorkspaceEntry,
  at: Date,
  problems: string[],
): Promise<NewKey[]> {
  const stored = await findKey(tx, workspaceId);
  if (entry.api_key === undefined) {
    if (stored !== null) return [];
    const apiKey = newApiKey();
    await replaceKey(tx, workspaceId, storedForm(apiKey), at);
    return [{ workspace: entry.name, apiKey }];
  }
  const holder = await findKeyWorkspace(tx, sha256(entry.api_key));
  if (holder !== null && holder !== workspaceId)
    problems.push(`${path}.api_key belongs to another workspace`);
  else if (holder === null) await replaceKey(tx, workspaceId, storedForm(entry.api_key), at);
  return [];
}

async function applyNumbers(
  tx: Tx,
  path: string,
  workspaceId: string,
  entry: WorkspaceEntry,
  at: Date,
  problems: string[],
): Promise<void> {
  for (const [index, number] of (entry.numbers ?? []).entries()) {
    const trunkId = await findTrunkId(tx, number.trunk);
    if (trunkId === null) {
      problems.push(`${path}.numbers[${index}].trunk ${number.trunk} is not declared`);
      continue;
    }
    const line = await findLine(tx, number.number, trunkId);
    if (line !== undefined && line.workspace_id !== workspaceId) {
      problems.push(`${path}.numbers[${index}] is a number of another workspace on the same trunk`);
      continue;
    }
    await putNumber(
      tx,
      workspaceId,
      {
        number: number.number,
        trunk_id: trunkId,
        provider: number.trunk,
        ...(number.display_name === undefined ? {} : { display_name: number.display_name }),
        ...(number.is_test_number === undefined ? {} : { is_test_number: number.is_test_number }),
        ...(number.call_limit === undefined ? {} : { call_limit: number.call_limit }),
      },
      at,
    );
  }
}

async function applyOwner(
  tx: Tx,
  workspaceId: string,
  owner: { email: string; password: string },
  at: Date,
): Promise<void> {
  const known = await findUser(tx, owner.email);
  const isSame =
    known !== undefined && (await verify(known.password_hash, owner.password).catch(() => false));
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
