import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { isUuid } from '../../shared/ids.ts';
import type { Db, Tx } from '../../store/database.ts';
import {
  lockMovable,
  moveNumbers,
  movePool,
  numbersThere,
  type MovableNumber,
} from '../../store/numbers/moving.ts';
import { findPool } from '../../store/numbers/pools.ts';
import { commitChange, type ChangeEntry } from '../audit/change-entry.ts';
import { childOf, family } from './sub-workspaces.ts';

interface Deps {
  readonly db: Db;
  readonly clock: Clock;
}

export interface Moved {
  readonly workspaceId: string;
  readonly numberIds: readonly string[];
}

/** The parent and its children under lock, and the one that a move goes to. */
interface Family {
  readonly ids: readonly string[];
  readonly to: string;
}

/**
 * Moves numbers between a parent and its children, all or none. Their calls so far stay where they were made. Throws 403 for
 * the key of a child, 404 for a workspace outside the family, 400 for a number outside it, and 409 for one in use.
 */
export function moveNumbersTo(
  deps: Deps,
  workspaceId: string,
  change: ChangeEntry | null,
  target: string,
  numberIds: readonly string[],
): Promise<Moved> {
  return commitChange(deps.db, change, async (tx) => {
    const { ids, to } = await familyOf(tx, workspaceId, target);
    const known = numberIds.filter(isUuid);
    const found = new Map((await lockMovable(tx, ids, { numberIds: known })).map((n) => [n.id, n]));
    const numbers = numberIds.map((id, index) => {
      const field = `from_number_ids[${index}]`;
      const number = found.get(id.toLowerCase());
      if (number === undefined) throw errors.numberNotInWorkspace(field);
      if (number.workspaceId === to) throw errors.numberInUse(field, 'the workspace has it already');
      refuseInUse(field, number, 'move the pool, or remove it there');
      return number;
    });
    await move(deps, tx, to, numbers);
    note(change, [...numbers.map((number) => number.workspaceId), to], workspaceId);
    return { workspaceId: to, numberIds: numbers.map(({ id }) => id) };
  });
}

/** Moves a pool with its numbers. Throws as `moveNumbersTo`. */
export function movePoolTo(
  deps: Deps,
  workspaceId: string,
  change: ChangeEntry | null,
  poolId: string,
  target: string,
): Promise<Moved> {
  return commitChange(deps.db, change, async (tx) => {
    const { ids, to } = await familyOf(tx, workspaceId, target);
    for (const from of isUuid(poolId) ? ids : []) {
      const pool = await findPool(tx, from, poolId);
      if (pool === undefined) continue;
      if (from === to) throw errors.numberInUse('number_pool_id', 'the workspace has it already');
      const numbers = await lockMovable(tx, [from], { poolId: pool.id });
      for (const number of numbers) refuseInUse(number.number, { ...number, poolId: null });
      await refuseDuplicates(tx, to, numbers);
      await movePool(tx, { id: pool.id, name: pool.name, from, to }, new Date(deps.clock.now()));
      note(change, [from, to], workspaceId);
      return { workspaceId: to, numberIds: numbers.map(({ id }) => id) };
    }
    throw errors.poolNotFound();
  });
}

async function familyOf(tx: Tx, workspaceId: string, target: string): Promise<Family> {
  const { parent, children } = await family(tx, workspaceId);
  const to = target.toLowerCase() === parent.id ? parent.id : childOf(children, target).id;
  return { ids: [parent.id, ...children.map(({ id }) => id)], to };
}

/** What keeps a number where it is, as a sentence; null: nothing. `cure` is for a number in a pool. */
export function obstacleTo(
  { poolId, agentName, calls, campaigns }: MovableNumber,
  cure = 'remove it there',
): string | null {
  if (poolId !== null) return `it is in a pool; ${cure}`;
  if (agentName !== null) return `the agent ${agentName} takes its calls; detach it first`;
  const [campaign] = campaigns;
  if (campaign !== undefined) return `the campaign ${campaign} calls from it`;
  return calls > 0 ? `calls wait or are in progress (${calls})` : null;
}

function refuseInUse(field: string, number: MovableNumber, cure?: string): void {
  const obstacle = obstacleTo(number, cure);
  if (obstacle !== null) throw errors.numberInUse(field, obstacle);
}

async function refuseDuplicates(tx: Tx, to: string, numbers: readonly MovableNumber[]): Promise<void> {
  const there = await numbersThere(
    tx,
    to,
    numbers.map(({ number }) => number),
  );
  const [twice] = there;
  if (twice !== undefined)
    throw errors.numberInUse(twice, 'the workspace has the same number on another trunk');
}

async function move(deps: Deps, tx: Tx, to: string, numbers: readonly MovableNumber[]): Promise<void> {
  await refuseDuplicates(tx, to, numbers);
  await moveNumbers(
    tx,
    numbers.map(({ id }) => id),
    to,
    new Date(deps.clock.now()),
  );
}

/** The audit log of every child that loses or gets a number has the entry too. */
const note = (change: ChangeEntry | null, touched: readonly string[], parentId: string): void =>
  change?.addChildWorkspaces(touched.filter((id) => id !== parentId));
