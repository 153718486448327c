import { sql } from 'kysely';
import type { Db, Tx } from './database.ts';

/** A trunk's limits and what its row says of their use. The pace's state is null before its first call. */
export interface TrunkLimits {
  readonly id: string;
  readonly maxCalls: number | null;
  readonly callsPerSecond: number | null;
  readonly paceTokens: number | null;
  /** Epoch ms. */
  readonly paceAt: number | null;
  /** Calls that dialers have ever put on it. */
  readonly claims: number;
}

export interface LimitedTrunk extends TrunkLimits {
  /** Live calls of every workspace on it, second legs of transfers too; counted only where it has a limit for them. */
  readonly live: number;
}

const LIMITS = sql`t.id, (t.settings ->> 'max_calls')::int as "maxCalls",
  (t.settings ->> 'calls_per_second')::float8 as "callsPerSecond", t.pace_tokens as "paceTokens",
  extract(epoch from t.pace_at)::float8 * 1000 as "paceAt", t.claims`;

/** Locks trunks and reads what their rows say by then; in the order of their ids, so that nobody waits in a circle. */
export async function holdTrunks(tx: Tx, trunkIds: readonly string[]): Promise<TrunkLimits[]> {
  const { rows } = await sql<TrunkLimits>`/* hot:hold_trunks */
    select ${LIMITS} from trunks t where t.id = any(${trunkIds}::uuid[]) order by t.id
    for no key update`.execute(tx);
  return rows;
}

/** Locks those of the trunks that nobody else holds; returns their ids. */
export async function holdFreeTrunks(tx: Tx, trunkIds: readonly string[]): Promise<string[]> {
  if (trunkIds.length === 0) return [];
  const { rows } = await sql<{ id: string }>`/* hot:hold_free_trunks */
    select id from trunks where id = any(${trunkIds}::uuid[]) for no key update skip locked`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Reads what the rows of trunks say. */
export async function trunkLimits(tx: Tx, trunkIds: readonly string[]): Promise<TrunkLimits[]> {
  if (trunkIds.length === 0) return [];
  const { rows } = await sql<TrunkLimits>`/* hot:trunk_limits */
    select ${LIMITS} from trunks t where t.id = any(${trunkIds}::uuid[])`.execute(tx);
  return rows;
}

/**
 * What is live on trunks. Where they are locked it is a statement of its own, which sees the claims of whoever held
 * the lock before.
 */
export async function limitedTrunks(tx: Tx, trunkIds: readonly string[]): Promise<LimitedTrunk[]> {
  if (trunkIds.length === 0) return [];
  const { rows } = await sql<LimitedTrunk>`/* hot:limited_trunks */
    select ${LIMITS},
           case when t.settings ->> 'max_calls' is null then 0 else (
             select coalesce(sum(c.live), 0)::int from numbers n cross join lateral (
               -- Number by number: the planner takes a scan of every live call for cheaper while there are few.
               select count(*) as live from calls
               where workspace_id = n.workspace_id and number_id = n.id and status = 'ongoing') c
             where n.trunk_id = t.id) + (
             select count(*)::int from transfer_legs l
             join calls c on c.workspace_id = l.workspace_id and c.id = l.call_id and c.attempt = l.attempt
             where l.trunk_id = t.id and c.status = 'ongoing') end as live
    -- Unfolded, so that the plan does not hang on how many there are: it is made once.
    from trunks t where t.id = any(array(select unnest(${trunkIds}::uuid[])))`.execute(tx);
  return rows;
}

/** Calls that were put on a locked trunk, and what is left of its pace; null: it has none. */
export interface TrunkUse {
  readonly id: string;
  readonly calls: number;
  readonly pace: { readonly tokens: number; readonly at: Date } | null;
}

export async function noteUse(tx: Tx, uses: readonly TrunkUse[]): Promise<void> {
  if (uses.length === 0) return;
  await sql`/* hot:note_use */
    update trunks t set claims = t.claims + u.calls, pace_tokens = coalesce(u.tokens, t.pace_tokens),
      pace_at = coalesce(u.at, t.pace_at)
    from unnest(${uses.map((u) => u.id)}::uuid[], ${uses.map((u) => u.calls)}::int[],
                ${uses.map((u) => u.pace?.tokens ?? null)}::float8[], ${uses.map((u) => u.pace?.at ?? null)}::timestamptz[])
      as u (id, calls, tokens, at)
    where t.id = u.id`.execute(tx);
}

/** A trunk as stored; `uri` is empty for the built-in test carrier, whose address is known only while it runs. */
export interface StoredTrunk {
  readonly id: string;
  readonly name: string;
  readonly kind: 'sip' | 'test';
  readonly uri: string;
  readonly username: string | null;
  readonly password: string | null;
  readonly register: boolean;
  readonly maxCalls: number | null;
  readonly callsPerSecond: number | null;
  readonly transport: 'udp' | 'tcp' | null;
  readonly allowedSources: readonly string[];
}

/** Every trunk of the installation. */
export async function listTrunks(db: Db): Promise<StoredTrunk[]> {
  const { rows } = await sql<StoredTrunk>`
    select id, name, coalesce(settings ->> 'kind', 'sip') as kind, coalesce(settings ->> 'uri', '') as uri,
           settings ->> 'username' as username, settings ->> 'password' as password,
           coalesce((settings ->> 'register')::boolean, false) as register,
           (settings ->> 'max_calls')::int as "maxCalls",
           (settings ->> 'calls_per_second')::float8 as "callsPerSecond",
           settings ->> 'transport' as transport,
           coalesce(settings -> 'allowed_sources', '[]') as "allowedSources"
    from trunks order by name`.execute(db);
  return rows;
}
