import { sql } from 'kysely';
import type { Db, Tx } from '../database.ts';
import { PERSON_OF_CALL } from './register/calls.ts';
import { masked } from './register/columns.ts';

/** A workspace's retention in days since a call ended; null: forever. */
export interface Retention {
  readonly recordingDays: number | null;
  readonly transcriptDays: number | null;
  /** Of numbers, names and values. */
  readonly contactDays: number | null;
  /** Of results of test cases, since their end. */
  readonly testDays: number | null;
  /** Days since the entry. */
  readonly auditDays: number | null;
}

const RETENTION = sql`
  (settings #>> '{retention,recording_days}')::int as "recordingDays",
  (settings #>> '{retention,transcript_days}')::int as "transcriptDays",
  (settings #>> '{retention,contact_days}')::int as "contactDays",
  (settings #>> '{retention,test_days}')::int as "testDays",
  (settings #>> '{retention,audit_days}')::int as "auditDays"`;

const NO_RULES: Retention = {
  recordingDays: null,
  transcriptDays: null,
  contactDays: null,
  testDays: null,
  auditDays: null,
};

export async function readRetention(db: Db, workspaceId: string): Promise<Retention> {
  const { rows } =
    await sql<Retention>`select ${RETENTION} from workspaces where id = ${workspaceId}`.execute(db);
  return rows[0] ?? NO_RULES;
}

/** The rules that a change names; null: forever. */
export type RetentionChange = { readonly [Rule in keyof Retention]?: Retention[Rule] | undefined };

/** Merges the given rules into the stored ones; an absent rule stays. */
export async function mergeRetention(
  tx: Tx,
  workspaceId: string,
  change: RetentionChange,
  at: Date,
): Promise<void> {
  const rules = {
    recording_days: change.recordingDays,
    transcript_days: change.transcriptDays,
    contact_days: change.contactDays,
    test_days: change.testDays,
    audit_days: change.auditDays,
  };
  await sql`
    update workspaces set updated_at = ${at}, settings = settings || jsonb_build_object('retention',
      coalesce(settings -> 'retention', '{}') || ${JSON.stringify(rules)}::jsonb)
    where id = ${workspaceId}`.execute(tx);
}

/** Workspaces with a retention rule. */
export async function listRetentions(db: Db): Promise<(Retention & { workspaceId: string })[]> {
  const { rows } = await sql<Retention & { workspaceId: string }>`
    select id as "workspaceId", ${RETENTION} from workspaces where settings ? 'retention' order by id`.execute(
    db,
  );
  return rows;
}

/** An id greater than every id created before `at`: a UUID v7 begins with its creation time. */
export const idBefore = (at: Date): string =>
  at
    .getTime()
    .toString(16)
    .padStart(12, '0')
    .replace(/^(.{8})(.{4})$/, '$1-$2-0000-0000-000000000000');

const ENDED = sql`c.status in ('completed', 'failed', 'error', 'cancelled')`;

/** Calls that ended before `cutoff` and have a recording; locks the files. */
export async function callsWithOldRecordings(
  tx: Tx,
  workspaceId: string,
  cutoff: Date,
  take: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select f.call_id as id from recording_files f
    join calls c on c.workspace_id = f.workspace_id and c.id = f.call_id
    where f.workspace_id = ${workspaceId} and f.call_id < ${idBefore(cutoff)} and f.state <> 'delete'
      and ${ENDED} and coalesce(c.ended_at, c.updated_at) < ${cutoff}
    order by f.call_id limit ${take} for update of f skip locked`.execute(tx);
  return [...new Set(rows.map((row) => row.id))];
}

/** Calls that ended before `cutoff` and have a transcript, tool log or analysis; locks the records. */
export async function callsWithOldTranscripts(
  tx: Tx,
  workspaceId: string,
  cutoff: Date,
  take: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select r.call_id as id from call_records r
    join calls c on c.workspace_id = r.workspace_id and c.id = r.call_id
    where r.workspace_id = ${workspaceId} and r.call_id < ${idBefore(cutoff)} and (r.transcript is not null or r.tool_log is not null or r.platform_analysis is not null)
      and ${ENDED} and coalesce(c.ended_at, c.updated_at) < ${cutoff}
    order by r.call_id limit ${take} for update of r skip locked`.execute(tx);
  return rows.map((row) => row.id);
}

export interface ContactPage {
  /** Ended before the cutoff, with number, name or values. */
  readonly ids: readonly string[];
  /** The last call of the page; null: there is none. */
  readonly last: string | null;
  /** The first call of the page that has not ended before the cutoff. */
  readonly firstOpen: string | null;
}

/** The next `take` calls after `after` that were created before `cutoff`; locks those that are to be masked. */
export async function contactsPage(
  tx: Tx,
  workspaceId: string,
  after: string,
  cutoff: Date,
  take: number,
): Promise<ContactPage> {
  const person = `(${PERSON_OF_CALL})`;
  const { rows } = await sql<{ id: string; isOver: boolean; isMasked: boolean }>`
    select c.id, ${ENDED} and coalesce(c.ended_at, c.updated_at) < ${cutoff} as "isOver",
      callee_name = '' and args = '{}' and callback is null and ${sql.raw(`${person} = ${masked(person)}`)} as "isMasked"
    from calls c
    where c.workspace_id = ${workspaceId} and c.id > ${after} and c.id < ${idBefore(cutoff)}
    order by c.id limit ${take} for update`.execute(tx);
  return {
    ids: rows.filter(({ isOver, isMasked }) => isOver && !isMasked).map(({ id }) => id),
    last: rows.at(-1)?.id ?? null,
    firstOpen: rows.find(({ isOver }) => !isOver)?.id ?? null,
  };
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** The call up to which every earlier one has ended and is masked. */
export async function contactMark(db: Db, workspaceId: string): Promise<string> {
  const { rows } = await sql<{ mark: string }>`
    select masked_until as mark from contact_marks where workspace_id = ${workspaceId}`.execute(db);
  return rows[0]?.mark ?? FIRST_ID;
}

export async function setContactMark(tx: Tx, workspaceId: string, mark: string): Promise<void> {
  await sql`
    insert into contact_marks (workspace_id, masked_until) values (${workspaceId}, ${mark})
    on conflict (workspace_id) do update set masked_until = excluded.masked_until`.execute(tx);
}

/** Deletes at most `take` audit entries older than `cutoff`; returns how many. */
export async function dropOldAudit(tx: Tx, workspaceId: string, cutoff: Date, take: number): Promise<number> {
  await sql`select set_config('callwright.audit_retention', 'on', true)`.execute(tx);
  const { numAffectedRows } = await sql`
    delete from audit_log where workspace_id = ${workspaceId} and id in (
      select id from audit_log where workspace_id = ${workspaceId} and id < ${idBefore(cutoff)}
      order by id limit ${take} for update skip locked)`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}
