import { sql } from 'kysely';
import type { Db } from './database.ts';

/** Calls per second of each trunk that has a pace. */
export async function trunkPaces(db: Db): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; perSecond: number }>`
    select id, (settings ->> 'calls_per_second')::float8 as "perSecond" from trunks
    where (settings ->> 'calls_per_second')::float8 > 0`.execute(db);
  return new Map(rows.map((row) => [row.id, row.perSecond]));
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
