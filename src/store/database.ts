import { finished, type Duplex } from 'node:stream';
import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import { Client, Pool, types, type ClientBase, type ClientConfig, type PoolConfig } from 'pg';
import type { Schema } from './schema.ts';
import { SharedConnections, type SharedConnectionsOptions } from './shared-connections.ts';

/** The pool or a transaction. */
export type Db = Kysely<Schema>;
export type Tx = Transaction<Schema>;

export interface Database {
  readonly kysely: Db;
  readonly pool: Pool;
  /** Connections that see one workspace; null: there are none, and those of `pool` do their work. */
  readonly walled: Pool | null;
  /** Queries that found no connection of their tenant. */
  readonly refused: () => number;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  readonly maxConnections?: number;
  readonly applicationName?: string;
  /** How long a query waits for a free connection, including the time to open one. */
  readonly connectTimeoutMs?: number;
  /** The server cancels a statement that runs longer. */
  readonly statementTimeoutMs?: number;
  /** Destroys the connection of a query that has no result by then: the server hangs or the network drops packets. */
  readonly queryTimeoutMs?: number;
  /** Tenants share the connections; absent: each query takes any. */
  readonly shares?: SharedConnectionsOptions;
  /**
   * The work of a tenant sees its own rows alone: it takes `maxConnections` connections of the roles that the policies bind
   * (`walls.ts`), and other work `OWNER_CONNECTIONS` more. Needs `shares`.
   */
  readonly hasWalls?: boolean;
  /** Every plan uses index lookups and nested loops, as in `withIndexPlans`, without a transaction for each statement. */
  readonly hasIndexPlans?: boolean;
  /** An idle connection broke; the pool replaces it. The error carries no row data. */
  readonly onIdleError?: (error: Error) => void;
}

/**
 * A request to the API waits at most 11.5 s for a database that hangs: for its share, for a connection, then for one query.
 * A heavy read waits 4 s longer.
 */
export const API_LIMITS = {
  connectTimeoutMs: 3_000,
  statementTimeoutMs: 6_000,
  queryTimeoutMs: 6_500,
  // A workspace holds at most 7 of 20 connections, and 2 of the 6 for heavy reads.
  shares: { parts: 3, waitMs: 2_000, heavy: { places: 6, parts: 3, waitMs: 4_000 } },
} as const satisfies DatabaseOptions;

/** Connections for work without a tenant, beside those with walls: look-ups of keys, sessions, links and public pages. */
const OWNER_CONNECTIONS = 10;
const DEFAULT_STATEMENT_MS = 30_000;
/** How much longer than its statement timeout a query may take before its connection counts as dead. */
const ANSWER_GRACE_MS = 5_000;

/**
 * The server ends a session that idles in a transaction for longer, which frees the locks of a frozen process. Safe,
 * because a transaction awaits nothing but the database.
 */
const IDLE_IN_TRANSACTION_MS = 10_000;

/** Session settings of `hasIndexPlans`. */
const INDEX_PLANS = ['seqscan', 'bitmapscan', 'mergejoin', 'hashjoin']
  .map((scan) => `set enable_${scan} = off;`)
  .join(' ')
  .concat(' set plan_cache_mode = force_generic_plan');

const INT8 = 20;
const TIMESTAMPTZ = 1184;

/** Reads bigint as a number: credits, sizes and sequence numbers stay far below 2^53. Throws for a larger one. */
function parseBigint(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('bigint column beyond 2^53');
  return value;
}

/** 'infinity' has no Date: it becomes an Invalid Date, so that arithmetic on it gives NaN. */
const parseTimestamp = (text: string): Date => new Date(text.includes('infinity') ? Number.NaN : text);

const HOT = /^\s*\/\* hot:(\w+) \*\//;

/** A stream of COPY, which `pg` drives itself. */
const isSubmittable = (query: unknown): query is Duplex =>
  typeof query === 'object' && query !== null && 'submit' in query;

class DatabaseTimeout extends Error {
  readonly code = 'ETIMEDOUT';
  constructor(ms: number) {
    super(`the database did not answer within ${ms} ms`);
    this.name = 'DatabaseTimeout';
  }
}

