import type { ColumnType } from 'kysely';

export type CallStatus = 'registered' | 'ongoing' | 'retry' | 'completed' | 'failed' | 'error' | 'cancelled';

export type CallType = 'outbound' | 'inbound' | 'webcall';

export type AttemptStatus = 'claimed' | 'dialing' | 'ringing' | 'answered' | 'ended';

export type CampaignState =
  | 'uploaded'
  | 'verifying'
  | 'draft'
  | 'scheduled'
  | 'ongoing'
  | 'paused'
  | 'completed'
  | 'terminated'
  | 'failed'
  | 'insufficient_balance';

export type AgentType = 'inbound' | 'outbound' | 'outbound_inbound' | 'whatsapp';

export type JsonObject = Record<string, unknown>;

/** Read as T, written as JSON text. */
export type Json<T> = ColumnType<T, string, string>;

export type JsonWithDefault<T> = ColumnType<T, string | undefined, string>;

export type WithDefault<T> = ColumnType<T, T | undefined, T>;

export type Nullable<T> = ColumnType<T | null, T | null | undefined, T | null>;

/** A scheduling hint: may be 'infinity' or 'epoch' in SQL; 'infinity' reads as an Invalid Date. */
export type HintTime = ColumnType<Date, Date | string | undefined, Date | string>;

export type NullableJson<T> = ColumnType<T | null, string | null | undefined, string | null>;
