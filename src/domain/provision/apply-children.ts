import { newId } from '../../shared/ids.ts';
import type { Tx } from '../../store/database.ts';
import { printWorkspace, updateWorkspace, type WorkspacePrint } from '../../store/tenants/provision.ts';
import {
  insertChild,
  listChildren,
  lockFamily,
  moveCredits,
  type FamilyMember,
} from '../../store/tenants/sub-workspaces.ts';
import { toCredits } from '../credits/price.ts';
import { ownTerms, passOnTerms, termsOfChild } from '../workspaces/inherited.ts';
import { isSameName } from '../workspaces/sub-workspaces.ts';
import { applyRest, creditsChange, type Run } from './apply-workspace.ts';
import { auditProvision } from './provision-entry.ts';
import type { ChildEntry } from './provision-schema.ts';

/**
 * Passes the terms of a workspace on to its children and applies the declared ones. Each child that changes gets an audit
 * entry.
 */
export async function applyChildren(
  run: Run,
  path: string,
  parentId: string,
  entries: readonly ChildEntry[],
): Promise<void> {
  const { tx, at } = run;
  const before = new Map<string, WorkspacePrint>();
  for (const { id } of await listChildren(tx, parentId)) before.set(id, await printWorkspace(tx, id));
  await passOnTerms(tx, parentId, at);
  for (const [index, entry] of entries.entries()) {
    await applyChild(run, `${path}.children[${index}]`, parentId, entry);
  }
  for (const { id } of await listChildren(tx, parentId)) {
    await auditProvision(tx, id, before.get(id) ?? null, at);
  }
}

async function applyChild(run: Run, path: string, parentId: string, entry: ChildEntry): Promise<void> {
  const { tx, at, problems } = run;
  const members = await lockFamily(tx, parentId);
  const parent = members.find(({ id }) => id === parentId);
  if (parent === undefined) return;
  const siblings = members.filter(({ id }) => id !== parentId);
  const child =
    siblings.find((one) => isSameName(one.name, entry.name)) ?? (await create(tx, parent, entry, at));
  if (child.archivedAt !== null) {
    run.notes.push(
      `  Archived    ${child.name} of ${parent.name}: its entry changes nothing until it is restored`,
    );
    return;
  }
  const { unlimited, settings } = termsOfChild(parent, child.settings, ownTerms(entry));
  const { delta, provisioned } = creditsChange(entry, child.settings);
  const free = callsFreeFor(child, parent, siblings);
  if (entry.call_limit !== undefined && entry.call_limit > free) {
    problems.push(`${path}.call_limit must be at most ${free}, the concurrency that its parent has left`);
  }
  // The child keeps what its live calls have locked and what it has spent.
  const moved = Math.max(delta, -Math.max(0, child.credits - child.lockedCredits));
  if (!parent.unlimited && moved > parent.credits - parent.lockedCredits) {
    const left = toCredits(Math.max(0, parent.credits - parent.lockedCredits));
    problems.push(`${path}.credits needs ${toCredits(moved)} more of its parent, which has ${left} left`);
  } else if (!parent.unlimited && moved !== 0) {
    await moveCredits(tx, parentId, [{ childId: child.id, amount: moved }], at);
  }
  const { strict_variables: strictVariables } = entry;
  await updateWorkspace(
    tx,
    child.id,
    {
      creditsDelta: parent.unlimited ? moved : 0,
      unlimited,
      ...(entry.call_limit === undefined ? {} : { callLimit: entry.call_limit }),
      settings: {
        ...settings,
        ...provisioned,
        ...(strictVariables === undefined ? {} : { strict_variables: strictVariables }),
      },
    },
    at,
  );
  await applyRest(run, path, { id: child.id, parentId }, entry);
}

async function create(tx: Tx, parent: FamilyMember, entry: ChildEntry, at: Date): Promise<FamilyMember> {
  const id = newId();
  await insertChild(tx, { id, parentId: parent.id, name: entry.name, ...termsOfChild(parent, {}) }, at);
  const members = await lockFamily(tx, parent.id);
  const made = members.find((member) => member.id === id);
  if (made === undefined) throw new Error('the new child workspace was not found');
  return made;
}

/** The concurrency that the parent and the other children leave to a child. */
const callsFreeFor = (child: FamilyMember, parent: FamilyMember, siblings: readonly FamilyMember[]): number =>
  Math.max(
    0,
    (parent.callLimit ?? 0) -
      siblings.reduce((sum, one) => sum + (one.id === child.id ? 0 : (one.callLimit ?? 0)), 0),
  );
