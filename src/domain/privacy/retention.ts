import type { Clock } from '../../shared/clock.ts';
import type { Db, Tx } from '../../store/database.ts';
import { clearTranscripts } from '../../store/erasure.ts';
import { dropRecordings } from '../../store/recordings.ts';
import {
  callsWithOldRecordings,
  callsWithOldTranscripts,
  dropOldAudit,
  listRetentions,
  mergeRetention,
  readRetention,
  type Retention,
} from '../../store/retention.ts';
import { clearOldTalk } from '../../store/talk-journal.ts';

const DAY_MS = 86_400_000;
const BATCH = 200;
const AUDIT_BATCH = 5000;

/** Days to keep; null: for ever. Absent: as it is. */
export interface RetentionChange {
  readonly recording_days?: number | null;
  readonly transcript_days?: number | null;
  readonly audit_days?: number | null;
}

const toWire = (rules: Retention) => ({
  recording_days: rules.recordingDays,
  transcript_days: rules.transcriptDays,
  audit_days: rules.auditDays,
});

/** How long the workspace keeps what. */
export const readRetentionRules = async (deps: { db: Db }, workspaceId: string) =>
  toWire(await readRetention(deps.db, workspaceId));

/** Changes the given rules. What is over by the new ones is deleted by the next sweep. */
export function changeRetention(
  deps: { db: Db; clock: Clock },
  workspaceId: string,
  change: RetentionChange,
) {
  return deps.db.transaction().execute(async (tx) => {
    await mergeRetention(tx, workspaceId, { ...change }, new Date(deps.clock.now()));
    return toWire(await readRetention(tx, workspaceId));
  });
}

export interface Swept {
  readonly recordings: number;
  readonly transcripts: number;
  readonly audit: number;
}

/** Deletes what every workspace keeps no longer, batch by batch, each in a transaction of its own. */
export async function sweepRetention(
  deps: { db: Db; clock: Clock },
  isStopped = () => false,
): Promise<Swept> {
  const swept = { recordings: 0, transcripts: 0, audit: 0 };
  const now = new Date(deps.clock.now());
  const before = (days: number): Date => new Date(now.getTime() - days * DAY_MS);
  const batches = async (one: (tx: Tx) => Promise<number>): Promise<number> => {
    for (let sum = 0; ;) {
      const count = isStopped() ? 0 : await deps.db.transaction().execute(one);
      if (count === 0) return sum;
      sum += count;
    }
  };
  for (const { workspaceId, ...rules } of await listRetentions(deps.db)) {
    const { recordingDays, transcriptDays, auditDays } = rules;
    if (recordingDays !== null) {
      swept.recordings += await batches(async (tx) => {
        const ids = await callsWithOldRecordings(tx, workspaceId, before(recordingDays), BATCH);
        if (ids.length > 0) await dropRecordings(tx, workspaceId, ids, now);
        return ids.length;
      });
    }
    if (transcriptDays !== null) {
      const cutoff = before(transcriptDays);
      await deps.db.transaction().execute((tx) => clearOldTalk(tx, workspaceId, cutoff));
      swept.transcripts += await batches(async (tx) => {
        const ids = await callsWithOldTranscripts(tx, workspaceId, cutoff, BATCH);
        if (ids.length > 0) await clearTranscripts(tx, workspaceId, ids, now);
        return ids.length;
      });
    }
    if (auditDays !== null) {
      swept.audit += await batches((tx) => dropOldAudit(tx, workspaceId, before(auditDays), AUDIT_BATCH));
    }
  }
  return swept;
}
