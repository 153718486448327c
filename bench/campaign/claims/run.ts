import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Pool } from 'pg';
import { claimBatch } from '../../../src/scheduler/claim.ts';
import { TrunkCounts } from '../../../src/scheduler/trunks.ts';
import { systemClock } from '../../../src/shared/clock.ts';
import { newId } from '../../../src/shared/ids.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { registerNode } from '../../../src/store/nodes.ts';

export interface ClaimRun {
  readonly claimers: number;
  readonly seconds: number;
  /** How long a claimed call stays live. */
  readonly holdMs: number;
}
export interface ClaimResult {
  readonly claimed: number;
  readonly seconds: number;
  readonly batches: number;
  readonly p50: number;
  readonly p99: number;
  /** Calls claimed more than once. */
  readonly doubles: number;
  /** Claimed calls per workspace. */
  readonly byWorkspace: ReadonlyMap<string, number>;
}

const SETTLERS = 4;

interface Live {
  readonly workspaceId: string;
  readonly callId: string;
  readonly at: number;
}

const percentile = (values: readonly number[], p: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * p))] ?? Number.NaN;
};

/** Claims for some seconds while other connections settle the claimed calls, workspace by workspace. */
export async function runClaims(url: string, run: ClaimRun): Promise<ClaimResult> {
  const database = openDatabase(url, { maxConnections: run.claimers });
  // Enough settlers to keep up: unsettled calls would fill the limits.
  // Its statement is planned once a connection, so that planning is not measured.
  const settler = new Pool({
    connectionString: url,
    max: SETTLERS,
    options: '-c plan_cache_mode=force_generic_plan',
  });
  const nodeId = newId();
  await registerNode(database.kysely, { id: nodeId, name: `bench ${nodeId}`, roles: 'dialer' }, new Date());
  const deps = {
    db: database.kysely,
    clock: systemClock,
    rate: { creditsPerMinute: 1, pulseSeconds: 60 },
    nodeId,
    trunkCounts: new TrunkCounts(),
  };
  const [times, seen, byWorkspace] = [[] as number[], new Set<string>(), new Map<string, number>()];
  const live: Live[] = [];
  let [claimed, doubles] = [0, 0];
  const begin = performance.now();
  const until = begin + run.seconds * 1000;
  const claimer = async (): Promise<void> => {
    let visited: string[] = [];
    while (performance.now() < until) {
      const from = performance.now();
      const batch = await claimBatch(deps, { visited, capacity: 10_000 });
      if (batch === null) {
        if (visited.length === 0) await sleep(5);
        visited = [];
        continue;
      }
      const now = performance.now();
      times.push(now - from);
      visited.push(batch.workspaceId);
      claimed += batch.claimed.length;
      byWorkspace.set(batch.workspaceId, (byWorkspace.get(batch.workspaceId) ?? 0) + batch.claimed.length);
      for (const { callId, workspaceId, attempt } of batch.claimed) {
        const key = `${callId}:${attempt}`;
        if (seen.has(key)) doubles += 1;
        seen.add(key);
        live.push({ workspaceId, callId, at: now });
      }
    }
  };
  let isOver = false;
  const settling = (async (): Promise<void> => {
    for (;;) {
      const ripe = live.findIndex((call) => performance.now() - call.at < run.holdMs);
      const batch = live.splice(0, isOver ? live.length : ripe === -1 ? live.length : ripe);
      const ended = [...Map.groupBy(batch, (call) => call.workspaceId)].map(([workspaceId, calls]) =>
        settle(
          settler,
          workspaceId,
          calls.map((call) => call.callId),
        ),
      );
      await Promise.all(ended);
      if (isOver && live.length === 0) return;
      if (batch.length === 0) await sleep(10);
    }
  })();
  await Promise.all(Array.from({ length: run.claimers }, claimer));
  const seconds = (performance.now() - begin) / 1000;
  isOver = true;
  await settling;
  await settler.end();
  await database.close();
  return {
    claimed,
    seconds,
    batches: times.length,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    doubles,
    byWorkspace,
  };
}

