import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { isUuid, newId } from '../../shared/ids.ts';
import type { Db, Tx } from '../../store/database.ts';
import {
  insertChild,
  listChildren,
  lockFamily,
  moveCredits,
  setCallLimit,
  type ChildRow,
  type FamilyMember,
} from '../../store/sub-workspaces.ts';
import { toCredits, toMicroCredits } from '../credits/price.ts';

interface Deps {
  db: Db;
  clock: Clock;
}

const toChild = (child: ChildRow) => ({
  id: child.id,
  name: child.name,
  created_at: child.created_at.toISOString(),
  parent_workspace_id: child.parent_id,
  credits: toCredits(child.credits),
  locked_credits: toCredits(child.locked_credits),
  unlimited: child.unlimited,
  concurrency: child.call_limit,
  has_api_key: child.has_key,
});
export type SubWorkspace = ReturnType<typeof toChild>;

/** The workspace's children, oldest first. */
export async function readSubWorkspaces(deps: { db: Db }, workspaceId: string): Promise<SubWorkspace[]> {
  return (await listChildren(deps.db, workspaceId)).map(toChild);
}

async function readOne(tx: Tx, workspaceId: string, childId: string): Promise<SubWorkspace> {
  const child = (await readSubWorkspaces({ db: tx }, workspaceId)).find(({ id }) => id === childId);
  if (child === undefined) throw errors.workspaceNotFound();
  return child;
}

/** The locked workspace of the key and its children. Throws 403 for the key of a child. */
async function family(
  tx: Tx,
  workspaceId: string,
): Promise<{ parent: FamilyMember; children: FamilyMember[] }> {
  const members = await lockFamily(tx, workspaceId);
  const parent = members.find(({ id }) => id === workspaceId);
  if (parent === undefined) throw errors.invalidCredentials();
  if (parent.parent_id !== null) throw errors.childHasNoChildren();
  return { parent, children: members.filter(({ id }) => id !== workspaceId) };
}

/**
 * Makes a child workspace: without a key until one is made in the dashboard, without money and calls at once until
 * they are allocated. `onStored` runs in the same transaction. Throws 403.
 */
export function createSubWorkspace(
  deps: Deps,
  workspaceId: string,
  name: string,
  onStored: (tx: Tx, child: SubWorkspace) => Promise<void> = async () => undefined,
): Promise<SubWorkspace> {
  return deps.db.transaction().execute(async (tx) => {
    const { parent } = await family(tx, workspaceId);
    const id = newId();
    const at = new Date(deps.clock.now());
    await insertChild(tx, { id, parentId: workspaceId, name, unlimited: parent.unlimited }, at);
    const child = await readOne(tx, workspaceId, id);
    await onStored(tx, child);
    return child;
  });
}

/**
 * Gives a child so many calls at once out of the parent's own: what the children have together is at most what the
 * parent has, and the parent keeps the rest. Throws 403, 404 and 400.
 */
export function setConcurrency(
  deps: Deps,
  workspaceId: string,
  childId: string,
  concurrency: number,
): Promise<SubWorkspace> {
  return deps.db.transaction().execute(async (tx) => {
    const { parent, children } = await family(tx, workspaceId);
    const child = childOf(children, childId);
    const others = children.reduce((sum, one) => sum + (one.id === child.id ? 0 : one.call_limit), 0);
    const free = Math.max(0, parent.call_limit - others);
    if (concurrency > free) throw errors.concurrencyExceedsParent(free);
    await setCallLimit(tx, child.id, concurrency, new Date(deps.clock.now()));
    return readOne(tx, workspaceId, child.id);
  });
}

/**
 * Moves credits so that each child named has its target, all of them or none. Their sum is taken from what the
 * parent has unlocked, or comes back to it. Throws 403, 404 and 400.
 */
export function allocateCredits(
  deps: Deps,
  workspaceId: string,
  allocations: Readonly<Record<string, number>>,
): Promise<{ credits: number; lockedCredits: number; children: SubWorkspace[] }> {
  return deps.db.transaction().execute(async (tx) => {
    const { parent, children } = await family(tx, workspaceId);
    const moves = new Map<string, number>();
    for (const [id, target] of Object.entries(allocations)) {
      const child = childOf(children, id);
      const field = `allocations.${id}`;
      if (moves.has(child.id)) throw errors.invalid(field, 'names a workspace that is named already');
      if (toMicroCredits(target) < child.locked_credits) throw errors.creditsLockedInChild(field);
      moves.set(child.id, toMicroCredits(target) - child.credits);
    }
    if (parent.unlimited) throw errors.billingOff();
    const sum = [...moves.values()].reduce((total, amount) => total + amount, 0);
    if (sum > 0 && sum > parent.credits - parent.locked_credits) throw errors.creditsExceedParent();
    const changes = [...moves].filter(([, amount]) => amount !== 0);
    await moveCredits(
      tx,
      workspaceId,
      changes.map(([childId, amount]) => ({ childId, amount })),
      new Date(deps.clock.now()),
    );
    return {
      credits: toCredits(parent.credits - sum),
      lockedCredits: toCredits(parent.locked_credits),
      children: await readSubWorkspaces({ db: tx }, workspaceId),
    };
  });
}

function childOf(children: readonly FamilyMember[], childId: string): FamilyMember {
  const child = isUuid(childId) ? children.find(({ id }) => id === childId.toLowerCase()) : undefined;
  if (child === undefined) throw errors.workspaceNotFound();
  return child;
}
