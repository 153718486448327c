import { versionDocument, type VersionConfig } from '../json/agent-version.ts';
import { callLevelDocument, type CallLevelConfig } from '../json/call-config.ts';
import type { Stored } from '../../shared/wire-names.ts';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Db, Tx } from '../database.ts';
import type { CallStatus, CampaignState, SendState } from '../schema.ts';

/** One request for one contact. Outcomes of earlier requests of the contact change nothing. */
export interface MessageRef {
  readonly workspaceId: string;
  readonly id: string;
  readonly attempt: number;
}
export type MessageState = Exclude<SendState, 'queued'>;

/** A contact's message with what decides its next step. */
export interface MessageFacts extends MessageRef {
  readonly campaignId: string;
  readonly numberId: string | null;
  readonly toNumber: string;
  readonly status: CallStatus;
  readonly subStatus: string;
  readonly state: MessageState | null;
  readonly tries: number;
  readonly retriesUsed: number;
  readonly externalId: string | null;
  readonly campaignState: CampaignState;
  readonly campaignEndAt: Date | null;
  readonly callConfig: CallLevelConfig | null;
  readonly agentConfig: VersionConfig;
}
const FACTS = sql`m.workspace_id as "workspaceId", m.id, m.attempt, m.campaign_id as "campaignId",
  m.number_id as "numberId", m.to_number as "toNumber", m.status, m.sub_status as "subStatus", m.state, m.tries, m.retries_used as "retriesUsed",
  m.external_id as "externalId", c.state as "campaignState", c.end_at as "campaignEndAt", c.call_config as "callConfig",
  coalesce((select v.config from agents a join agent_versions v on v.workspace_id = a.workspace_id
    and v.agent_id = a.id and v.id = a.active_version_id
    where a.workspace_id = c.workspace_id and a.id = c.agent_id), '{}') as "agentConfig"
  from campaign_messages m join campaigns c on c.workspace_id = m.workspace_id and c.id = m.campaign_id`;

const locked = async (tx: Tx, where: RawBuilder<SqlBool>): Promise<MessageFacts | null> => {
  const { rows } = await sql<Stored<MessageFacts, 'callConfig' | 'agentConfig'>>`
    select ${FACTS} where ${where} for update of m`.execute(tx);
  const [row] = rows;
  if (row === undefined) return null;
  return {
    ...row,
    callConfig: callLevelDocument.read(row.callConfig),
    agentConfig: versionDocument.read(row.agentConfig),
  };
};

/** Locks the message if `ref` is its last request. */
export const lockMessage = (tx: Tx, { workspaceId, id, attempt }: MessageRef): Promise<MessageFacts | null> =>
  locked(tx, sql`m.workspace_id = ${workspaceId} and m.id = ${id} and m.attempt = ${attempt}`);

/** Locks the message that a status reports, by the vendor's id or by the one that we sent along. */
export const lockReported = (
  tx: Tx,
  workspaceId: string,
  externalId: string,
  own: Pick<MessageRef, 'id' | 'attempt'> | null,
): Promise<MessageFacts | null> =>
  locked(
    tx,
    own === null
      ? sql`m.workspace_id = ${workspaceId} and m.external_id = ${externalId}`
      : sql`m.workspace_id = ${workspaceId} and m.id = ${own.id} and m.attempt = ${own.attempt}
          and (m.external_id is null or m.external_id = ${externalId})`,
  );

export interface MessageMove {
  readonly status: CallStatus;
  readonly subStatus: string;
  readonly state: MessageState | null;
  readonly dueAt?: Date | null;
  readonly nextAttemptAt?: Date;
  readonly externalId?: string;
  readonly errorCode?: number | null;
  readonly tries?: number;
  readonly attempt?: number;
  readonly retriesUsed?: number;
  readonly sentAt?: Date;
  readonly deliveredAt?: Date;
  readonly readAt?: Date;
  readonly endedAt?: Date;
}

