import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../database.ts';

/**
 * A caller number of a batch. `usedAt` is in microseconds since the epoch, so that uses within one clock tick differ.
 */
export interface BatchNumber {
  readonly id: string;
  readonly number: string;
  readonly displayName: string;
  readonly callLimit: number | null;
  readonly trunkId: string | null;
  /** `narrow`: its trunk's limit is below `NARROW`, so that it fills soon. Null: its trunk has no limit. */
  readonly trunkWidth: 'narrow' | 'wide' | null;
  /** Its trunk asked for no new calls now (Retry-After). */
  readonly isPaused?: boolean;
  /** The streams of its trunk cannot reach this process: others place its calls. */
  readonly isForOthers?: boolean;
  readonly usedAt: number;
  /** Epoch ms; null: never. */
  readonly ratedAt: number | null;
  readonly restUntil: number | null;
}

/** A trunk with a smaller channel limit or calls per second is narrow. */
const NARROW = 512;
/** A time as epoch ms. */
export const ms = (column: string): RawBuilder<unknown> =>
  sql`extract(epoch from ${sql.ref(column)})::float8 * 1000`;

/** The fields of a `BatchNumber`, of the tables `numbers n` and `trunks t`. `takesStreams`: carriers can reach this process. */
export const numberFields = (now: Date, takesStreams: boolean): RawBuilder<unknown> =>
  sql`n.id, n.number, n.display_name as "displayName", n.call_limit as "callLimit",
    n.trunk_id as "trunkId",
    case when least((t.settings ->> 'max_calls')::float8, (t.settings ->> 'calls_per_second')::float8)
      < ${NARROW} then 'narrow' when coalesce(t.settings ->> 'max_calls', t.settings ->> 'calls_per_second')
      is not null then 'wide' end as "trunkWidth",
    coalesce(t.paused_until > ${now}, false) as "isPaused",
    not ${takesStreams}::boolean and coalesce(t.settings ->> 'kind', 'sip') not in ('sip', 'test') as "isForOthers",
    coalesce(extract(epoch from n.last_used_at) * 1000000, 0)::float8 as "usedAt",
    ${ms('n.rated_at')} as "ratedAt", ${ms('n.rest_until')} as "restUntil"`;

/** Per number, how many of its last `attempts` attempts since its rest ended, and how many were answered. */
export async function numberRates(
  tx: Tx,
  workspaceId: string,
  numbers: readonly { readonly id: string; readonly since: Date }[],
  attempts: number,
): Promise<Map<string, { attempts: number; answered: number }>> {
  const { rows } = await sql<{ id: string; attempts: number; answered: number }>`/* hot:number_rates */
    select q.id, count(*)::int as attempts, count(a.answered_at)::int as answered
    from unnest(${numbers.map((n) => n.id)}::uuid[], ${numbers.map((n) => n.since)}::timestamptz[])
      as q (id, since)
    cross join lateral (
      select answered_at from call_attempts
      where workspace_id = ${workspaceId} and number_id = q.id and ended_at > q.since and ended_at is not null
      order by ended_at desc limit ${attempts}) a
    group by q.id`.execute(tx);
  return new Map(rows.map(({ id, ...rate }) => [id, rate]));
}

/**
 * Stores when the numbers were rated and until when some of them rest. Skips numbers another transaction has locked.
 */
export async function saveRates(
  tx: Tx,
  workspaceId: string,
  numbers: readonly { readonly id: string; readonly restUntil: Date | null }[],
  now: Date,
): Promise<void> {
  await sql`
    update numbers n set rated_at = ${now}, rest_until = coalesce(q.rest_until, n.rest_until)
    from (select id, rest_until from unnest(${numbers.map((n) => n.id)}::uuid[],
            ${numbers.map((n) => n.restUntil)}::timestamptz[]) as u (id, rest_until)) q,
         (select id from numbers
          where workspace_id = ${workspaceId} and id = any(${numbers.map((n) => n.id)}::uuid[])
          for no key update skip locked) free
    where n.workspace_id = ${workspaceId} and n.id = q.id and free.id = n.id`.execute(tx);
}
