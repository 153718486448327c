import { wireName } from '../../shared/wire-names.ts';
import { provisionedSettings } from '../../store/json/provisioned-settings.ts';
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
import type { JsonObject } from '../../store/schema.ts';
import { isSameName } from '../workspaces/sub-workspaces.ts';
import { applyRest, creditsChange, type Run } from './apply-workspace.ts';
import { auditProvision } from './provision-entry.ts';
import type { ChildEntry } from '../../wire/provision/schema.ts';

/** The children of a workspace with their terms as they are, by id. */
export async function printChildren(tx: Tx, parentId: string): Promise<Map<string, WorkspacePrint>> {
  const prints = new Map<string, WorkspacePrint>();
  for (const { id } of await listChildren(tx, parentId)) prints.set(id, await printWorkspace(tx, id));
  return prints;
}

/**
 * Applies the declared children of a workspace. Each child that changes, also through its parent, gets an audit entry;
 * `before` are the prints from before the change of the parent.
 */
export async function applyChildren(
  run: Run,
  path: string,
  parentId: string,
  before: ReadonlyMap<string, WorkspacePrint>,
  entries: readonly ChildEntry[],
): Promise<void> {
  const { tx, at } = run;
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
  const { delta, provisioned } = creditsChange(entry, child.settings);
  const free = callsFreeFor(child, parent, siblings);
  if (entry.callLimit !== undefined && entry.callLimit > free) {
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
  const { strictVariables } = entry;
  await updateWorkspace(
    tx,
    child.id,
    {
      creditsDelta: parent.unlimited ? moved : 0,
      unlimited: entry.credits === undefined || entry.credits === 'unlimited',
      ...(entry.callLimit === undefined ? {} : { callLimit: entry.callLimit }),
      settings: {
        ...narrowingOf(child.settings, entry),
        ...provisionedSettings.write({
          ...provisioned,
          ...(strictVariables === undefined ? {} : { strictVariables }),
        }),
      },
    },
    at,
  );
  await applyRest(run, path, { id: child.id, parentId }, entry);
}

/** Settings that a child has of its parent, and by which its own entry narrows it. */
const TERMS = ['limits', 'allowPremiumNumbers', 'largeCampaigns', 'circuitBreaker'] as const;

/** The stored settings with the terms that the entry declares, and no others. */
function narrowingOf(stored: JsonObject, entry: ChildEntry): JsonObject {
  const kept = Object.entries(stored).filter(([key]) => !TERMS.some((term) => wireName(term) === key));
  const declared = TERMS.flatMap((key) => (entry[key] === undefined ? [] : [[key, entry[key]] as const]));
  return { ...Object.fromEntries(kept), ...provisionedSettings.write(Object.fromEntries(declared)) };
}

async function create(tx: Tx, parent: FamilyMember, entry: ChildEntry, at: Date): Promise<FamilyMember> {
  const id = newId();
  await insertChild(tx, { id, parentId: parent.id, name: entry.name }, at);
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
