import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import { Client, Pool, types, type ClientConfig, type PoolConfig } from 'pg';
import type { Schema } from './schema.ts';

/** Where a query may run: the pool or a transaction. */
export type Db = Kysely<Schema>;
export type Tx = Transaction<Schema>;

export interface Database {
  readonly kysely: Db;
  readonly pool: Pool;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  readonly maxConnections?: number;
  readonly applicationName?: string;
  /** A statement that runs longer is cancelled. */
  readonly statementTimeoutMs?: number;
  /** An idle connection broke; the pool replaces it. Message only, no data. */
  readonly onIdleError?: (error: Error) => void;
}

/**
 * A process that freezes inside a transaction keeps its locks; the server takes them back after so long. Nothing waits
 * for anything but the database within one.
 */
const IDLE_IN_TRANSACTION_MS = 10_000;

const INT8 = 20;
const TIMESTAMPTZ = 1184;

/** bigint as a number: credits, sizes and sequence numbers stay far below 2^53; one that does not is an error. */
function parseBigint(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('bigint column beyond 2^53');
  return value;
}

/** 'infinity' has no Date; it becomes an Invalid Date so that no arithmetic on it passes unnoticed. */
const parseTimestamp = (text: string): Date => new Date(text.includes('infinity') ? Number.NaN : text);

const HOT = /^\s*\/\* hot:(\w+) \*\//;

/** What `pg` tells by itself: a query that is its own answer, or one that was given a callback. */
const isAnswered = (args: readonly unknown[]): boolean =>
  typeof args.at(-1) === 'function' ||
  (typeof args[0] === 'object' && args[0] !== null && 'submit' in args[0]);

/**
 * Prepares statements that begin with a comment `hot:name` once per connection: planning one over the queue's many
 * partial indexes costs more than running it. The name stands for one text.
 *
 * Promises are its own: behind those that `pg` makes, what was read stays in memory until a full collection, and copying
 * it out of the young heap stops the process for some 10 ms each time.
 */
class PreparingClient extends Client {
  constructor(config?: ClientConfig) {
    super(config);
    // A connection that breaks between two statements of a transaction has nobody else to tell; the next one fails.
    this.on('error', () => undefined);
  }

  override query(...args: readonly unknown[]): never {
    const [text, ...rest] = args;
    const name = typeof text === 'string' ? HOT.exec(text)?.[1] : undefined;
    const query = super.query.bind(this) as (...args: readonly unknown[]) => never;
    const asked = name === undefined ? text : { name, text };
    if (isAnswered(args)) return query(asked, ...rest);
    return new Promise((resolve, reject) => {
      query(asked, rest[0], (error: Error | null | undefined, result: unknown) => {
        if (error) reject(error);
        else resolve(result);
      });
    }) as never;
  }
}

/** Opens a pool on `url`. Does not connect yet: the first query does. */
export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  const builtin = types.getTypeParser.bind(types) as (oid: number, format?: string) => unknown;
  const config: PoolConfig = {
    Client: PreparingClient,
    connectionString: url,
    max: options.maxConnections ?? 20,
    application_name: options.applicationName ?? 'callwright',
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    statement_timeout: options.statementTimeoutMs ?? 30_000,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    types: {
      getTypeParser: ((oid: number, format?: string) => {
        if (format !== 'binary' && oid === INT8) return parseBigint;
        if (format !== 'binary' && oid === TIMESTAMPTZ) return parseTimestamp;
        return builtin(oid, format);
      }) as typeof types.getTypeParser,
    },
  };
  const pool = new Pool(config);
  pool.on('error', (error) => options.onIdleError?.(error));
  const kysely = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  return { kysely, pool, close: () => kysely.destroy() };
}
