import type { Config } from '../config.ts';
import { applyPlan, type Plan, type Provisioned, type ProvisionDeps } from '../domain/provision/provision.ts';
import { AddressGuard } from '../net/address-guard.ts';
import type { Log } from '../shared/log.ts';
import type { Seal } from '../shared/seal.ts';
import type { ServiceClock } from '../shared/service-clock.ts';
import { settlesWithin } from '../shared/settles-within.ts';
import { openDatabase, type Database } from '../store/database.ts';
import { EmbeddedPostgres } from '../store/embedded/embedded-postgres.ts';
import { migrate } from '../store/migrate.ts';
import { findHindrance } from '../store/walls.ts';
import { catalogue, prompts } from './adapters.ts';
import { ClockSync } from './clock-sync.ts';
import { makeFirstKey, openCheckedSeal } from './secrets.ts';
import { databaseFailure } from './start-failure.ts';

/** How long the embedded database waits for the pools to close before it is stopped. */
const POOL_CLOSE_MS = 1_000;

/** The database of the installation, migrated, with its keys and its provisioned objects. */
export interface Opened {
  readonly url: string;
  /** The pool of the calls and of this thread's other work. */
  readonly database: Database;
  /** Policies guard the rows of workspaces, and ROW_SECURITY is on. */
  readonly hasWalls: boolean;
  readonly seal: Seal;
  /** To apply the provision file again. */
  readonly provision: ProvisionDeps;
  readonly provisioned: Provisioned;
}

/** Opens and closes the database, the embedded one if no other is configured. */
export class Installation {
  readonly #config: Config;
  readonly #dataDir: string;
  readonly #log: Log;
  readonly #clock: ServiceClock;
  readonly #clockSync: ClockSync;
  #embedded: EmbeddedPostgres | null = null;
  #database: Database | null = null;

  constructor(config: Config, dataDir: string, log: Log, clock: ServiceClock) {
    this.#config = config;
    this.#dataDir = dataDir;
    this.#log = log;
    this.#clock = clock;
    this.#clockSync = new ClockSync({ clock, log });
  }

  async open(plan: Plan | null): Promise<Opened> {
    const url = this.#config.databaseUrl ?? (await this.#startEmbedded());
    const onIdleError = (error: Error): void => this.#log.warn({ err: error }, 'a database connection broke');
    const database = openDatabase(url, { onIdleError });
    this.#database = database;
    await migrate(url).catch((error: unknown) => {
      const { databaseUrl } = this.#config;
      throw databaseUrl === null ? error : databaseFailure(databaseUrl, error);
    });
    const db = database.kysely;
    const hindrance = this.#config.rowSecurity ? await findHindrance(database.pool) : null;
    if (hindrance === 'no roles') {
      this.#log.warn(
        {},
        'ROW_SECURITY has no effect: the user of DATABASE_URL may not create roles. Grant it CREATEROLE, or set ROW_SECURITY=off (docs/security.md)',
      );
    }
    if (hindrance === 'pooler') {
      this.#log.warn(
        {},
        'ROW_SECURITY has no effect: DATABASE_URL leads to a connection pooler. Name the server itself, or set ROW_SECURITY=off (docs/security.md)',
      );
    }
    const hasWalls = this.#config.rowSecurity && hindrance === null;
    await this.#clockSync.start(db);
    const now = new Date(this.#clock.now());
    await makeFirstKey(db, this.#config.secretKey, this.#dataDir);
    const seal = await openCheckedSeal(db, this.#config.secretKey, this.#dataDir, now);
    const { providers: operator, safeFetchAllow: allow } = this.#config;
    const guard = new AddressGuard({ allow });
    const provision = { db, clock: this.#clock, voices: catalogue, prompts, seal, operator, guard };
    const provisioned = await applyPlan(provision, plan);
    return { url, database, hasWalls, seal, provision, provisioned };
  }

  /**
   * Closes the database. The embedded server gets its shutdown signal even while a query in progress holds a pool open;
   * `others` are the pools of other threads, being closed.
   */
  async close(others: Promise<void> | undefined): Promise<void> {
    await this.#clockSync.stop();
    const closed = Promise.all([others, this.#database?.close()]);
    if (this.#embedded !== null) await settlesWithin(POOL_CLOSE_MS, closed);
    await this.#embedded?.stop();
    await closed;
  }

  async #startEmbedded(): Promise<string> {
    this.#embedded = new EmbeddedPostgres({ dataDir: this.#dataDir, log: this.#log });
    return this.#embedded.start();
  }
}
