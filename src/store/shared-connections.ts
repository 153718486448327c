import type { Pool, PoolClient, PoolOptions } from 'pg';
import { Shares } from '../shared/shares/shares.ts';
import { currentTenant, type TenantWork } from '../shared/shares/tenant.ts';
import { BIND, WALL_ROLES } from './walls.ts';

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

/** What a connection shows: the role and the workspace that it was bound to last. */
const bindings = new WeakMap<PoolClient, string>();

/** Lets the connection see the rows of the tenant alone. A round trip, unless it worked for the same tenant before. */
async function bind(client: PoolClient, id: string, role: string): Promise<void> {
  const wanted = `${role} ${id}`;
  if (bindings.get(client) === wanted) return;
  bindings.delete(client);
  await client.query(BIND, [role, id]);
  bindings.set(client, wanted);
}

/**
 * Connections that tenants share: slow queries of one leave connections to the others. Work without a tenant takes a
 * connection of the owner, which sees the rows of all. Throws `NoPlaceError` when a tenant waits too long for its own queries.
 */
export class SharedConnections {
  readonly #pool: Pool;
  /** Those of tenants, which see their tenant's rows alone; null: the tenants' work takes connections of the owner, too. */
  readonly #walled: Pool | null;
  readonly #all: Shares;
  readonly #heavy: Shares;
  /**
   * Second connections. Apart from the first ones: transactions that hold every place of the tenant and wait for a lock would
   * otherwise keep the owner of the lock from its next query.
   */
  readonly #second: Shares;

  constructor(pool: Pool, walled: Pool | null, options: SharedConnectionsOptions) {
    this.#pool = pool;
    this.#walled = walled;
    const { parts, waitMs, heavy } = options;
    const waiting = { perTenant: MAX_WAITING, ms: waitMs };
    const places = (walled ?? pool).options.max;
    this.#all = new Shares({ places, parts, waiting });
    const seconds = Math.max(1, Math.floor(places / SECOND_PART));
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
      return await this.#connected(tenant, leave);
    } catch (error) {
      leaveHeavy?.();
      throw error;
    }
  }

  async end(): Promise<void> {
    await Promise.all([this.#pool.end(), this.#walled?.end()]);
  }

  async #connected(tenant: TenantWork, leave: () => void): Promise<PoolClient> {
    try {
      const client = await this.#open(tenant);
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

  async #open({ id, sight }: TenantWork): Promise<PoolClient> {
    if (this.#walled === null || sight === 'all') return this.#pool.connect();
    const client = await this.#walled.connect();
    await bind(client, id, WALL_ROLES[sight]).catch((error: unknown) => {
      client.release(true);
      throw error;
    });
    return client;
  }
}
