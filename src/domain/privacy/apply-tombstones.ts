import type { Clock } from '../../shared/clock.ts';
import { newId } from '../../shared/ids.ts';
import type { Db } from '../../store/database.ts';
import { listNumbersAsDoNotCall } from '../../store/numbers/do-not-call.ts';
import {
  callsNotErased,
  campaignsAmong,
  chatsNotErased,
  correctMember,
  dropKeys,
  dropUnsearchable,
  endEverySession,
  keepOptOutKey,
  keepOptOuts,
  personNumbers,
  workspacesAmong,
} from '../../store/privacy/after-restore.ts';
import { insertErasure } from '../../store/privacy/erasure.ts';
import { stopQueued } from '../calls/stop-queued.ts';
import { stopMessages } from '../campaigns/messages/stop-messages.ts';
import { callerForms } from '../numbers/caller-number.ts';
import { eraseChatsById } from './erase-chats.ts';
import { stepErasure } from './erase-numbers.ts';
import { gather, type Gathered } from './gathered-tombstones.ts';
import { keepTombstones, type Tombstone, type TombstoneKey, type TombstoneList } from './tombstones.ts';

interface Deps {
  readonly db: Db;
  readonly clock: Clock;
}

/** What a restore did with the list. */
export interface Applied {
  readonly sessions: number;
  readonly keys: number;
  readonly members: number;
  readonly optedOut: number;
  readonly erased: number;
}

const PAGE = 10_000;
const REASON = 'opted out after the backup that was restored';
const CANCELLED = { subStatus: 'USER_TERMINATED', withdraw: true };

/**
 * Applies what was erased, opted out and revoked since a backup to the database that it was loaded into, while the service
 * does not run: nobody erased is left when it starts, and no queued call goes to a number that opted out. Ends every
 * session. `list` gets what this erases again. `tombstones` null: there is no list, so every key is revoked. Idempotent.
 */
export async function applyTombstones(
  deps: Deps,
  key: TombstoneKey | null,
  tombstones: readonly Tombstone[] | null,
  list: TombstoneList,
): Promise<Applied> {
  const sum = { sessions: 0, keys: 0, members: 0, optedOut: 0, erased: 0 };
  const gathered = gather(tombstones ?? []);
  await deps.db.transaction().execute(async (tx) => {
    sum.sessions = await endEverySession(tx);
    const revoked = [...gathered.values()].flatMap(({ revokedKeys }) => revokedKeys);
    sum.keys = await dropKeys(tx, tombstones === null ? null : revoked);
    if (key !== null) await keepOptOutKey(tx, key.pads);
    for (const [workspaceId, { members }] of gathered) {
      for (const [userId, role] of members) {
        if (await correctMember(tx, workspaceId, userId, role)) sum.members += 1;
      }
    }
  });
  for (const workspaceId of await workspacesAmong(deps.db, [...gathered.keys()])) {
    const theirs = gathered.get(workspaceId);
    if (theirs === undefined) continue;
    const found = key === null ? null : await find(deps.db, key, workspaceId, theirs);
    if (found !== null) {
      sum.optedOut += await listOptOuts(deps, workspaceId, theirs, found);
      sum.erased += await eraseNumbers(deps, workspaceId, theirs, found);
    }
    sum.erased += await eraseById(deps, workspaceId, theirs);
  }
  if (key !== null) await keepTombstones({ ...deps, key, list });
  while (await stepErasure(deps)) {
    // Until only calls that must be settled first, or files, are left: the service goes on with them.
  }
  return sum;
}

/** The numbers of the database by the digest under which the list has them. */
type Found = ReadonlyMap<string, readonly string[]>;

async function find(db: Db, key: TombstoneKey, workspaceId: string, theirs: Gathered): Promise<Found> {
  const wanted = new Set([...theirs.erasedNumbers.keys(), ...theirs.optedOut]);
  for (const digests of theirs.campaignOptOuts.values()) for (const digest of digests) wanted.add(digest);
  const found = new Map<string, Set<string>>();
  let after = '';
  while (wanted.size > 0) {
    const page = await personNumbers(db, workspaceId, after, PAGE);
    for (const { number, called } of page) {
      for (const form of new Set([number, ...called.flatMap((each) => callerForms(number, each))])) {
        const digest = key.digest(workspaceId, form);
        if (wanted.has(digest)) found.set(digest, (found.get(digest) ?? new Set()).add(form));
      }
    }
    const last = page.at(-1);
    if (last === undefined) break;
    after = last.number;
  }
  return new Map([...found].map(([digest, numbers]) => [digest, [...numbers]]));
}

const numbersOf = (found: Found, digests: Iterable<string>): string[] =>
  [...digests].flatMap((digest) => found.get(digest) ?? []);

async function listOptOuts(deps: Deps, workspaceId: string, theirs: Gathered, found: Found): Promise<number> {
  const numbers = numbersOf(found, theirs.optedOut);
  const at = new Date(deps.clock.now());
  const campaigns = await campaignsAmong(deps.db, workspaceId, [...theirs.campaignOptOuts.keys()]);
  await deps.db.transaction().execute(async (tx) => {
    await listNumbersAsDoNotCall(tx, { workspaceId, campaignId: null }, numbers, REASON, at);
    for (const campaignId of campaigns) {
      const listed = numbersOf(found, theirs.campaignOptOuts.get(campaignId) ?? []);
      await listNumbersAsDoNotCall(tx, { workspaceId, campaignId }, listed, REASON, at);
    }
    const absent = [...theirs.optedOut].filter((digest) => !found.has(digest));
    await keepOptOuts(tx, workspaceId, absent, at);
  });
  await stop(deps, workspaceId, numbers);
  return theirs.optedOut.size;
}

async function eraseNumbers(
  deps: Deps,
  workspaceId: string,
  { erasedNumbers }: Gathered,
  found: Found,
): Promise<number> {
  if (erasedNumbers.size === 0) return 0;
  const byTime = new Map<number, string[]>();
  for (const [digest, at] of erasedNumbers) {
    const numbers = found.get(digest) ?? [];
    if (numbers.length > 0) byTime.set(at.getTime(), [...(byTime.get(at.getTime()) ?? []), ...numbers]);
  }
  await stop(deps, workspaceId, [...byTime.values()].flat());
  await deps.db.transaction().execute(async (tx) => {
    await dropUnsearchable(tx, workspaceId);
    for (const [at, mobileNumbers] of byTime) {
      await insertErasure(tx, { workspaceId, id: newId(), mobileNumbers }, new Date(at));
    }
  });
  return erasedNumbers.size;
}

async function eraseById(deps: Deps, workspaceId: string, theirs: Gathered): Promise<number> {
  const calls = await callsNotErased(deps.db, workspaceId, theirs.erasedCalls);
  await deps.db.transaction().execute(async (tx) => {
    const at = new Date(deps.clock.now());
    if (calls.length > 0) {
      await insertErasure(tx, { workspaceId, id: newId(), mobileNumbers: [], calls }, at);
    }
    const chats = await chatsNotErased(tx, workspaceId, theirs.erasedChats);
    if (chats.length > 0) await eraseChatsById(tx, workspaceId, chats, at);
  });
  return calls.length;
}

async function stop(deps: Deps, workspaceId: string, numbers: readonly string[]): Promise<void> {
  if (numbers.length === 0) return;
  await stopQueued(deps, workspaceId, null, { numbers }, CANCELLED);
  await stopMessages(deps, workspaceId, { numbers }, CANCELLED.subStatus);
}
