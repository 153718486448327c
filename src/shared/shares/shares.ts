import { systemScheduler, type Scheduler } from '../clock.ts';
import { mayTake } from './rule.ts';

export interface SharesOptions {
  /** Places of all tenants together. */
  readonly places: number;
  /** A tenant holds at most one of so many parts of the places that the others leave, see `mayTake`; 1: any of them. */
  readonly parts: number;
  /** Takers of one tenant that may wait for a place, and how long they wait. Absent: none waits. */
  readonly waiting?: { readonly perTenant: number; readonly ms: number };
  /**
   * When no place is free, `tryTake` frees the oldest place of the tenant with most that was held for `heldMs`, for a
   * tenant that has none, or will not have more than that one keeps; and for any tenant the place that was not used
   * (`renew`) for `idleMs`. Holders without `onEvict` keep their places.
   */
  readonly evicts?: { readonly heldMs: number; readonly idleMs?: number };
  readonly scheduler?: Scheduler;
}

/** What a tenant holds, for a query that takes work of several tenants. */
export interface TenantShare {
  readonly tenant: string;
  readonly held: number;
  /** Position in the rotation: the tenant served longest ago has the lowest. A tenant that is not listed has 0. */
  readonly served: number;
}

/** No place is free for this tenant. */
export class NoPlaceError extends Error {
  override readonly name = 'NoPlaceError';
  constructor() {
    super('the tenant has its share of the places already');
  }
}

/** Gives a place back. Further calls have no effect. */
export type Release = () => void;

interface Held {
  readonly tenant: string;
  /** When it was taken, or used last. */
  since: number;
  readonly evict: (() => void) | null;
}
interface Waiter {
  readonly grant: (release: Release) => void;
}

/** Tenants whose position in the rotation is remembered. */
const MAX_ROTATION = 1000;

/**
 * Divides a fixed number of places fairly between tenants. A place that becomes free goes to the waiting tenant that
 * holds fewest, and of those to the one served longest ago. A tenant that never gives its places back leaves the
 * others at least `leftBeside(1)` of them.
 */
export class Shares {
  readonly places: number;
  readonly parts: number;
  readonly #waitLimit: { readonly perTenant: number; readonly ms: number };
  readonly #evicts: { readonly heldMs: number; readonly idleMs?: number } | null;
  readonly #scheduler: Scheduler;
  /** In the order in which they were taken, or used last. */
  readonly #held = new Set<Held>();
  /** Places that may be taken back. */
  readonly #evictable = new WeakMap<Release, Held>();
  readonly #counts = new Map<string, number>();
  readonly #waiting = new Map<string, Set<Waiter>>();
  /** By tenant: when it was last served. Least recently served first. */
  readonly #served = new Map<string, number>();
  #grants = 0;
  #refused = 0;

  constructor(options: SharesOptions) {
    this.places = options.places;
    this.parts = options.parts;
    this.#waitLimit = options.waiting ?? { perTenant: 0, ms: 0 };
    this.#evicts = options.evicts ?? null;
    this.#scheduler = options.scheduler ?? systemScheduler;
  }

  get free(): number {
    return this.places - this.#held.size;
  }

  /** How many takers got no place since the start. */
  get refused(): number {
    return this.#refused;
  }

  held(tenant: string): number {
    return this.#counts.get(tenant) ?? 0;
  }

  waiting(tenant: string): number {
    return this.#waiting.get(tenant)?.size ?? 0;
  }

