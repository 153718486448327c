import { finished } from 'node:stream/promises';
import { Client } from 'pg';
import { to as copyTo, type CopyToStreamQuery } from 'pg-copy-streams';

/** A table with the columns that a backup copies. */
export interface SnapshotTable {
  readonly name: string;
  readonly columns: readonly string[];
}

/** Text forms that every version of PostgreSQL reads back; no timeouts, since a large table takes minutes. */
const SETTINGS = [
  'set statement_timeout = 0',
  'set idle_in_transaction_session_timeout = 0',
  'set datestyle = iso',
  'set extra_float_digits = 1',
  'set bytea_output = hex',
];

/** A consistent view of the database in one transaction. It blocks no writer, only migrations. */
export class Snapshot {
  readonly #client: Client;

  private constructor(client: Client) {
    this.#client = client;
  }

  static async open(url: string): Promise<Snapshot> {
    const client = new Client({
      connectionString: url,
      connectionTimeoutMillis: 10_000,
      application_name: 'callwright backup',
    });
    client.on('error', () => undefined);
    await client.connect();
    for (const setting of SETTINGS) await client.query(setting);
    await client.query('begin isolation level repeatable read read only');
    return new Snapshot(client);
  }

  async close(): Promise<void> {
    await this.#client.end().catch(() => undefined);
  }

  /** The applied migrations; null when the database was never migrated. */
  async migrations(): Promise<{ name: string; checksum: string }[] | null> {
    const found = await this.#client.query<{ at: string | null }>(`select to_regclass('migrations') as at`);
    if (found.rows[0]?.at == null) return null;
    const { rows } = await this.#client.query<{ name: string; checksum: string }>(
      'select name, checksum from migrations order by name',
    );
    return rows;
  }

  /**
   * Every table but `migrations`, a table of months as one. Generated columns are omitted, and so are columns whose type comes from an extension:
   * they are indexes of other columns, and the target may lack the extension.
   */
  async tables(): Promise<SnapshotTable[]> {
    const { rows } = await this.#client.query<SnapshotTable>(
      `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
       from pg_class c join pg_attribute a on a.attrelid = c.oid
       where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
         and c.relname <> 'migrations'
         and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
         and not exists (select from pg_depend d where d.classid = 'pg_type'::regclass
                           and d.objid = a.atttypid and d.deptype = 'e')
       group by 1 order by 1`,
    );
    return rows;
  }

  /** The rows of a table in PostgreSQL's text format. */
  rows(table: SnapshotTable): CopyToStreamQuery {
    const [name, ...columns] = [table.name, ...table.columns].map((id) => this.#client.escapeIdentifier(id));
    return this.#client.query(copyTo(`copy (select ${columns.join(', ')} from ${name}) to stdout`));
  }

  /**
   * How many rows a copy had, once all of it was read. The stream of a copy ends before PostgreSQL has said so, hence the
   * query, which waits for that.
   */
  async countOf(copied: CopyToStreamQuery): Promise<number> {
    await this.#client.query('select');
    return copied.rowCount;
  }

  async sequences(): Promise<{ name: string; value: string }[]> {
    const { rows } = await this.#client.query<{ name: string; value: string }>(
      `select sequencename as name, last_value::text as value from pg_sequences
       where schemaname = current_schema() and last_value is not null order by 1`,
    );
    return rows;
  }

  /** How many recordings are on the disk of this name (or of an unknown one), in the object store and elsewhere. */
  async countRecordings(disk: string | null): Promise<{ here: number; inStore: number; elsewhere: number }> {
    const { rows } = await this.#client.query<{ here: number; inStore: number; elsewhere: number }>(
      `select count(*) filter (where place = 'disk' and coalesce(disk = $1, true))::int as here,
              count(*) filter (where place = 'store')::int as "inStore",
              count(*) filter (where place = 'disk' and disk <> coalesce($1, ''))::int as elsewhere
       from recording_files where state <> 'delete'`,
      [disk ?? ''],
    );
    return rows[0] ?? { here: 0, inStore: 0, elsewhere: 0 };
  }

  /** Writes the paths of the recordings on the disk, one per line, into `target`. */
  async recordingPaths(disk: string | null, target: NodeJS.WritableStream): Promise<void> {
    const named = this.#client.escapeLiteral(disk ?? '');
    const paths = this.#client.query(
      copyTo(`copy (select path from recording_files
                    where state <> 'delete' and place = 'disk' and coalesce(disk = ${named}, true)) to stdout`),
    );
    await finished(paths.pipe(target));
  }
}

/** Those of the recordings that are in the object store now. */
export const movedToStore = (url: string, paths: readonly string[]): Promise<string[]> =>
  pathsOf(url, `select path from recording_files where place = 'store' and path = any($1::text[])`, [paths]);

/** The recordings on the disk of this name, or of an unknown one. */
export const listedRecordings = (url: string, disk: string | null): Promise<string[]> =>
  pathsOf(
    url,
    `select path from recording_files
     where state <> 'delete' and place = 'disk' and coalesce(disk = $1, true)`,
    [disk ?? ''],
  );

async function pathsOf(url: string, text: string, values: readonly unknown[]): Promise<string[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ path: string }>(text, [...values]);
    return rows.map(({ path }) => path);
  } finally {
    await client.end().catch(() => undefined);
  }
}
