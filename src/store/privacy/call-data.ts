import { sql, type RawBuilder } from 'kysely';
import type { Tx } from '../database.ts';
import { dropRecordings } from '../recordings/files.ts';
import { eraseTestCases } from '../agents/test-cases.ts';
import { clearTalk } from '../calls/talk-journal.ts';

/** The event fields with the conversation, with their values after redaction. */
const CONVERSATION = {
  transcript: [],
  tool_call_logs: [],
  platform_analysis: null,
  client_analysis: null,
  analysis_data: null,
  evaluations: [],
};

/** The other event fields with personal data. */
const PERSONAL = { custom_args_values: {}, recording_url: null, callee_name: '' };

/** `+`, the first digit and stars: the world zone stays, the person cannot be identified. */
const masked = (number: string): RawBuilder<string> =>
  sql`rpad(left(${sql.raw(number)}, 2), length(${sql.raw(number)}), '*')`;

/** A carrier's reason phrase, which may contain the number, without runs of digits. */
const withoutDigits = (text: string): RawBuilder<string> =>
  sql`regexp_replace(${sql.raw(text)}, '\\d{4,}', '****', 'g')`;

/** Redacts the copies in events and in the logs of their deliveries. */
export async function redactEvents(
  tx: Tx,
  workspaceId: string,
  callIds: readonly string[],
  options: { readonly isComplete: boolean },
): Promise<void> {
  const left = JSON.stringify(options.isComplete ? { ...CONVERSATION, ...PERSONAL } : CONVERSATION);
  const numbers = options.isComplete
    ? sql`|| case when body ->> 'call_type' in ('inbound', 'chat')
        then jsonb_build_object('from_number', ${masked("body ->> 'from_number'")})
        else jsonb_build_object('to_number', ${masked("body ->> 'to_number'")}) end
        || '{"erased": true}'::jsonb`
    : sql``;
  await sql`
    update events set body = body::jsonb
      || coalesce((select jsonb_object_agg(k.key, k.value) from jsonb_each(${left}::jsonb) k where body::jsonb ? k.key), '{}')
      ${numbers}
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
  await sql`
    update call_records set transcript = null, tool_log = null, platform_analysis = null, client_analysis = null,
      evaluations = null, feedback = null, event_log = null, updated_at = ${at}
    where workspace_id = ${workspaceId} and call_id = any(${[...callIds]}::uuid[])`.execute(tx);
  // A goal's answer is from the conversation; labels and endings are counted and name no person.
  await sql`update calls set result = 'Erased' where workspace_id = ${workspaceId}
    and id = any(${[...callIds]}::uuid[]) and result_source = 'goal'`.execute(tx);
  await clearTalk(tx, workspaceId, callIds);
  await redactEvents(tx, workspaceId, callIds, { isComplete: false });
}

/** The numbers of the persons of these calls. */
export async function personsOf(tx: Tx, workspaceId: string, callIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ number: string }>`
    select distinct case when call_type = 'inbound' then from_number else to_number end as number from calls
    where workspace_id = ${workspaceId} and id = any(${[...callIds]}::uuid[])`.execute(tx);
  return rows.map((row) => row.number);
}

/**
 * Erases the personal data of ended calls that the caller has locked: recordings, conversations, names and variables,
 * and every copy. The rows remain with the person's number masked, because they are counted and billed.
 */
export async function eraseCallData(
  tx: Tx,
  workspaceId: string,
  callIds: readonly string[],
  at: Date,
): Promise<void> {
  const ids = [...callIds];
  await dropRecordings(tx, workspaceId, ids, at);
  await clearTranscripts(tx, workspaceId, ids, at);
  await eraseTestCases(tx, workspaceId, ids);
  await sql`
    insert into call_records (workspace_id, call_id, erased_at, updated_at)
    select ${workspaceId}, id, ${at}, ${at} from unnest(${ids}::uuid[]) as c (id)
    on conflict (workspace_id, call_id) do update set erased_at = excluded.erased_at`.execute(tx);
  await redactEvents(tx, workspaceId, ids, { isComplete: true });
  // The URL of a call's own receiver may contain personal data; it is deleted after the last delivery to it.
  await sql`
    update deliveries d set forget_address = true
    from calls c
    where c.workspace_id = ${workspaceId} and c.id = any(${ids}::uuid[])
      and d.workspace_id = c.workspace_id and d.call_id = c.id and d.url = c.callback ->> 'url'`.execute(tx);
  await sql`
    delete from webhook_outages o using calls c
    where c.workspace_id = ${workspaceId} and c.id = any(${ids}::uuid[])
      and o.workspace_id = c.workspace_id and o.url = c.callback ->> 'url'`.execute(tx);
  // The stored answer of a repeated request contains the call's variables. The key itself remains, so that a repeated
  // request does not place a second call.
  await sql`
    update idempotency_keys set response = jsonb_set(response, '{data,custom_args_values}', '{}')
    where workspace_id = ${workspaceId} and response #>> '{data,call_id}' = any(${ids}::text[])`.execute(tx);
  await sql`
    update call_attempts set to_number = ${masked('to_number')}, reason = ${withoutDigits('reason')},
      sip_messages = null
    where workspace_id = ${workspaceId} and call_id = any(${ids}::uuid[])`.execute(tx);
  await sql`
    update calls set callee_name = '', args = '{}', callback = null, updated_at = ${at},
      from_number = case when call_type = 'inbound' then ${masked('from_number')} else from_number end,
      to_number = case when call_type = 'inbound' then to_number else ${masked('to_number')} end
    where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])`.execute(tx);
}
