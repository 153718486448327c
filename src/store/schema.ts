import type { Selectable } from 'kysely';
import type { DB } from './tables.ts';

export type { AgentType } from './json/agent-version.ts';
export type { JsonObject } from './json/call-record.ts';

/**
 * The tables that `migrations/` define. bigint is a safe integer, timestamptz a Date; a date is read by to_char, because a
 * Date would depend on the time zone of the process.
 */
export type Schema = DB;

type Column<T extends keyof DB, C extends keyof Selectable<DB[T]>> = NonNullable<Selectable<DB[T]>[C]>;

export type CallStatus = Column<'calls', 'status'>;
export type CallType = Column<'calls', 'call_type'>;
export type CampaignState = Column<'campaigns', 'state'>;
export type ChatChannel = Column<'chats', 'channel'>;
export type ChatRole = Column<'chat_messages', 'role'>;
export type ChatState = Column<'chats', 'state'>;
export type SendState = Column<'chat_messages', 'state'>;
export type Role = Column<'memberships', 'role'>;
export type TestState = Column<'agent_test_results', 'state'>;
export type RehearsalState = Column<'rehearsals', 'state'>;
export type RehearsalMode = Column<'rehearsals', 'mode'>;
