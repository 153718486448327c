import { sql } from 'kysely';
import type { AgentRow } from '../agents/agents.ts';
import { insertRows, type AuditRow } from '../audit.ts';
import type { Db } from '../database.ts';
import { runHot } from '../plans.ts';
import type { Balance, NewCall } from './new-call.ts';
import type { AgentType, JsonObject } from '../schema.ts';

/** What placing a call validates: the workspace's balance, the agent with its active version, the caller number. */
export interface Placing {
  readonly balance: Balance;
  readonly agent: Pick<AgentRow, 'id' | 'agent_type' | 'active_version_id' | 'ab_started_at'> | null;
  /** The config of the active version without its prompt; null: no active version. */
  readonly config: JsonObject | null;
  /** Changes with every edit of the active version. */
  readonly revision: string | null;
  readonly number: PlacingNumber | null;
  /** The callee is on the workspace's do-not-call list. */
  readonly isDoNotCall: boolean;
}
export interface PlacingNumber {
  readonly id: string;
  readonly number: string;
  readonly is_test_number: boolean;
  readonly trunk_id: string | null;
  readonly trunk_settings: JsonObject | null;
}

interface PlacingRow extends Balance {
  agent_id: string | null;
  agent_type: AgentType;
  active_version_id: string;
  ab_started_at: Date | null;
  config: JsonObject | null;
  revision: string | null;
  is_do_not_call: boolean;
  number_id: string | null;
  number: string;
  is_test_number: boolean;
  trunk_id: string | null;
  trunk_settings: JsonObject | null;
}

/**
 * Reads them in one statement; null if the workspace is archived or does not exist. Missing ids and ids of other workspaces give null.
 */
export async function findPlacing(
  db: Db,
  workspaceId: string,
  agentId: string | null,
  callee: string,
  caller: { readonly id: string } | { readonly number: string } | null,
): Promise<Placing | null> {
  const byNumber = caller !== null && 'number' in caller;
  const number = byNumber
    ? sql`number = ${caller.number}`
    : sql`id = ${caller === null ? null : caller.id}::uuid`;
  const query = sql<PlacingRow>`
    select w.credits, w.locked_credits, w.unlimited,
      a.id as agent_id, a.agent_type, a.active_version_id, a.ab_started_at,
      v.config - 'agent_config' as config, v.xmin::text as revision,
      exists (select from do_not_call d where d.workspace_id = w.id and d.number = ${callee}) as is_do_not_call,
      n.id as number_id, n.number, n.is_test_number, n.trunk_id, t.settings as trunk_settings
    from workspaces w
    left join agents a on a.workspace_id = w.id and a.id = ${agentId}::uuid and a.archived_at is null
    left join agent_versions v
      on v.workspace_id = a.workspace_id and v.agent_id = a.id and v.id = a.active_version_id
    left join lateral (
      select id, number, is_test_number, trunk_id from numbers
      where workspace_id = w.id and ${number} order by created_at limit 1) n on true
    left join trunks t on t.id = n.trunk_id
    where w.id = ${workspaceId}::uuid and w.archived_at is null`;
  const name = byNumber ? 'placing_by_number' : 'placing_by_id';
  const [row] = await runHot(db, name, { compile: () => query.compile(db) });
  if (row === undefined) return null;
  const { agent_type, active_version_id, ab_started_at, is_test_number, trunk_id, trunk_settings } = row;
  return {
    balance: row,
    agent: row.agent_id === null ? null : { id: row.agent_id, agent_type, active_version_id, ab_started_at },
    config: row.config,
    revision: row.revision,
    isDoNotCall: row.is_do_not_call,
    number:
      row.number_id === null
        ? null
        : { id: row.number_id, number: row.number, is_test_number, trunk_id, trunk_settings },
  };
}

/**
 * Queues outbound calls of one workspace with their audit entries and lowers its scheduling hint to the earliest due
 * time, in one statement. Locks the workspace's row even if the hint stays, see `hintDue`.
 */
export async function insertPlacedCalls(
  db: Db,
  workspaceId: string,
  calls: readonly (NewCall & { readonly at: Date })[],
  entries: readonly AuditRow[],
): Promise<void> {
  const due = new Date(Math.min(...calls.map(({ nextAttemptAt }) => nextAttemptAt.getTime())));
  const query = sql`
    with placed as (
      insert into calls (workspace_id, id, agent_id, version_id, number_id, call_type, from_number, to_number,
        callee_name, args, call_config, callback, voice_id, category, parent_call_id, status, sub_status,
        next_attempt_at, created_at, updated_at)
      select ${workspaceId}::uuid, id, "agentId", "versionId", "numberId", 'outbound', "fromNumber", "toNumber",
        "calleeName", args, "callConfig", callback, "voiceId", category, "parentCallId", 'registered', "subStatus",
        "nextAttemptAt", at, at
      from jsonb_to_recordset(${JSON.stringify(calls)}::jsonb) as placed (id uuid, "agentId" uuid,
        "versionId" uuid, "numberId" uuid, "fromNumber" text, "toNumber" text, "calleeName" text, args jsonb,
        "callConfig" jsonb, callback jsonb, "voiceId" uuid, category text, "parentCallId" uuid, "subStatus" text,
        "nextAttemptAt" timestamptz, at timestamptz)),
    entered as (${insertRows(entries)})
    update workspaces set next_due_at = least(next_due_at, ${due}::timestamptz)
    where id = ${workspaceId}::uuid`;
  await runHot(db, 'place_calls', { compile: () => query.compile(db) });
}