/**
 * Prepares statements that begin with a comment `hot:name` once per connection: planning one over the queue's many
 * partial indexes costs more than running it. A name stands for one text.
 *
 * Creates its own promises: those of `pg` keep the result rows reachable until a full garbage collection, and promoting
 * them out of the young heap stops the process for about 10 ms each time.
 */
class PreparingClient extends Client {
  readonly #timeoutMs: number;

  constructor(config: ClientConfig & { queryTimeoutMs?: number } = {}) {
    super(config);
    this.#timeoutMs = config.queryTimeoutMs ?? DEFAULT_STATEMENT_MS + ANSWER_GRACE_MS;
    // Without a listener, a connection that breaks between two statements would crash the process. The next statement
    // fails anyway.
    this.on('error', () => undefined);
  }

  override query(...args: readonly unknown[]): never {
    const [text, ...rest] = args;
    const name = typeof text === 'string' ? HOT.exec(text)?.[1] : undefined;
    const query = super.query.bind(this) as (...args: readonly unknown[]) => never;
    const prepared = name === undefined ? text : { name, text };
    const timer = setTimeout(this.#onTimeout, this.#timeoutMs);
    const receiver = rest.at(-1);
    if (typeof receiver === 'function') {
      return query(prepared, ...rest.slice(0, -1), (...outcome: unknown[]) => {
        clearTimeout(timer);
        receiver(...outcome);
      });
    }
    if (isSubmittable(text)) {
      finished(text, () => clearTimeout(timer));
      return query(text, ...rest);
    }
    return new Promise((resolve, reject) => {
      query(prepared, rest[0], (error: Error | null | undefined, result: unknown) => {
        clearTimeout(timer);
        if (error) reject(error);
        else resolve(result);
      });
    }) as never;
  }

  /**
   * Destroys the socket, which fails the query, and the pool drops the connection. The `query_timeout` of `pg` would
   * return the connection to the pool while the server still owes a result on it.
   */
  readonly #onTimeout = (): void => {
    this.connection.stream.destroy(new DatabaseTimeout(this.#timeoutMs));
  };
}

/** Creates a pool for `url`. The first query connects. */
export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  const builtin = types.getTypeParser.bind(types) as (oid: number, format?: string) => unknown;
  const statementMs = options.statementTimeoutMs ?? DEFAULT_STATEMENT_MS;
  const config: Omit<PoolConfig, 'onConnect'> & {
    queryTimeoutMs: number;
    /** The pool awaits it. */
    onConnect?: (client: ClientBase) => Promise<unknown>;
  } = {
    Client: PreparingClient,
    queryTimeoutMs: options.queryTimeoutMs ?? statementMs + ANSWER_GRACE_MS,
    connectionString: url,
    max: options.maxConnections ?? 20,
    application_name: options.applicationName ?? 'callwright',
    connectionTimeoutMillis: options.connectTimeoutMs ?? 10_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    ...(options.hasIndexPlans === true ? { onConnect: (client) => client.query(INDEX_PLANS) } : {}),
    statement_timeout: statementMs,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    types: {
      getTypeParser: ((oid: number, format?: string) => {
        if (format !== 'binary' && oid === INT8) return parseBigint;
        if (format !== 'binary' && oid === TIMESTAMPTZ) return parseTimestamp;
        return builtin(oid, format);
      }) as typeof types.getTypeParser,
    },
  };
  const opened = (max: number | undefined): Pool => {
    const made = new Pool({ ...config, max });
    made.on('error', (error) => options.onIdleError?.(error));
    return made;
  };
  const walled = options.hasWalls === true && options.shares !== undefined ? opened(config.max) : null;
  const pool = opened(walled === null ? config.max : OWNER_CONNECTIONS);
  const shared = options.shares === undefined ? null : new SharedConnections(pool, walled, options.shares);
  const kysely = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: shared ?? pool }) });
  return { kysely, pool, walled, refused: () => shared?.refused ?? 0, close: () => kysely.destroy() };
}

/** The database's clock, ms since the epoch. */
export async function readDatabaseTime(db: Db): Promise<number> {
  const { rows } = await sql<{ ms: number }>`
    select extract(epoch from clock_timestamp())::float8 * 1000 as ms`.execute(db);
  return rows[0]?.ms ?? 0;
}
