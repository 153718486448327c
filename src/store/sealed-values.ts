import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

/** Every column that can hold sealed secrets, in text or inside a document. */
const SEALED_COLUMNS = [
  { table: 'agent_versions', column: 'config', type: 'jsonb' },
  { table: 'agent_versions', column: 'base_config', type: 'jsonb' },
  { table: 'calls', column: 'callback', type: 'jsonb' },
  { table: 'campaigns', column: 'callback', type: 'jsonb' },
  { table: 'deliveries', column: 'headers', type: 'jsonb' },
  { table: 'installation', column: 'value', type: 'text' },
  { table: 'jobs', column: 'payload', type: 'jsonb' },
  { table: 'link_keys', column: 'secret', type: 'text' },
  { table: 'trunks', column: 'settings', type: 'jsonb' },
  { table: 'users', column: 'totp_secret', type: 'text' },
  { table: 'webhook_secrets', column: 'secret', type: 'text' },
  { table: 'whatsapp_numbers', column: 'access_token', type: 'text' },
  { table: 'whatsapp_numbers', column: 'app_secret', type: 'text' },
  { table: 'workspace_providers', column: 'settings', type: 'jsonb' },
] as const;

/** Secrets that the service made itself, and makes again when they are missing. */
const GENERATED = [
  { table: 'installation', column: 'value' },
  { table: 'link_keys', column: 'secret' },
  { table: 'webhook_secrets', column: 'secret' },
] as const;

/** A stored value that holds secrets, and whose it is, for people. */
export interface OwnedValue {
  /** Null: of the installation. */
  readonly workspace: string | null;
  readonly owner: string;
  readonly value: string;
}

/** What people entered, by owner. Calls, deliveries and jobs hold copies of it, which their end removes. */
const OWNED = `
  select w.name as workspace, 'agent ' || a.display_name as owner, v.config::text as value
  from agent_versions v join agents a on a.workspace_id = v.workspace_id and a.id = v.agent_id
  join workspaces w on w.id = v.workspace_id where v.config::text like $1
  union all select w.name, 'campaign ' || c.name, c.callback::text
  from campaigns c join workspaces w on w.id = c.workspace_id where c.callback::text like $1
  union all select null, 'trunk ' || name, settings::text from trunks where settings::text like $1
  union all select null, 'user ' || email, json_build_object('two-step sign-in', totp_secret)::text
  from users where totp_secret like $1
  union all select w.name, 'webhooks', json_build_object('signing secret', s.secret)::text
  from webhook_secrets s join workspaces w on w.id = s.workspace_id where s.secret like $1 and s.retires_at is null
  union all select w.name, 'WhatsApp number ' || n.number,
    json_build_object('access_token', n.access_token, 'app_secret', n.app_secret)::text
  from whatsapp_numbers n join workspaces w on w.id = n.workspace_id
  where n.access_token like $1 or n.app_secret like $1
  union all select w.name, 'providers', p.settings::text
  from workspace_providers p join workspaces w on w.id = p.workspace_id where p.settings::text like $1
  order by 1 nulls first, 2`;

const BATCH = 200;

/** The database of an installation that does not run, while its secrets are sealed with another key. */
export class SealedValues {
  readonly #client: Client;

  private constructor(client: Client) {
    this.#client = client;
  }

  static async open(url: string): Promise<SealedValues> {
    const client = new Client({
      connectionString: url,
      connectionTimeoutMillis: 10_000,
      application_name: 'callwright rotate-key',
    });
    client.on('error', () => undefined);
    await client.connect();
    return new SealedValues(client);
  }

  async close(): Promise<void> {
    await this.#client.end().catch(() => undefined);
  }

