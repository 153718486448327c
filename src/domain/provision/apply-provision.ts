import { hash, verify } from '@node-rs/argon2';
import type { Clock } from '../../shared/clock.ts';
import { newId, sha256 } from '../../shared/ids.ts';
import type { Seal } from '../../shared/seal.ts';
import type { Db, Tx } from '../../store/database.ts';
import { findKey, replaceKey } from '../../store/keys.ts';
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
} from '../../store/provision.ts';
import { printWorkspace } from '../../store/provision-print.ts';
import { toMicroCredits } from '../credits/price.ts';
import { newApiKey, storedForm } from '../workspaces/api-key.ts';
import { enterProvision } from './provision-entry.ts';
import { TEST_TRUNK, type ProvisionPlan, type TrunkEntry, type WorkspaceEntry } from './provision-file.ts';

/** A key made by this run: to be shown once, it cannot be read again. */
export interface NewKey {
  workspace: string;
  apiKey: string;
}
export type Provisioned = { ok: true; newKeys: NewKey[] } | { ok: false; problems: string[] };

/** Ends the transaction without a change. */
class Refused extends Error {}

/**
 * Makes what the plan declares exist (open-points, Starting the service), all of it or nothing. Applying it again
 * changes nothing; names it does not mention are left alone.
 */
export async function applyProvision(
  deps: { db: Db; clock: Clock; seal: Seal },
  plan: ProvisionPlan,
): Promise<Provisioned> {
  const problems: string[] = [];
  const newKeys: NewKey[] = [];
  try {
    await deps.db.transaction().execute(async (tx) => {
      await lockProvisioning(tx);
      const at = new Date(deps.clock.now());
      await putTestTrunk(tx, at);
      for (const trunk of plan.trunks) {
        const password = sealedPassword(deps.seal, trunk, await findTrunkPassword(tx, trunk.name));
        await putTrunk(tx, trunk.name, { ...trunkSettings(trunk), password }, at);
      }
      for (const [index, workspace] of plan.workspaces.entries()) {
        const path = `workspaces[${index}]`;
        const known = await findRootWorkspace(tx, workspace.name);
        const before = known === undefined ? null : await printWorkspace(tx, known.id);
        const id = await applyWorkspace(tx, workspace, at);
        newKeys.push(...(await applyKey(tx, path, id, workspace, at, problems)));
        await applyNumbers(tx, path, id, workspace, at, problems);
        if (workspace.owner !== undefined) await applyOwner(tx, id, workspace.owner, at);
        await enterProvision(tx, id, before, at);
      }
      if (problems.length > 0) throw new Refused();
    });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { ok: false, problems };
  }
  return { ok: true, newKeys };
}

/** The built-in test carrier's trunk exists in every installation. */
export const putTestTrunk = (tx: Tx, at: Date): Promise<string> =>
  putTrunk(tx, TEST_TRUNK, { kind: 'test' }, at);

/** The stored form of the declared password; one that has not changed stays as it is. */
function sealedPassword(seal: Seal, trunk: TrunkEntry, stored: string | null): string | null {
  if (trunk.password === undefined) return null;
  return stored !== null && seal.open(stored) === trunk.password ? stored : seal.seal(trunk.password);
}

const trunkSettings = (trunk: TrunkEntry): Record<string, unknown> => ({
  kind: 'sip',
  uri: trunk.uri,
  username: trunk.username ?? null,
  register: trunk.register ?? false,
  max_calls: trunk.max_calls ?? null,
  calls_per_second: trunk.calls_per_second ?? null,
  transport: trunk.transport ?? /;transport=(udp|tcp)/i.exec(trunk.uri)?.[1]?.toLowerCase() ?? null,
  allowed_sources: trunk.allowed_sources ?? [],
});

async function applyWorkspace(tx: Tx, entry: WorkspaceEntry, at: Date): Promise<string> {
  let workspace = await findRootWorkspace(tx, entry.name);
  if (workspace === undefined) {
    workspace = { id: newId(), credits: 0, unlimited: false, settings: {} };
    await insertWorkspace(tx, workspace.id, entry.name, at);
  }
  // Money already spent stays spent: a balance moves only by what the file's figure has changed since last time.
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
        ...(entry.circuit_breaker === undefined ? {} : { circuit_breaker: entry.circuit_breaker }),
      },
    },
    at,
  );
  return workspace.id;
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
