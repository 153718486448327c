import { versionDocument, type VersionConfig } from '../json/agent-version.ts';
import type { Stored } from '../../shared/wire-names.ts';
import { sql } from 'kysely';
import type { Tx } from '../database.ts';
import type { AgentType } from '../schema.ts';

export interface InboundTarget {
  readonly workspaceId: string;
  readonly numberId: string;
  readonly number: string;
  readonly trunkId: string;
  /** Inbound calls that the trunk may carry at once, and begin in a second; null: no limit. */
  readonly maxInboundCalls: number | null;
  readonly inboundCallsPerSecond: number | null;
  readonly agentId: string | null;
  readonly agentName: string | null;
  readonly agentType: AgentType | null;
  readonly isAbLive: boolean;
  readonly versionId: string | null;
  readonly versionConfig: VersionConfig | null;
}

/**
 * The workspace and agent of the dialled number on one of the trunks, the first one preferred. Carriers send the number
 * with or without the plus sign.
 */
export async function findInboundTarget(
  tx: Tx,
  trunkIds: readonly string[],
  dialled: string,
): Promise<InboundTarget | null> {
  const digits = dialled.replace(/^\+/, '');
  const { rows } = await sql<Stored<InboundTarget, 'versionConfig'>>`
    select n.workspace_id as "workspaceId", n.id as "numberId", n.number, n.trunk_id as "trunkId",
           (t.settings ->> 'max_inbound_calls')::int as "maxInboundCalls",
           (t.settings ->> 'inbound_calls_per_second')::float8 as "inboundCallsPerSecond", a.id as "agentId",
           a.display_name as "agentName", a.agent_type as "agentType",
           a.ab_started_at is not null as "isAbLive", v.id as "versionId",
           v.config as "versionConfig"
    from numbers n
    join trunks t on t.id = n.trunk_id
    left join agents a on a.workspace_id = n.workspace_id and a.id = n.inbound_agent_id
      and a.archived_at is null
    left join agent_versions v on v.workspace_id = a.workspace_id and v.id = a.active_version_id
    where n.trunk_id = any(${trunkIds}::uuid[]) and n.number in (${dialled}, ${`+${digits}`}, ${digits})
    order by array_position(${trunkIds}::uuid[], n.trunk_id), n.created_at limit 1`.execute(tx);
  return versionDocument.readIn(rows, 'versionConfig')[0] ?? null;
}

/** Numbers on the trunks that end in `digits`, at most a hundred. */
export async function numbersEndingIn(
  tx: Tx,
  trunkIds: readonly string[],
  digits: string,
): Promise<readonly string[]> {
  const { rows } = await sql<{ number: string }>`
    select distinct number from numbers
    where trunk_id = any(${trunkIds}::uuid[]) and right(number, ${digits.length}::int) = ${digits} limit 100`.execute(
    tx,
  );
  return rows.map(({ number }) => number);
}

/** Locks the trunk until commit and counts its live inbound calls, of every workspace. */
export async function inboundOnTrunk(tx: Tx, trunkId: string): Promise<number> {
  await sql`select from trunks where id = ${trunkId} for no key update`.execute(tx);
  const { rows } = await sql<{ live: number }>`
    select coalesce(sum(c.live), 0)::int as live from numbers n cross join lateral (
      select count(*) as live from calls
      where workspace_id = n.workspace_id and number_id = n.id and status = 'ongoing' and call_type = 'inbound') c
    where n.trunk_id = ${trunkId}`.execute(tx);
  return rows[0]?.live ?? 0;
}

/** Locks the trunk until commit and reads the pace of its inbound calls, with the time in epoch ms; null before the first call. */
export async function lockInboundPace(
  tx: Tx,
  trunkId: string,
): Promise<{ readonly tokens: number; readonly at: number } | null> {
  const { rows } = await sql<{ tokens: number | null; at: number | null }>`
    select inbound_tokens as tokens, extract(epoch from inbound_at)::float8 * 1000 as at from trunks
    where id = ${trunkId} for no key update`.execute(tx);
  const { tokens = null, at = null } = rows[0] ?? {};
  return tokens === null || at === null ? null : { tokens, at };
}

export async function storeInboundPace(
  tx: Tx,
  trunkId: string,
  { tokens, at }: { readonly tokens: number; readonly at: number },
): Promise<void> {
  await sql`update trunks set inbound_tokens = ${tokens}, inbound_at = ${new Date(at)} where id = ${trunkId}`.execute(
    tx,
  );
}

export async function insertInboundCall(
  tx: Tx,
  call: {
    workspaceId: string;
    id: string;
    agentId: string;
    versionId: string;
    numberId: string;
    from: string;
    to: string;
    callerName: string;
    args: Record<string, string>;
    at: Date;
  },
): Promise<void> {
  await sql`
    insert into calls (workspace_id, id, agent_id, version_id, number_id, call_type, by_stranger, from_number, to_number,
                       callee_name, args, status, sub_status, created_at, updated_at)
    values (${call.workspaceId}, ${call.id}, ${call.agentId}, ${call.versionId}, ${call.numberId}, 'inbound',
            true, ${call.from}, ${call.to}, ${call.callerName}, ${JSON.stringify(call.args)}, 'registered', 'QUEUED',
            ${call.at}, ${call.at})`.execute(tx);
}

/** Whether an insert failed because the call exists, in whichever month: an earlier try has committed, and its answer was lost. */
export const isCallStored = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  error.code === '23505' &&
  'constraint' in error &&
  /^calls_(\w+_)?pkey/.test(String(error.constraint));
