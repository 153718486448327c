import { sql } from 'kysely';
import { storableJson } from '../../shared/storable.ts';
import type { Db } from '../database.ts';
import type { RehearsedCall } from '../json/rehearsal.ts';
import type { RehearsalRef } from './rehearsals.ts';

/** A call by sound with its verdicts. */
export interface PlayedBySound {
  readonly call: number;
  /** What the result is made of. */
  readonly judged: object;
  readonly conversation: RehearsedCall;
  /** With the version to compare with; null: there is none. */
  readonly conversationBefore: RehearsedCall | null;
}

/** Stores a call by sound, once however often it is stored. False: the rehearsal was cancelled or deleted. */
export async function storeCallBySound(db: Db, ref: RehearsalRef, played: PlayedBySound): Promise<boolean> {
  const { call, judged, conversation, conversationBefore: before } = played;
  const { rows } = await sql<{ id: string }>`
    with open as (
      select workspace_id, id from rehearsals
      where workspace_id = ${ref.workspaceId} and id = ${ref.rehearsalId} and state = 'running' for update),
    kept as (
      insert into rehearsal_calls (workspace_id, rehearsal_id, first_call, judged)
      select workspace_id, id, ${call}::int, ${storableJson([judged])}::jsonb from open
      on conflict do nothing returning first_call),
    told as (
      insert into rehearsed_conversations (workspace_id, rehearsal_id, call, conversation, conversation_before)
      select workspace_id, id, ${call}::int, ${storableJson(conversation)}::jsonb,
        ${before === null ? null : storableJson(before)}::jsonb from open
      on conflict do nothing),
    counted as (
      update rehearsals r set played = r.played + (select count(*)::int from kept) from open o
      where r.workspace_id = o.workspace_id and r.id = o.id)
    select id from open`.execute(db);
  return rows.length > 0;
}

/** Numbers of the calls that earlier tries stored. */
export async function callsBySound(db: Db, ref: RehearsalRef): Promise<number[]> {
  const rows = await db
    .selectFrom('rehearsal_calls')
    .select('first_call')
    .where('workspace_id', '=', ref.workspaceId)
    .where('rehearsal_id', '=', ref.rehearsalId)
    .execute();
  return rows.map(({ first_call: call }) => call);
}

/** A stored conversation; null: the call was not played, or not with this version. */
export async function findConversation(
  db: Db,
  { workspaceId, rehearsalId }: RehearsalRef,
  call: number,
  isBefore: boolean,
): Promise<RehearsedCall | null> {
  const row = await db
    .selectFrom('rehearsed_conversations')
    .select(['conversation', 'conversation_before'])
    .where('workspace_id', '=', workspaceId)
    .where('rehearsal_id', '=', rehearsalId)
    .where('call', '=', call)
    .executeTakeFirst();
  return (isBefore ? row?.conversation_before : row?.conversation) ?? null;
}

/** Whether the rehearsal goes on: it was neither cancelled nor deleted. */
export async function isRehearsalOpen(db: Db, { workspaceId, rehearsalId }: RehearsalRef): Promise<boolean> {
  const row = await db
    .selectFrom('rehearsals')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', rehearsalId)
    .where('state', 'in', ['queued', 'running'])
    .executeTakeFirst();
  return row !== undefined;
}
