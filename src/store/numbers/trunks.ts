import { sql } from 'kysely';
import { CARRIER_KINDS, type CarrierKind } from '../../shared/carrier-kinds.ts';
import type { Stored } from '../../shared/wire-names.ts';
import type { Db, Tx } from '../database.ts';
import {
  provisionedOutgoing,
  type ProvisionedOutgoing,
  type ProvisionedSecret,
} from '../json/provisioned-settings.ts';

/** A trunk's limits and the state that its row keeps. The pace's state is null before the first call. */
export interface TrunkLimits {
  readonly id: string;
  readonly maxCalls: number | null;
  readonly callsPerSecond: number | null;
  readonly paceTokens: number | null;
  /** Epoch ms. */
  readonly paceAt: number | null;
  /** Epoch ms: it asked for no new calls before; null: never. */
  readonly pausedUntil: number | null;
  /** Monotonic count of calls that dialers have claimed on it. */
  readonly claims: number;
}

export interface LimitedTrunk extends TrunkLimits {
  /** Live calls of all workspaces on it, including transfer legs; 0 if the trunk has no channel limit. */
  readonly live: number;
}

const LIMITS = sql`t.id, (t.settings ->> 'max_calls')::int as "maxCalls",
  (t.settings ->> 'calls_per_second')::float8 as "callsPerSecond", t.pace_tokens as "paceTokens",
  extract(epoch from t.pace_at)::float8 * 1000 as "paceAt",
  extract(epoch from t.paused_until)::float8 * 1000 as "pausedUntil", t.claims`;

/** Locks trunks in id order, so that transactions cannot deadlock, and reads their rows after the lock. */
export async function holdTrunks(tx: Tx, trunkIds: readonly string[]): Promise<TrunkLimits[]> {
  const { rows } = await sql<TrunkLimits>`/* hot:hold_trunks */
    select ${LIMITS} from trunks t where t.id = any(${trunkIds}::uuid[]) order by t.id
    for no key update`.execute(tx);
  return rows;
}

