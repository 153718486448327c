import { sql } from 'kysely';
import type { AttemptRef } from './attempts.ts';
import type { Db, Tx } from '../database.ts';

/** A piece of an attempt's conversation as JSON; `seq` starts at 1. */
export interface TalkPiece extends AttemptRef {
  readonly seq: number;
  readonly text: string;
}

/**
 * Adds pieces of many calls; idempotent. Skips attempts that have ended or belong to another node. Locks the attempts'
 * rows FOR SHARE, so that no piece is added after the settlement has taken them.
 */
export async function addTalk(db: Db, pieces: readonly TalkPiece[], at: Date): Promise<void> {
  const column = <T>(of: (piece: TalkPiece) => T): T[] => pieces.map(of);
  await sql`
    insert into talk_journal (workspace_id, call_id, attempt, seq, piece, at)
    select workspace_id, call_id, attempt, seq, piece, ${at} from (
      select p.* from unnest(
        ${column((p) => p.workspaceId)}::uuid[], ${column((p) => p.callId)}::uuid[],
        ${column((p) => p.attempt)}::smallint[], ${column((p) => p.nodeId)}::uuid[],
        ${column((p) => p.seq)}::int[], ${column((p) => p.text)}::text[]
      ) as p (workspace_id, call_id, attempt, node_id, seq, piece)
      join call_attempts t using (workspace_id, call_id, attempt, node_id)
      where t.status <> 'ended'
      order by p.call_id, p.seq for share of t) held
    on conflict do nothing`.execute(db);
}

type Attempt = Pick<AttemptRef, 'workspaceId' | 'callId' | 'attempt'>;

/** Deletes and returns an ended attempt's pieces in order, up to the first gap. */
export async function takeTalk(tx: Tx, { workspaceId, callId, attempt }: Attempt): Promise<string[]> {
  const { rows } = await sql<{ seq: number; piece: string }>`
    delete from talk_journal
    where workspace_id = ${workspaceId} and call_id = ${callId} and attempt = ${attempt}
    returning seq, piece`.execute(tx);
  const pieces = rows.toSorted((a, b) => a.seq - b.seq);
  const end = pieces.findIndex(({ seq }, index) => seq !== index + 1);
  return pieces.slice(0, end === -1 ? undefined : end).map(({ piece }) => piece);
}

/** Deletes an attempt's pieces: its record has the whole conversation. */
export async function dropTalk(tx: Tx, { workspaceId, callId, attempt }: Attempt): Promise<void> {
  await sql`delete from talk_journal
    where workspace_id = ${workspaceId} and call_id = ${callId} and attempt = ${attempt}`.execute(tx);
}

/** Deletes all pieces of these calls, live or ended. */
export async function clearTalk(tx: Tx, workspaceId: string, callIds: readonly string[]): Promise<void> {
  await sql`delete from talk_journal
    where workspace_id = ${workspaceId} and call_id = any(${[...callIds]}::uuid[])`.execute(tx);
}

/** Deletes the pieces written before `cutoff` on calls that are still not settled. */
export async function clearOldTalk(tx: Tx, workspaceId: string, cutoff: Date): Promise<void> {
  await sql`delete from talk_journal where workspace_id = ${workspaceId} and at < ${cutoff}`.execute(tx);
}
