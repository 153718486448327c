import { sql, type RawBuilder } from 'kysely';
import type { Tx } from '../database.ts';
import { dropRecordings } from '../recordings/files.ts';
import { redact } from './redact.ts';
import { PERSON_OF_CALL } from './register/calls.ts';
import { masked } from './register/columns.ts';

/** The event fields with the conversation, with their values after redaction. */
const CONVERSATION = {
  transcript: [],
  tool_call_logs: [],
  platform_analysis: null,
  client_analysis: null,
  analysis_data: null,
  evaluations: [],
};

/** The event fields with name, values and recording of the person. */
const CONTACT = { custom_args_values: {}, recording_url: null, callee_name: '' };

export type EventParts = 'conversation' | 'contact' | 'erased';

const NUMBER = (): RawBuilder<unknown> => sql`|| case when body ->> 'call_type' in ('inbound', 'chat')
    then jsonb_build_object('from_number', ${sql.raw(masked("body ->> 'from_number'"))})
    else jsonb_build_object('to_number', ${sql.raw(masked("body ->> 'to_number'"))}) end`;

/** Redacts the copies in events and in the logs of their deliveries; `erased`: all of them, and the event says so. */
export async function redactEvents(
  tx: Tx,
  workspaceId: string,
  callIds: readonly string[],
  parts: EventParts,
): Promise<void> {
  const fields = {
    ...(parts === 'contact' ? {} : CONVERSATION),
    ...(parts === 'conversation' ? {} : CONTACT),
  };
  const number = parts === 'conversation' ? sql`` : NUMBER();
  const erased = parts === 'erased' ? sql`|| '{"erased": true}'::jsonb` : sql``;
  await sql`
    update events set body = body::jsonb
      || coalesce((select jsonb_object_agg(k.key, k.value) from jsonb_each(${JSON.stringify(fields)}::jsonb) k
                   where body::jsonb ? k.key), '{}')
      ${number} ${erased}
    where workspace_id = ${workspaceId} and call_id = any(${[...callIds]}::uuid[])`.execute(tx);
  await sql`
    update deliveries set without_answers = true, attempts = coalesce((select jsonb_agg(a - 'body' order by n)
      from jsonb_array_elements(attempts) with ordinality as l (a, n)), '[]')
    where workspace_id = ${workspaceId} and call_id = any(${[...callIds]}::uuid[])
      and (attempts <> '[]' or not without_answers)`.execute(tx);
}

/** Deletes the conversations of these calls from their records and from every copy. */
export async function clearTranscripts(
  tx: Tx,
  workspaceId: string,
  callIds: readonly string[],
  at: Date,
): Promise<void> {
  await redact(tx, 'call', workspaceId, callIds, ['transcript_days'], at);
  await redactEvents(tx, workspaceId, callIds, 'conversation');
}

/** Masks numbers and deletes names and values of these ended calls, and their copies. */
export async function clearContacts(
  tx: Tx,
  workspaceId: string,
  callIds: readonly string[],
  at: Date,
): Promise<void> {
  await forgetReceivers(tx, workspaceId, callIds);
  await redact(tx, 'call', workspaceId, callIds, ['contact_days'], at);
  await redactEvents(tx, workspaceId, callIds, 'contact');
}

/** The numbers of the persons of these calls. */
export async function personsOf(tx: Tx, workspaceId: string, callIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ number: string }>`
    select distinct ${sql.raw(PERSON_OF_CALL)} as number from calls
    where workspace_id = ${workspaceId} and id = any(${[...callIds]}::uuid[])`.execute(tx);
  return rows.map((row) => row.number);
}

/**
 * Erases the personal data of ended calls that the caller has locked, as the register says: recordings, conversations, names
 * and variables, and every copy. The rows remain with the person's number masked, because they are counted and billed.
 */
export async function eraseCallData(
  tx: Tx,
  workspaceId: string,
  callIds: readonly string[],
  at: Date,
): Promise<void> {
  const ids = [...callIds];
  await dropRecordings(tx, workspaceId, ids, at);
  await forgetReceivers(tx, workspaceId, ids);
  await redact(tx, 'call', workspaceId, ids, 'everything', at);
  await sql`
    insert into call_records (workspace_id, call_id, erased_at, updated_at)
    select ${workspaceId}, id, ${at}, ${at} from unnest(${ids}::uuid[]) as c (id)
    on conflict (workspace_id, call_id) do update set erased_at = excluded.erased_at`.execute(tx);
  await redactEvents(tx, workspaceId, ids, 'erased');
  // The stored answer of a repeated request contains the call's variables. The key itself remains, so that a repeated
  // request does not place a second call.
  await sql`
    update idempotency_keys set response = jsonb_set(response, '{data,custom_args_values}', '{}')
    where workspace_id = ${workspaceId} and response #>> '{data,call_id}' = any(${ids}::text[])`.execute(tx);
}

/**
 * The address of a call's own receiver may contain personal data: it is deleted after the last delivery to it. Before the
 * call itself is redacted, because that deletes the address.
 */
async function forgetReceivers(tx: Tx, workspaceId: string, callIds: readonly string[]): Promise<void> {
  await sql`
    update deliveries d set forget_address = true
    from calls c
    where c.workspace_id = ${workspaceId} and c.id = any(${[...callIds]}::uuid[])
      and d.workspace_id = c.workspace_id and d.call_id = c.id and d.url = c.callback ->> 'url'`.execute(tx);
  await sql`
    delete from webhook_outages o using calls c
    where c.workspace_id = ${workspaceId} and c.id = any(${[...callIds]}::uuid[])
      and o.workspace_id = c.workspace_id and o.url = c.callback ->> 'url'`.execute(tx);
}
