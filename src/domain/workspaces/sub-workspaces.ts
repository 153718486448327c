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
} from '../../store/tenants/sub-workspaces.ts';
import { findWorkspace } from '../../store/tenants/workspaces.ts';
import { toMicroCredits } from '../credits/price.ts';
import { commitChange, type ChangeEntry } from '../audit/change-entry.ts';

interface Deps {
  db: Db;
  clock: Clock;
}

export interface SubWorkspace {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly parentWorkspaceId: string | null;
  /** Micro-credits, like `lockedCredits`. */
  readonly credits: number;
  readonly lockedCredits: number;
  readonly unlimited: boolean;
  /** Calls at the same time; shared with the parent if `sharesConcurrency`. */
  readonly concurrency: number;
  readonly sharesConcurrency: boolean;
  readonly hasApiKey: boolean;
  /** Null: it works. */
  readonly archivedAt: Date | null;
  readonly numbers: readonly {
    readonly id: string;
    readonly number: string;
    readonly poolId: string | null;
  }[];
  readonly pools: readonly { readonly id: string; readonly name: string }[];
}

const toChild = (child: ChildRow, rest: number): SubWorkspace => ({
  id: child.id,
  name: child.name,
  createdAt: child.createdAt,
  parentWorkspaceId: child.parentId,
  credits: child.credits,
  lockedCredits: child.lockedCredits,
  unlimited: child.unlimited,
  concurrency: child.callLimit ?? rest,
  sharesConcurrency: child.callLimit === null,
  hasApiKey: child.hasKey,
  archivedAt: child.archivedAt,
  numbers: child.numbers.map(({ id, number, numberPoolId: poolId }) => ({ id, number, poolId })),
  pools: child.pools,
});

/** The child workspaces, oldest first. */
export async function readSubWorkspaces(deps: { db: Db }, workspaceId: string): Promise<SubWorkspace[]> {
  const [children, parent] = [
    await listChildren(deps.db, workspaceId),
    await findWorkspace(deps.db, workspaceId),
  ];
  const taken = children.reduce((sum, child) => sum + (child.callLimit ?? 0), 0);
  const rest = Math.max(0, (parent?.callLimit ?? 0) - taken);
  return children.map((child) => toChild(child, rest));
}

export async function readOne(tx: Tx, workspaceId: string, childId: string): Promise<SubWorkspace> {
  const child = (await readSubWorkspaces({ db: tx }, workspaceId)).find(({ id }) => id === childId);
  if (child === undefined) throw errors.workspaceNotFound();
  return child;
}

/** Locks the workspace of the key and its children. Throws 403 for the key of a child. */
export async function family(
  tx: Tx,
  workspaceId: string,
): Promise<{ parent: FamilyMember; children: FamilyMember[] }> {
  const members = await lockFamily(tx, workspaceId);
  const parent = members.find(({ id }) => id === workspaceId);
  if (parent === undefined) throw errors.invalidCredentials();
  if (parent.parentId !== null) throw errors.childHasNoChildren();
  return { parent, children: members.filter(({ id }) => id !== workspaceId) };
}

/**
 * Creates a child workspace without a key. It shares the concurrency that its parent has left, is unlimited while its parent is,
 * and has its dial limits. `onStored` runs in the same transaction. Throws 403, and 409 for a name that a sibling has.
 */
export function createSubWorkspace(
  deps: Deps,
  workspaceId: string,
  change: ChangeEntry | null,
  name: string,
  onStored: (tx: Tx, child: SubWorkspace) => Promise<void> = async () => undefined,
): Promise<SubWorkspace> {
  return commitChange(deps.db, change, async (tx) => {
    const { children } = await family(tx, workspaceId);
    if (children.some((one) => isSameName(one.name, name))) throw errors.workspaceNameTaken(name);
    const id = newId();
    const at = new Date(deps.clock.now());
    await insertChild(tx, { id, parentId: workspaceId, name }, at);
    const child = await readOne(tx, workspaceId, id);
    await onStored(tx, child);
    return child;
  });
}

/**
 * Sets the concurrency of a child, out of the parent's: the sum over the children is at most the parent's
 * concurrency, and the parent uses the rest. Null: the child shares that rest. Throws 403, 404 and 400.
 */
export function setConcurrency(
  deps: Deps,
  workspaceId: string,
  change: ChangeEntry | null,
  childId: string,
  concurrency: number | null,
): Promise<SubWorkspace> {
  return commitChange(deps.db, change, async (tx) => {
    const { parent, children } = await family(tx, workspaceId);
    const child = childOf(children, childId);
    const others = children.reduce((sum, one) => sum + (one.id === child.id ? 0 : (one.callLimit ?? 0)), 0);
    const free = Math.max(0, (parent.callLimit ?? 0) - others);
    if (concurrency !== null && concurrency > free) throw errors.concurrencyExceedsParent(free);
    await setCallLimit(tx, child.id, concurrency, new Date(deps.clock.now()));
    return readOne(tx, workspaceId, child.id);
  });
}

/**
 * Sets the balances of the named children, all or none. The difference comes from the parent's unlocked credits, or
 * returns to them. Throws 403, 404 and 400.
 */
export function allocateCredits(
  deps: Deps,
  workspaceId: string,
  change: ChangeEntry | null,
  allocations: Readonly<Record<string, number>>,
): Promise<{ credits: number; lockedCredits: number; children: SubWorkspace[] }> {
  return commitChange(deps.db, change, async (tx) => {
    const { parent, children } = await family(tx, workspaceId);
    const moves = new Map<string, number>();
    for (const [id, target] of Object.entries(allocations)) {
      const child = childOf(children, id);
      const field = `allocations.${id}`;
      if (moves.has(child.id)) throw errors.invalid(field, 'names a workspace twice');
      if (toMicroCredits(target) < child.lockedCredits) throw errors.creditsLockedInChild(field);
      moves.set(child.id, toMicroCredits(target) - child.credits);
    }
    if (parent.unlimited) throw errors.billingOff();
    const sum = [...moves.values()].reduce((total, amount) => total + amount, 0);
    if (sum > 0 && sum > parent.credits - parent.lockedCredits) throw errors.creditsExceedParent();
    const changes = [...moves].filter(([, amount]) => amount !== 0);
    await moveCredits(
      tx,
      workspaceId,
      changes.map(([childId, amount]) => ({ childId, amount })),
      new Date(deps.clock.now()),
    );
    return {
      credits: parent.credits - sum,
      lockedCredits: parent.lockedCredits,
      children: await readSubWorkspaces({ db: tx }, workspaceId),
    };
  });
}

/** Children of one parent must differ in this form of their names. */
export const isSameName = (a: string, b: string): boolean =>
  a.trim().toLowerCase() === b.trim().toLowerCase();

/** A child that works. Throws 404, and 409 for an archived one. */
export function childOf(children: readonly FamilyMember[], childId: string): FamilyMember {
  const child = anyChildOf(children, childId);
  if (child.archivedAt !== null) throw errors.workspaceArchived(child.name);
  return child;
}

/** A child, also an archived one. Throws 404. */
export function anyChildOf(children: readonly FamilyMember[], childId: string): FamilyMember {
  const child = isUuid(childId) ? children.find(({ id }) => id === childId.toLowerCase()) : undefined;
  if (child === undefined) throw errors.workspaceNotFound();
  return child;
}