  /** What each tenant holds, and its position in the rotation. */
  list(): readonly TenantShare[] {
    const tenants = new Set([...this.#counts.keys(), ...this.#served.keys()]);
    return [...tenants].map((tenant) => ({
      tenant,
      held: this.held(tenant),
      served: this.#served.get(tenant) ?? 0,
    }));
  }

  /**
   * Takes a place that a query has chosen by `list` and `free`, or that exists already. The places may go below zero
   * free for a moment, when the choice was older than the last taker.
   */
  enter(tenant: string): Release {
    return this.#take(tenant, null);
  }

  /** Null: no place is free for the tenant now. `onEvict`: the place went to another tenant, its holder must stop. */
  tryTake(tenant: string, onEvict?: () => void): Release | null {
    const isOpen = mayTake(this.held(tenant), this.free, this.parts) && !this.#isBehind(tenant);
    if (isOpen || this.#evictFor(tenant)) return this.#take(tenant, onEvict ?? null);
    this.#refused += 1;
    return null;
  }

  /** Waits for a place; throws `NoPlaceError` when too many of the tenant wait, or none was free in time. */
  take(tenant: string): Promise<Release> {
    if (mayTake(this.held(tenant), this.free, this.parts) && !this.#isBehind(tenant)) {
      return Promise.resolve(this.#take(tenant, null));
    }
    if (this.waiting(tenant) >= this.#waitLimit.perTenant) return Promise.reject(this.#refusal());
    return new Promise((resolve, reject) => {
      const cancel = this.#scheduler.after(this.#waitLimit.ms, () => {
        this.#leaveQueue(tenant, waiter);
        reject(this.#refusal());
      });
      const waiter: Waiter = {
        grant: (release) => {
          cancel();
          resolve(release);
        },
      };
      const queue = this.#waiting.get(tenant) ?? new Set();
      this.#waiting.set(tenant, queue.add(waiter));
    });
  }

  /** Runs `work` in a place of the tenant; throws `NoPlaceError` when there is none. */
  async within<T>(tenant: string, work: () => Promise<T>): Promise<T> {
    const release = await this.take(tenant);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Takers of the same tenant that came earlier go first. */
  #isBehind(tenant: string): boolean {
    return this.#waiting.has(tenant);
  }

  #refusal(): NoPlaceError {
    this.#refused += 1;
    return new NoPlaceError();
  }

  #take(tenant: string, evict: (() => void) | null): Release {
    const held: Held = { tenant, since: this.#scheduler.now(), evict };
    this.#held.add(held);
    this.#counts.set(tenant, this.held(tenant) + 1);
    this.#grants += 1;
    this.#served.delete(tenant);
    this.#served.set(tenant, this.#grants);
    const [oldest] = this.#served.keys();
    if (this.#served.size > MAX_ROTATION && oldest !== undefined) this.#served.delete(oldest);
    const release: Release = () => {
      if (this.#drop(held)) this.#serveWaiting();
    };
    if (evict !== null) this.#evictable.set(release, held);
    return release;
  }

  /** The place was used now: those that were idle for longer are taken back before it. */
  renew(release: Release): void {
    const held = this.#evictable.get(release);
    if (held === undefined || !this.#held.delete(held)) return;
    held.since = this.#scheduler.now();
    this.#held.add(held);
  }

  #drop(held: Held): boolean {
    if (!this.#held.delete(held)) return false;
    const left = this.held(held.tenant) - 1;
    if (left > 0) this.#counts.set(held.tenant, left);
    else this.#counts.delete(held.tenant);
    return true;
  }

  #serveWaiting(): void {
    for (;;) {
      const next = this.#nextTenant();
      if (next === null || !mayTake(this.held(next), this.free, this.parts)) return;
      const [waiter] = this.#waiting.get(next) ?? [];
      if (waiter === undefined) return;
      this.#leaveQueue(next, waiter);
      waiter.grant(this.#take(next, null));
    }
  }

  /** The waiting tenant with the fewest places. If it may not take one, no other may: they hold as many or more. */
  #nextTenant(): string | null {
    let best: string | null = null;
    for (const tenant of this.#waiting.keys()) {
      if (best === null || this.#isBefore(tenant, best)) best = tenant;
    }
    return best;
  }

  #isBefore(tenant: string, other: string): boolean {
    const difference = this.held(tenant) - this.held(other);
    return difference === 0
      ? (this.#served.get(tenant) ?? 0) < (this.#served.get(other) ?? 0)
      : difference < 0;
  }

  #leaveQueue(tenant: string, waiter: Waiter): void {
    const queue = this.#waiting.get(tenant);
    queue?.delete(waiter);
    if (queue?.size === 0) this.#waiting.delete(tenant);
  }

  /** Frees a place of the tenant that holds most for `tenant`, see `evicts`. */
  #evictFor(tenant: string): boolean {
    if (this.#evicts === null || this.free > 0) return false;
    const now = this.#scheduler.now();
    const { heldMs, idleMs = Number.POSITIVE_INFINITY } = this.#evicts;
    const [idlest] = this.#held;
    if (idlest !== undefined && idlest.evict !== null && now - idlest.since >= idleMs) {
      this.#drop(idlest);
      idlest.evict();
      return true;
    }
    const most = Math.max(...this.#counts.values());
    const own = this.held(tenant);
    if (own > 0 && most <= own + 1) return false;
    const before = now - heldMs;
    for (const held of this.#held) {
      if (held.since > before) return false;
      if (held.evict === null || this.held(held.tenant) < most) continue;
      this.#drop(held);
      held.evict();
      return true;
    }
    return false;
  }
}
