import { sql } from 'kysely';
import type { Db, Tx } from '../database.ts';
import type { JsonObject } from '../schema.ts';

/** A trunk of a carrier with the settings that its row keeps, under their wire names and without its secrets. */
export interface TrunkSettingsRow {
  readonly id: string;
  readonly name: string;
  readonly settings: JsonObject;
  readonly hasPassword: boolean;
  readonly hasSigningKey: boolean;
  /** Header of its inbound secret; null: it has none. */
  readonly secretHeader: string | null;
  readonly updatedAt: Date;
  /** Numbers of all workspaces on it. */
  readonly numbers: number;
  /** Declared by the provision file that was applied last. */
  readonly isFromFile: boolean;
}

/** The trunks of carriers by name, or the one of that name. */
export async function listTrunkSettings(db: Db, name: string | null = null): Promise<TrunkSettingsRow[]> {
  const { rows } = await sql<TrunkSettingsRow>`
    select t.id, t.name, t.settings - 'password' - 'signing_key' - 'inbound_secret' - (case t.settings ->> 'kind' when 'sip' then 'kind' else '' end) as settings,
           t.settings ->> 'password' is not null as "hasPassword",
           t.settings ->> 'signing_key' is not null as "hasSigningKey",
           t.settings #>> '{inbound_secret,header}' as "secretHeader", t.updated_at as "updatedAt",
           t.from_file as "isFromFile",
           (select count(*)::int from numbers n where n.trunk_id = t.id) as numbers
    from trunks t
    where coalesce(t.settings ->> 'kind', 'sip') <> 'test' and t.settings ->> 'uri' is not null and (${name}::text is null or t.name = ${name})
    order by t.name`.execute(db);
  return rows;
}

/** False: a number is on the trunk, so that it stays. A number that is put on it meanwhile waits for this transaction. */
export async function deleteTrunkRow(tx: Tx, id: string): Promise<boolean> {
  const held = await sql`select from trunks where id = ${id} for update`.execute(tx);
  if (held.rows.length === 0) return false;
  const { numAffectedRows } = await sql`
    delete from trunks t where t.id = ${id}
      and not exists (select from numbers n where n.trunk_id = t.id)`.execute(tx);
  return numAffectedRows === 1n;
}
