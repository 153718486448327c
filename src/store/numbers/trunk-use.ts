import { isFailure } from '../attempt-failure.ts';
import { sql } from 'kysely';
import type { CarrierKind } from '../../shared/carrier-kinds.ts';
import type { Db } from '../database.ts';

/** Failures of a trunk that are read at most, and the latest attempts of each number among which they are searched. */
const MAX_FAILURES = 5;
const SEARCHED_ATTEMPTS = 50;

/** An attempt that failed at the carrier or in the service. */
export interface TrunkFailure {
  readonly callId: string;
  readonly attempt: number;
  readonly endedAt: Date;
  readonly subStatus: string | null;
  readonly sipCode: number | null;
  readonly reason: string | null;
}

/** A trunk as one workspace uses it. */
export interface UsedTrunk {
  readonly id: string;
  readonly name: string;
  readonly kind: 'sip' | CarrierKind | 'test';
  readonly registers: boolean;
  readonly transport: 'udp' | 'tcp' | 'tls' | null;
  readonly srtp: 'off' | 'optional' | 'required';
  readonly isEnabled: boolean;
  readonly maxCalls: number | null;
  readonly callsPerSecond: number | null;
  readonly pausedUntil: Date | null;
  /** Numbers of the workspace on it. */
  readonly numbers: number;
  /** Live calls of the workspace on it. */
  readonly live: number;
}

/** The trunks that carry numbers of the workspace. Counts only its own numbers and calls. */
export async function trunksInUse(db: Db, workspaceId: string): Promise<UsedTrunk[]> {
  const { rows } = await sql<UsedTrunk>`
    select t.id, t.name, coalesce(t.settings ->> 'kind', 'sip') as kind,
           coalesce((t.settings ->> 'register')::boolean, false) as registers,
           t.settings ->> 'transport' as transport, coalesce(t.settings ->> 'srtp', 'off') as srtp,
           coalesce((t.settings ->> 'enabled')::boolean, true) as "isEnabled",
           (t.settings ->> 'max_calls')::int as "maxCalls",
           (t.settings ->> 'calls_per_second')::float8 as "callsPerSecond",
           t.paused_until as "pausedUntil", n.numbers, n.live
    from (select n.trunk_id, count(*)::int as numbers, sum(c.live)::int as live
          from numbers n cross join lateral (
            select count(*) as live from calls
            where workspace_id = n.workspace_id and number_id = n.id and status = 'ongoing') c
          where n.workspace_id = ${workspaceId} and n.trunk_id is not null
          group by n.trunk_id) n
    join trunks t on t.id = n.trunk_id
    order by t.name`.execute(db);
  return rows;
}

/** The latest failures of the workspace's attempts since `since`, newest first, by trunk id. */
export async function trunkFailures(
  db: Db,
  workspaceId: string,
  since: Date,
): Promise<Map<string, TrunkFailure[]>> {
  const { rows } = await sql<TrunkFailure & { trunkId: string }>`
    select f."trunkId", f."callId", f.attempt, f."endedAt", f."subStatus", f."sipCode", f.reason
    from (select n.trunk_id as "trunkId", a.*,
                 row_number() over (partition by n.trunk_id order by a."endedAt" desc) as place
          from numbers n cross join lateral (
            select call_id as "callId", attempt, ended_at as "endedAt", sub_status as "subStatus",
                   sip_code as "sipCode", reason
            from (select * from call_attempts
                  where workspace_id = n.workspace_id and number_id = n.id and ended_at >= ${since}
                  order by ended_at desc limit ${sql.lit(SEARCHED_ATTEMPTS)}) latest
            where ${isFailure}) a
          where n.workspace_id = ${workspaceId} and n.trunk_id is not null) f
    where f.place <= ${sql.lit(MAX_FAILURES)}
    order by f."endedAt" desc`.execute(db);
  const failures = new Map<string, TrunkFailure[]>();
  for (const { trunkId, ...failure } of rows) {
    failures.set(trunkId, [...(failures.get(trunkId) ?? []), failure]);
  }
  return failures;
}