  /** Whether another process of the service is connected. */
  isInUse(): Promise<boolean> {
    return hasOtherProcesses(this.#client);
  }

  /**
   * Deletes the secrets that the service made and for which `isLost` holds, rewrites every other value that contains `marker`, and replaces the installation's value of `checkKey`, all in one
   * transaction: after a crash either all secrets are sealed with the new key or none. `checked` gets the stored value
   * before; it throws to stop, or returns false when nothing is to be done. Returns the number of changed rows.
   */
  async rewrite(
    marker: string,
    check: { readonly key: string; readonly value: string },
    checked: (stored: string | null) => boolean,
    change: (text: string) => string,
    progress: (table: string, rows: number) => void | Promise<void>,
    isLost?: (sealed: string) => boolean,
  ): Promise<number> {
    const client = this.#client;
    await client.query('begin');
    try {
      await client.query('set local statement_timeout = 0');
      await client.query('lock table installation in exclusive mode');
      const { rows } = await client.query<{ value: string }>(
        'select value from installation where key = $1',
        [check.key],
      );
      let changed = 0;
      if (checked(rows[0]?.value ?? null)) {
        if (isLost !== undefined) changed += await this.#deleteGenerated(marker, isLost);
        for (const column of SEALED_COLUMNS) {
          const count = await this.#rewriteColumn(column, marker, change);
          changed += count;
          if (count > 0) await progress(column.table, count);
        }
        await client.query(
          `insert into installation (key, value, created_at) values ($1, $2, now())
           on conflict (key) do update set value = excluded.value`,
          [check.key, check.value],
        );
      }
      await client.query('commit');
      return changed;
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      throw error;
    }
  }

  /** Every value that people entered and that contains `marker`, by owner. */
  async owned(marker: string): Promise<readonly OwnedValue[]> {
    const { rows } = await this.#client.query<OwnedValue>(OWNED, [`%${marker}%`]);
    return rows;
  }

  async #deleteGenerated(marker: string, isLost: (sealed: string) => boolean): Promise<number> {
    const client = this.#client;
    let deleted = 0;
    for (const { table, column } of GENERATED) {
      const { rows } = await client.query<{ at: string; value: string }>(
        `select ctid::text as at, ${column} as value from ${table} where ${column} like $1`,
        [`${marker}%`],
      );
      const lost = rows.filter(({ value }) => isLost(value)).map(({ at }) => at);
      await client.query(`delete from ${table} where ctid = any($1::tid[])`, [lost]);
      deleted += lost.length;
    }
    return deleted;
  }

  /** Memory does not grow with the table: the cursor sees the rows as they were before their updates. */
  async #rewriteColumn(
    { table, column, type }: (typeof SEALED_COLUMNS)[number],
    marker: string,
    change: (text: string) => string,
  ): Promise<number> {
    const client = this.#client;
    await client.query(
      `declare sealed no scroll cursor for
       select tableoid::text as part, ctid::text as at, ${column}::text as value from ${table}
       where ${column}::text like $1`,
      [`%${marker}%`],
    );
    let changed = 0;
    for (;;) {
      const { rows } = await client.query<{ part: string; at: string; value: string }>(
        `fetch ${BATCH} from sealed`,
      );
      if (rows.length === 0) break;
      await client.query(
        `update ${table} t set ${column} = n.value::${type}
         from unnest($1::text[], $2::text[], $3::text[]) as n (part, at, value)
         where t.ctid = n.at::tid and t.tableoid = n.part::oid`,
        [rows.map(({ part }) => part), rows.map(({ at }) => at), rows.map(({ value }) => change(value))],
      );
      changed += rows.length;
    }
    await client.query('close sealed');
    return changed;
  }
}

/** How often and how long apart `hasOtherProcesses` looks: PostgreSQL shows a connection for a moment after its end. */
const [LOOKS, LOOK_AGAIN_MS] = [10, 200];

/** Whether a process of the service, other than this one, stays connected to the database. */
export async function hasOtherProcesses(client: Client): Promise<boolean> {
  for (let look = 1; ; look += 1) {
    const { rowCount } = await client.query(
      `select from pg_stat_activity where datname = current_database() and application_name like 'callwright%'
         and pid <> pg_backend_pid()`,
    );
    if ((rowCount ?? 0) === 0) return false;
    if (look === LOOKS) return true;
    await sleep(LOOK_AGAIN_MS);
  }
}
