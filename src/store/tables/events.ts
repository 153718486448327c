import type { Generated } from 'kysely';
import type { HintTime, Json, JsonObject, JsonWithDefault, Nullable, WithDefault } from './types.ts';

export interface EventTable {
  workspace_id: string;
  id: string;
  call_id: string;
  seq: Generated<number>;
  dedup: string;
  event_type: string;
  body: Json<JsonObject>;
  occurred_at: Date;
}

export interface DeliveryTable {
  workspace_id: string;
  id: string;
  event_id: string;
  call_id: string;
  campaign_id: Nullable<string>;
  event_seq: number;
  event_type: string;
  is_test: WithDefault<boolean>;
  resends: WithDefault<number>;
  target: string;
  host: string;
  url: string;
  method: string;
  headers: Json<Record<string, string>>;
  state: 'due' | 'delivered' | 'dead';
  attempt: WithDefault<number>;
  due_at: Date;
  attempts: JsonWithDefault<readonly JsonObject[]>;
  created_at: Date;
  finished_at: Nullable<Date>;
  forget_address: WithDefault<boolean>;
  /** The call's conversation was erased: the receiver's answers are not stored. */
  without_answers: WithDefault<boolean>;
  any_2xx: WithDefault<boolean>;
  /** What is given up is kept until the receiver is back. */
  recovers: WithDefault<boolean>;
}

export interface DeliveryQueueTable {
  workspace_id: string;
  id: string;
  call_id: string;
  campaign_id: Nullable<string>;
  event_seq: number;
  target: string;
  host: string;
  is_resend: WithDefault<boolean>;
  attempt: WithDefault<number>;
  /** Repeated attempts after a lease expired without an outcome. */
  interruptions: WithDefault<number>;
  due_at: Date;
  leased_until: HintTime;
}

export interface WebhookSecretTable {
  workspace_id: string;
  id: string;
  /** Sealed; in plain text if it came from the installation's settings and was never used. */
  secret: string;
  created_at: Date;
  retires_at: Nullable<Date>;
}
