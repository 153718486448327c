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

/**
 * A pool whose connections tenants share: slow queries of one leave connections to the others. Work without a tenant takes
 * any connection. Throws `NoPlaceError` when a tenant waits too long for its own queries.
 */
export class SharedConnections {
  readonly #pool: Pool;
  readonly #all: Shares;
  readonly #heavy: Shares;

  constructor(pool: Pool, options: SharedConnectionsOptions) {
    this.#pool = pool;
    const { parts, waitMs, heavy } = options;
    const waiting = { perTenant: MAX_WAITING, ms: waitMs };
    this.#all = new Shares({ places: pool.options.max, parts, waiting });
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
    return this.#all.refused + this.#heavy.refused;
  }

  async connect(): Promise<PoolClient> {
    const tenant = currentTenant();
    if (tenant === null) return this.#pool.connect();
    const leaveHeavy = tenant.isHeavy ? await this.#heavy.take(tenant.id) : null;
    try {
      const release = await this.#all.take(tenant.id);
      const leave = (): void => {
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