/** Ends calls of one workspace (journal, status and credits), which frees their capacity. */
async function settle(pool: Pool, workspaceId: string, callIds: readonly string[]): Promise<void> {
  await pool.query({
    name: 'settle',
    text: `with ended as (
        update calls set status = 'completed', sub_status = 'USER_LEFT', ended_at = now(), node_id = null, reserved = 0,
          updated_at = now()
        where workspace_id = $1 and id = any($2::uuid[]) returning id, attempt),
      journal as (
        update call_attempts a set status = 'ended', sub_status = 'USER_LEFT', answered_at = now(), ended_at = now()
        from ended where a.workspace_id = $1 and a.call_id = ended.id and a.attempt = ended.attempt)
      update workspaces set locked_credits = locked_credits - (
        select coalesce(sum(amount), 0) from ledger
        where workspace_id = $1 and call_id = any($2::uuid[]) and kind = 'lock') where id = $1`,
    values: [workspaceId, callIds],
  });
}

export interface Overshoot {
  readonly name: string;
  readonly limit: number;
  highest: number;
}

/** Samples every limit until stopped; returns the peak of live calls per limit. */
export function watchLimits(url: string): {
  stop(): Promise<{ samples: number; kinds: Overshoot[]; over: number }>;
} {
  const client = new Client({ connectionString: url });
  const kinds = new Map<string, Overshoot>();
  const watch = { isOver: false };
  let [samples, over] = [0, 0];
  const watching = (async (): Promise<void> => {
    await client.connect();
    while (!watch.isOver) {
      const { rows } = await client.query<{ kind: string; live: number; cap: number }>(LIVE);
      samples += 1;
      for (const { kind, live, cap } of rows) {
        if (live > cap) over += 1;
        const name = `${kind} (${cap})`;
        const known = kinds.get(name) ?? { name, limit: cap, highest: 0 };
        known.highest = Math.max(known.highest, live);
        kinds.set(name, known);
      }
      await sleep(500);
    }
    await client.end();
  })();
  return {
    stop: async () => {
      watch.isOver = true;
      await watching;
      return { samples, kinds: [...kinds.values()].toSorted((a, b) => a.name.localeCompare(b.name)), over };
    },
  };
}

const LIVE = `
  select * from (with live as materialized (
    select c.workspace_id, c.campaign_id, c.number_id, n.trunk_id from calls c
    join numbers n on n.workspace_id = c.workspace_id and n.id = c.number_id where c.status = 'ongoing')
  select 'workspace' as kind, count(*)::int as live, w.call_limit as cap
    from live join workspaces w on w.id = live.workspace_id group by w.id
  union all select 'campaign', count(*)::int, ceil(w.call_limit * l.concurrency_percentage / 100.0)::int
    from live join campaigns l on l.workspace_id = live.workspace_id and l.id = live.campaign_id
    join workspaces w on w.id = l.workspace_id group by l.workspace_id, l.id, w.call_limit
  union all select 'number', count(*)::int, n.call_limit
    from live join numbers n on n.workspace_id = live.workspace_id and n.id = live.number_id
    group by n.workspace_id, n.id
  union all select 'trunk', count(*)::int, (t.settings ->> 'max_calls')::int
    from live join trunks t on t.id = live.trunk_id group by t.id
  union all select 'destination', count(*)::int,
      (w.settings -> 'limits' -> 'destination_calls' ->> '+1212')::int
    from live join workspaces w on w.id = live.workspace_id group by w.id) l where cap is not null`;

/** From the journal: the most attempts per trunk within one second, and the most calls to one callee. */
export async function paceOf(url: string): Promise<{ name: string; perSecond: number; limit: number }[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ name: string; perSecond: number; limit: number }>(`
    select t.name, (t.settings ->> 'calls_per_second')::int as limit, coalesce(max(w.started), 0)::int as "perSecond"
    from trunks t left join lateral (
      select count(*) over (order by a.claimed_at range between interval '999 milliseconds' preceding and current row)
        as started
      from call_attempts a join numbers n on n.workspace_id = a.workspace_id and n.id = a.number_id
      where n.trunk_id = t.id) w on true
    group by t.id order by t.name`);
  await client.end();
  return rows;
}