/** Locks the trunks that no other transaction has locked (SKIP LOCKED); returns their ids. */
export async function holdFreeTrunks(tx: Tx, trunkIds: readonly string[]): Promise<string[]> {
  if (trunkIds.length === 0) return [];
  const { rows } = await sql<{ id: string }>`/* hot:hold_free_trunks */
    select id from trunks where id = any(${trunkIds}::uuid[]) for no key update skip locked`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Reads the rows of trunks without locking them. */
export async function trunkLimits(tx: Tx, trunkIds: readonly string[]): Promise<TrunkLimits[]> {
  if (trunkIds.length === 0) return [];
  const { rows } = await sql<TrunkLimits>`/* hot:trunk_limits */
    select ${LIMITS} from trunks t where t.id = any(${trunkIds}::uuid[])`.execute(tx);
  return rows;
}

/**
 * Counts the live calls of trunks. After locking a trunk this must be a separate statement: its snapshot is then newer
 * than the lock and includes the claims of the lock's previous holder.
 */
export async function limitedTrunks(tx: Tx, trunkIds: readonly string[]): Promise<LimitedTrunk[]> {
  if (trunkIds.length === 0) return [];
  const { rows } = await sql<LimitedTrunk>`/* hot:limited_trunks */
    select ${LIMITS},
           case when t.settings ->> 'max_calls' is null then 0 else (
             select coalesce(sum(c.live), 0)::int from numbers n cross join lateral (
               -- Lateral, so that each number is an index lookup: with few live calls the planner prefers to scan all.
               select count(*) as live from calls
               where workspace_id = n.workspace_id and number_id = n.id and status = 'ongoing') c
             where n.trunk_id = t.id) + (
             select count(*)::int from transfer_legs l
             join calls c on c.workspace_id = l.workspace_id and c.id = l.call_id and c.attempt = l.attempt
             where l.trunk_id = t.id and l.ended_at is null and c.status = 'ongoing') end as live
    -- The subselect hides the array length from the planner, so that the plan prepared once fits any number of trunks.
    from trunks t where t.id = any(array(select unnest(${trunkIds}::uuid[])))`.execute(tx);
  return rows;
}

/** Calls that were claimed on a locked trunk, and its pace afterwards; null: it has none. */
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

/** No process starts calls on the trunk before `until`; a later pause stays. */
export async function pauseTrunk(db: Db, trunkId: string, until: Date): Promise<void> {
  await sql`update trunks set paused_until = greatest(paused_until, ${until}) where id = ${trunkId}`.execute(
    db,
  );
}

/** A trunk as stored. `uri` is empty for the built-in test carrier, which has an address only while it runs. */
export interface StoredTrunk {
  readonly id: string;
  readonly name: string;
  readonly kind: 'sip' | CarrierKind | 'test';
  readonly uri: string;
  readonly gateways: readonly {
    readonly uri: string;
    readonly priority: number;
    readonly weight: number;
    readonly transport?: 'udp' | 'tcp' | 'tls';
  }[];
  readonly username: string | null;
  readonly authUsername: string | null;
  readonly password: string | null;
  /** Sealed; null: none. */
  readonly signingKey: string | null;
  readonly application: string | null;
  readonly register: boolean;
  readonly transport: 'udp' | 'tcp' | 'tls' | null;
  readonly allowedSources: readonly string[];
  readonly mediaRanges: readonly string[];
  readonly srtp: 'off' | 'optional' | 'required';
  /** Null: all that the service has. */
  readonly codecs: readonly ('pcmu' | 'pcma' | 'g722' | 'opus')[] | null;
  readonly outgoing: ProvisionedOutgoing | null;
  /** Headers of inbound calls that become variables. */
  readonly headerVariables: readonly string[];
  readonly acceptRefer: boolean;
  readonly joinByRefer: boolean;
  readonly inboundSecret: ProvisionedSecret | null;
  /** False: out of service. It stays for its numbers and records. */
  readonly isEnabled: boolean;
}

/** A trunk whose calls come over WebSockets. */
export interface StreamTrunk {
  readonly kind: CarrierKind;
  readonly accountId: string | null;
  /** Sealed. */
  readonly password: string | null;
  /** Sealed. */
  readonly signingKey: string | null;
}

/** The trunk, if its calls come over WebSockets and it is in service; null: there is none. */
export async function findStreamTrunk(db: Db, id: string): Promise<StreamTrunk | null> {
  const { rows } = await sql<StreamTrunk>`
    select settings ->> 'kind' as kind, settings ->> 'username' as "accountId", settings ->> 'password' as password,
           settings ->> 'signing_key' as "signingKey"
    from trunks where id = ${id} and settings ->> 'kind' = any(${[...CARRIER_KINDS]}::text[])
      and coalesce((settings ->> 'enabled')::boolean, true)`.execute(db);
  return rows[0] ?? null;
}

/** Every trunk of the installation. */
export async function listTrunks(db: Db): Promise<StoredTrunk[]> {
  const { rows } = await sql<Stored<StoredTrunk, 'outgoing'>>`
    select id, name, coalesce(settings ->> 'kind', 'sip') as kind, coalesce(settings ->> 'uri', '') as uri,
           coalesce(settings -> 'gateways', '[]') as gateways,
           settings ->> 'username' as username, settings ->> 'auth_username' as "authUsername", settings ->> 'password' as password,
           settings ->> 'signing_key' as "signingKey", settings ->> 'application' as application,
           coalesce((settings ->> 'register')::boolean, false) as register,
           settings ->> 'transport' as transport,
           coalesce(settings -> 'allowed_sources', '[]') as "allowedSources",
           coalesce(settings -> 'media_ranges', '[]') as "mediaRanges",
           coalesce(settings ->> 'srtp', 'off') as srtp,
           settings -> 'codecs' as codecs, settings -> 'outgoing' as outgoing,
           coalesce(settings -> 'header_variables', '[]') as "headerVariables",
           coalesce((settings ->> 'accept_refer')::boolean, false) as "acceptRefer",
           coalesce((settings ->> 'join_by_refer')::boolean, false) as "joinByRefer",
           settings -> 'inbound_secret' as "inboundSecret",
           coalesce((settings ->> 'enabled')::boolean, true) as "isEnabled"
    from trunks order by name`.execute(db);
  return provisionedOutgoing.readIn(rows, 'outgoing');
}
