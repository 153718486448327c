import type { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import {
  CREATE_MIGRATIONS,
  INSERT_MIGRATION,
  sqlInside,
  takeMigrationLock,
  type Migration,
} from '../migrate.ts';
import { hasOtherProcesses } from '../sealed-values.ts';

export interface LoadPlan {
  /** The migrations of the backup, in order. */
  readonly migrations: readonly Migration[];
  readonly tables: readonly { readonly name: string; readonly columns: readonly string[] }[];
  readonly sequences: readonly { readonly name: string; readonly value: string }[];
  /** Recordings that the object store had when the backup ended, although its rows say disk. */
  readonly movedToStore: readonly string[];
}

/** A value of the installation while what was erased since the backup is not applied: the service must not start. */
export const RESTORE_UNFINISHED = 'restore_unfinished';

/** A table of months counts as one. */
const IS_TABLE = `relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition`;

/** A file of rows and what decompresses it. */
export type Streams = readonly [Readable, ...Transform[]];

/** The database that a backup is loaded into. */
export class Target {
  readonly #client: Client;

  private constructor(client: Client) {
    this.#client = client;
  }

  static async open(url: string): Promise<Target> {
    const client = new Client({
      connectionString: url,
      connectionTimeoutMillis: 10_000,
      application_name: 'callwright restore',
    });
    client.on('error', () => undefined);
    await client.connect();
    await client.query('set statement_timeout = 0');
    await client.query('set idle_in_transaction_session_timeout = 0');
    return new Target(client);
  }

  async close(): Promise<void> {
    await this.#client.end().catch(() => undefined);
  }

  /** Whether a process of the service is connected. */
  isInUse(): Promise<boolean> {
    return hasOtherProcesses(this.#client);
  }

  /** Whether no table has a row. */
  async isEmpty(): Promise<boolean> {
    for (const name of await this.#tables()) {
      if (name === 'migrations') continue;
      const { rowCount } = await this.#client.query(
        `select from ${this.#client.escapeIdentifier(name)} limit 1`,
      );
      if (rowCount !== 0) return false;
    }
    return true;
  }

  /**
   * Drops every table, creates the schema as it was at the backup and loads the rows, all in one transaction: a restore
   * that fails leaves the database as it was. Triggers do not run, because the rows already contain their effects. Resolves with the rows
   * of each table.
   */
  async load(
    plan: LoadPlan,
    rowsOf: (table: string) => Streams,
    onTable: (table: string, rows: number) => void,
  ): Promise<Map<string, number>> {
    const client = this.#client;
    const loaded = new Map<string, number>();
    await takeMigrationLock(client);
    await client.query('begin');
    try {
      await this.#drop();
      await client.query(CREATE_MIGRATIONS);
      for (const migration of plan.migrations) {
        await client.query(sqlInside(migration));
        await client.query(INSERT_MIGRATION, [migration.name, migration.checksum]);
      }
      const order = await this.#referencedFirst();
      const tables = plan.tables.toSorted((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
      for (const { name, columns } of tables) {
        // A table that the operator added beside those of the service.
        if (!order.includes(name)) continue;
        const [table, ...of] = [name, ...columns].map((id) => client.escapeIdentifier(id));
        await client.query(`alter table ${table} disable trigger user`);
        const into = client.query(copyFrom(`copy ${table} (${of.join(', ')}) from stdin`));
        await pipeline([...rowsOf(name), into]);
        await client.query(`alter table ${table} enable trigger user`);
        loaded.set(name, into.rowCount);
        onTable(name, into.rowCount);
      }
      for (const { name, value } of plan.sequences) {
        await client.query('select setval(to_regclass($1), $2::bigint)', [
          client.escapeIdentifier(name),
          value,
        ]);
      }
      await client.query(
        `update recording_files set place = 'store', state = 'kept' where path = any($1::text[])`,
        [plan.movedToStore],
      );
      await client.query(`insert into installation (key, value, created_at) values ($1, 'true', now())`, [
        RESTORE_UNFINISHED,
      ]);
      await client.query('commit');
      return loaded;
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      throw error;
    }
  }

  async #tables(): Promise<string[]> {
    const { rows } = await this.#client.query<{ name: string }>(
      `select relname as name from pg_class where ${IS_TABLE}`,
    );
    return rows.map(({ name }) => name);
  }

  /** Drops the tables and routines (functions, procedures, aggregates) of the schema except those of extensions. */
  async #drop(): Promise<void> {
    const { rows } = await this.#client.query<{ statement: string }>(
      `select format('drop table %s cascade', oid::regclass) as statement from pg_class
         where ${IS_TABLE}
       union all
       select format('drop routine if exists %s cascade', oid::regprocedure) from pg_proc p
         where pronamespace = current_schema()::regnamespace and not exists (
           select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')`,
    );
    for (const { statement } of rows) await this.#client.query(statement);
  }

  /** All tables, each after those that its foreign keys reference. */
  async #referencedFirst(): Promise<string[]> {
    const { rows } = await this.#client.query<{ name: string; references: string[] }>(
      `select c.relname as name, array(
         select r.relname::text from pg_constraint k join pg_class r on r.oid = k.confrelid
         where k.conrelid = c.oid and k.contype = 'f' and r.oid <> c.oid) as references
       from pg_class c where ${IS_TABLE} order by 1`,
    );
    const references = new Map(rows.map((row) => [row.name, row.references]));
    const order = new Set<string>();
    const seen = new Set<string>();
    const add = (name: string): void => {
      if (seen.has(name)) return;
      seen.add(name);
      for (const other of references.get(name) ?? []) add(other);
      order.add(name);
    };
    for (const name of references.keys()) add(name);
    return [...order];
  }
}
