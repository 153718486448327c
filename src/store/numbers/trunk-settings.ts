import { sql } from 'kysely';
import type { Db } from '../database.ts';
import type { JsonObject } from '../schema.ts';

/** A trunk of a carrier with the settings that its row keeps, under their wire names and without the password. */
export interface TrunkSettingsRow {
  readonly id: string;
  readonly name: string;
  readonly settings: JsonObject;
  readonly hasPassword: boolean;
  readonly updatedAt: Date;
  /** Numbers of all workspaces on it. */
  readonly numbers: number;
}

/** The trunks of carriers by name, or the one of that name. */
export async function listTrunkSettings(db: Db, name: string | null = null): Promise<TrunkSettingsRow[]> {
  const { rows } = await sql<TrunkSettingsRow>`
    select t.id, t.name, t.settings - 'password' - (case t.settings ->> 'kind' when 'sip' then 'kind' else '' end) as settings,
           t.settings ->> 'password' is not null as "hasPassword", t.updated_at as "updatedAt",
           (select count(*)::int from numbers n where n.trunk_id = t.id) as numbers
    from trunks t
    where coalesce(t.settings ->> 'kind', 'sip') <> 'test' and t.settings ->> 'uri' is not null and (${name}::text is null or t.name = ${name})
    order by t.name`.execute(db);
  return rows;
}
