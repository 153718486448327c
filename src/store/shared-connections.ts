import type { Pool, PoolClient, PoolOptions } from 'pg';
import { Shares } from '../shared/shares/shares.ts';
import { currentTenant } from '../shared/shares/tenant.ts';

export interface SharedConnectionsOptions {
  /** See `Shares`: a tenant holds at most one of so many parts of the connections. */
  readonly parts: number;
  /** How long a query waits for a connection of its tenant. */
  readonly waitMs: number;
  /** Connections for heavy reads of all tenants. */
  readonly heavy: { readonly places: number; readonly parts: number; readonly waitMs: number };
}

/** Queries of one tenant that may wait for a connection. */
const MAX_WAITING = 200;
/** One of so many connections may be a second one of work that holds one already. */
const SECOND_PART = 4;

/**
 * A pool whose connections tenants share: slow queries of one leave connections to the others. Work without a tenant takes
 * any connection. Throws `NoPlaceError` when a tenant waits too long for its own queries.
 */
export class SharedConnections {
  readonly #pool: Pool;
  readonly #all: Shares;
  readonly #heavy: Shares;
  /**
   * Second connections. Apart from the first ones: transactions that hold every place of the tenant and wait for a lock would
   * otherwise keep the owner of the lock from its next query.
   */
  readonly #second: Shares;

  constructor(pool: Pool, options: SharedConnectionsOptions) {
    this.#pool = pool;
    const { parts, waitMs, heavy } = options;
    const waiting = { perTenant: MAX_WAITING, ms: waitMs };
    this.#all = new Shares({ places: pool.options.max, parts, waiting });
    const seconds = Math.max(1, Math.floor(pool.options.max / SECOND_PART));
    this.#second = new Shares({ places: seconds, parts, waiting });
    this.#heavy = new Shares({
      places: heavy.places,
      parts: heavy.parts,
      waiting: { perTenant: MAX_WAITING, ms: heavy.waitMs },
    });
  }

  get options(): PoolOptions {
    return this.#pool.options;
  }

  /** How many queries found no connection of their tenant. */
  get refused(): number {
    return this.#all.refused + this.#second.refused + this.#heavy.refused;
  }

  async connect(): Promise<PoolClient> {
    const tenant = currentTenant();
    if (tenant === null) return this.#pool.connect();
    const isFirst = tenant.held === 0;
    const leaveHeavy = tenant.isHeavy && isFirst ? await this.#heavy.take(tenant.id) : null;
    try {
      const release = await (isFirst ? this.#all : this.#second).take(tenant.id);
      tenant.hold(1);
      const leave = (): void => {
        tenant.hold(-1);
        release();
        leaveHeavy?.();
      };
      return await this.#connected(leave);
    } catch (error) {
      leaveHeavy?.();
      throw error;
    }
  }

  end(): Promise<void> {
    return this.#pool.end();
  }

  async #connected(leave: () => void): Promise<PoolClient> {
    try {
      const client = await this.#pool.connect();
      // The pool sets `release` anew each time it lends a connection.
      const giveBack = client.release.bind(client);
      client.release = (error) => {
        giveBack(error);
        leave();
      };
      return client;
    } catch (error) {
      leave();
      throw error;
    }
  }
}
