import type { Clock } from '../../shared/clock.ts';
import type { Db, Tx } from '../../store/database.ts';
import { clearContacts, clearTranscripts } from '../../store/privacy/call-data.ts';
import { clearMessageContacts } from '../../store/campaigns/message-rows.ts';
import {
  chatsWithContacts,
  chatsWithOldMessages,
  clearChatContacts,
  clearChats,
} from '../../store/privacy/chats.ts';
import { dropOldTestResults } from '../../store/agents/test-runs.ts';
import { dropRehearsalsBefore } from '../../store/rehearsals/rehearsals.ts';
import { dropRecordings } from '../../store/recordings/files.ts';
import {
  callsWithOldRecordings,
  callsWithOldTranscripts,
  contactMark,
  contactsPage,
  dropOldAudit,
  listRetentions,
  mergeRetention,
  readRetention,
  setContactMark,
  type Retention,
  type RetentionChange,
} from '../../store/privacy/retention.ts';
import { pruneRequests } from '../../store/requests/requests.ts';
import { sweepWebCallTokens } from '../../store/calls/web-calls.ts';
import { clearOldTalk } from '../../store/calls/talk-journal.ts';
import { commitChange, type ChangeEntry } from '../audit/change-entry.ts';

const DAY_MS = 86_400_000;
const BATCH = 200;
const AUDIT_BATCH = 5000;
/** A logged API request is kept no longer, also by a workspace that keeps everything else for ever. */
const REQUEST_DAYS = 30;

export type { Retention };

export const readRetentionRules = (deps: { db: Db }, workspaceId: string): Promise<Retention> =>
  readRetention(deps.db, workspaceId);

/** Changes the given rules. The next sweep deletes what the new rules no longer keep. */
export function changeRetention(
  deps: { db: Db; clock: Clock },
  workspaceId: string,
  change: ChangeEntry | null,
  rules: RetentionChange,
): Promise<Retention> {
  return commitChange(deps.db, change, async (tx) => {
    await mergeRetention(tx, workspaceId, rules, new Date(deps.clock.now()));
    return readRetention(tx, workspaceId);
  });
}

export interface Swept {
  readonly recordings: number;
  readonly transcripts: number;
  readonly contacts: number;
  readonly tests: number;
  readonly audit: number;
}

/**
 * Applies the retention rules of every workspace in batches, each in its own transaction. `onFailure`: the rules of a
 * workspace could not be applied; those of the others are.
 */
export async function sweepRetention(
  deps: { db: Db; clock: Clock },
  isStopped = () => false,
  onFailure: (error: unknown, workspaceId: string) => void = (error) => {
    throw error;
  },
): Promise<Swept> {
  const swept = { recordings: 0, transcripts: 0, contacts: 0, tests: 0, audit: 0 };
  const now = new Date(deps.clock.now());
  const inBatches: Batches = async (one) => {
    for (let sum = 0; ;) {
      const count = isStopped() ? 0 : await deps.db.transaction().execute(one);
      if (count === 0) return sum;
      sum += count;
    }
  };
  for (const { workspaceId, ...rules } of await listRetentions(deps.db)) {
    try {
      await sweepWorkspace(deps, workspaceId, rules, swept, inBatches);
    } catch (error) {
      onFailure(error, workspaceId);
    }
  }
  await inBatches((tx) => pruneRequests(tx, null, daysBefore(now, REQUEST_DAYS), AUDIT_BATCH));
  await sweepWebCallTokens(deps.db, daysBefore(now, 1));
  return swept;
}

/** Repeats a transaction until it finds nothing; resolves with the sum. */
type Batches = (one: (tx: Tx) => Promise<number>) => Promise<number>;

const daysBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * DAY_MS);

async function sweepWorkspace(
  deps: { db: Db; clock: Clock },
  workspaceId: string,
  { recordingDays, transcriptDays, contactDays, testDays, auditDays }: Retention,
  swept: { -readonly [Kind in keyof Swept]: Swept[Kind] },
  inBatches: Batches,
): Promise<void> {
  const now = new Date(deps.clock.now());
  if (recordingDays !== null) {
    swept.recordings += await inBatches(async (tx) => {
      const ids = await callsWithOldRecordings(tx, workspaceId, daysBefore(now, recordingDays), BATCH);
      if (ids.length > 0) await dropRecordings(tx, workspaceId, ids, now);
      return ids.length;
    });
  }
  if (transcriptDays !== null) {
    const cutoff = daysBefore(now, transcriptDays);
    await deps.db.transaction().execute((tx) => clearOldTalk(tx, workspaceId, cutoff));
    swept.transcripts += await inBatches(async (tx) => {
      const ids = await callsWithOldTranscripts(tx, workspaceId, cutoff, BATCH);
      if (ids.length > 0) await clearTranscripts(tx, workspaceId, ids, now);
      return ids.length;
    });
    swept.transcripts += await inBatches(async (tx) => {
      const ids = await chatsWithOldMessages(tx, workspaceId, cutoff, BATCH);
      if (ids.length > 0) await clearChats(tx, workspaceId, ids, now);
      return ids.length;
    });
    await inBatches((tx) => pruneRequests(tx, workspaceId, cutoff, AUDIT_BATCH));
  }
  if (contactDays !== null) {
    swept.contacts += await clearOldContacts(deps, workspaceId, daysBefore(now, contactDays), inBatches);
  }
  if (testDays !== null) {
    swept.tests += await inBatches((tx) =>
      dropOldTestResults(tx, workspaceId, daysBefore(now, testDays), BATCH),
    );
    swept.tests += await inBatches((tx) =>
      dropRehearsalsBefore(tx, workspaceId, daysBefore(now, testDays), BATCH),
    );
  }
  if (auditDays !== null) {
    swept.audit += await inBatches((tx) =>
      dropOldAudit(tx, workspaceId, daysBefore(now, auditDays), AUDIT_BATCH),
    );
  }
}

/**
 * Masks numbers, names and values of calls, chats and messages that ended before `cutoff`. Calls are walked in the order of
 * their ids from the mark of the last sweep, which stays before the first call that has not ended.
 */
async function clearOldContacts(
  deps: { db: Db; clock: Clock },
  workspaceId: string,
  cutoff: Date,
  inBatches: Batches,
): Promise<number> {
  const now = new Date(deps.clock.now());
  let masked = 0;
  let isMarked = true;
  let after = await contactMark(deps.db, workspaceId);
  await inBatches(async (tx) => {
    const page = await contactsPage(tx, workspaceId, after, cutoff, BATCH);
    if (page.ids.length > 0) await clearContacts(tx, workspaceId, page.ids, now);
    masked += page.ids.length;
    if (page.last === null) return 0;
    after = page.last;
    isMarked &&= page.firstOpen === null;
    if (isMarked) await setContactMark(tx, workspaceId, after);
    return 1;
  });
  masked += await inBatches(async (tx) => {
    const ids = await chatsWithContacts(tx, workspaceId, cutoff, BATCH);
    if (ids.length > 0) await clearChatContacts(tx, workspaceId, ids, now);
    return ids.length;
  });
  return masked + (await inBatches((tx) => clearMessageContacts(tx, workspaceId, cutoff, BATCH, now)));
}