/** Changes a locked message. Times that are known stay. */
export async function moveMessage(
  tx: Tx,
  { workspaceId, id }: MessageRef,
  move: MessageMove,
  at: Date,
): Promise<void> {
  const keep = (column: string, value: Date | undefined) =>
    sql`coalesce(${sql.ref(column)}, ${value ?? null}::timestamptz)`;
  await sql`
    update campaign_messages set status = ${move.status}, sub_status = ${move.subStatus}, state = ${move.state},
      due_at = ${move.dueAt ?? null}, next_attempt_at = coalesce(${move.nextAttemptAt ?? null}, next_attempt_at),
      external_id = coalesce(external_id, ${move.externalId ?? null}), error_code = ${move.errorCode ?? null},
      tries = ${move.tries ?? sql`tries`}, attempt = ${move.attempt ?? sql`attempt`},
      retries_used = ${move.retriesUsed ?? sql`retries_used`}, sent_at = ${keep('sent_at', move.sentAt)},
      delivered_at = ${keep('delivered_at', move.deliveredAt)}, read_at = ${keep('read_at', move.readAt)},
      ended_at = ${keep('ended_at', move.endedAt)}, updated_at = ${at}
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

/** The vendor accepted the request. A status may have come first, and then keeps the state. */
export async function markAccepted(
  db: Db,
  { workspaceId, id, attempt }: MessageRef,
  accepted: {
    readonly externalId: string;
    readonly customer: string | null;
    readonly at: Date;
    readonly dueAt: Date;
  },
): Promise<void> {
  const isOpen = sql`state in ('sending', 'unsure') and status = 'ongoing'`;
  await sql`
    update campaign_messages set external_id = coalesce(external_id, ${accepted.externalId}),
      customer = ${accepted.customer}, sent_at = coalesce(sent_at, ${accepted.at}),
      sub_status = case when ${isOpen} then 'SENT' else sub_status end,
      due_at = case when ${isOpen} then ${accepted.dueAt} else due_at end,
      state = case when ${isOpen} then 'sent' else state end, updated_at = ${accepted.at}
    where workspace_id = ${workspaceId} and id = ${id} and attempt = ${attempt} and state is not null`.execute(
    db,
  );
}

/** The answer to the request was lost. */
export async function markUnsure(
  db: Db,
  { workspaceId, id, attempt }: MessageRef,
  dueAt: Date,
): Promise<void> {
  await sql`
    update campaign_messages set state = 'unsure', due_at = ${dueAt}
    where workspace_id = ${workspaceId} and id = ${id} and attempt = ${attempt} and state = 'sending'`.execute(
    db,
  );
}

/**
 * Settles messages whose time is over without a status. One whose answer was lost is never sent again, because the
 * person may have got it; one that WhatsApp accepted counts as completed.
 */
export async function settleSilent(db: Db, now: Date, confirmUntil: Date): Promise<void> {
  const over = sql`due_at is not null and due_at <= ${now}`;
  await sql`
    update campaign_messages set status = 'error', sub_status = 'UNKNOWN_AFTER_CRASH', due_at = null, ended_at = ${now},
      updated_at = ${now} where ${over} and state = 'unsure'`.execute(db);
  await sql`
    update campaign_messages set status = 'completed', due_at = null, ended_at = ${now}, updated_at = ${now}
    where ${over} and state = 'sent'`.execute(db);
  await sql`
    update campaign_messages set state = 'unsure', due_at = ${confirmUntil} where ${over} and state = 'sending'`.execute(
    db,
  );
}

/** Which waiting messages are stopped. */
export type MessageScope =
  | { readonly campaignId: string; readonly numbers?: readonly string[] }
  | { readonly numbers: readonly string[] }
  | { readonly messageIds: readonly string[] };

const inScope = (scope: MessageScope): RawBuilder<SqlBool> => {
  if ('messageIds' in scope) return sql`id = any(${[...scope.messageIds]}::uuid[])`;
  const ofNumbers =
    scope.numbers === undefined
      ? sql<SqlBool>`true`
      : sql<SqlBool>`to_number = any(${[...scope.numbers]}::text[])`;
  return 'campaignId' in scope ? sql`campaign_id = ${scope.campaignId} and ${ofNumbers}` : ofNumbers;
};

/** Cancels waiting messages, at most `limit`; returns how many. */
export async function cancelMessages(
  db: Db,
  workspaceId: string,
  scope: MessageScope,
  subStatus: string,
  at: Date,
  limit: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    update campaign_messages set status = 'cancelled', sub_status = ${subStatus}, ended_at = ${at}, updated_at = ${at}
    where workspace_id = ${workspaceId} and id in (
      select id from campaign_messages
      where workspace_id = ${workspaceId} and ${inScope(scope)} and status in ('registered', 'retry')
      order by id limit ${limit} for update)`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

/** Ids among these of messages of the workspace. */
export async function knownMessages(
  db: Db,
  workspaceId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from campaign_messages where workspace_id = ${workspaceId} and id = any(${[...ids]}::uuid[])`.execute(
    db,
  );
  return new Set(rows.map((row) => row.id));
}
