import type { FastifyInstance } from 'fastify';
import { keyHashOf, type Caller, type KeyCheck } from '../domain/workspaces/authenticate-key.ts';
import { errors } from '../errors.ts';
import type { Clock } from '../shared/clock.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who the request acts for; set on every route behind a key. */
    caller: Caller;
  }
}

const WINDOW_MS = 60_000;
const MAX_ADDRESSES = 10_000;
const MAX_GOOD_KEYS = 10_000;

/**
 * Counts wrong keys per address in windows of a minute. An address over the limit is refused without a look-up,
 * except for keys that were right lately: others behind the same address go on working.
 */
export class FailureThrottle {
  readonly #limit: number;
  readonly #clock: Clock;
  readonly #failures = new Map<string, { since: number; count: number }>();
  readonly #goodKeys = new Set<string>();

  constructor(options: { limit: number; clock: Clock }) {
    this.#limit = options.limit;
    this.#clock = options.clock;
  }

  /** Seconds until the address may try an unknown key again; 0: now. */
  waitSeconds(address: string, keyHash: string | null): number {
    const entry = this.#failures.get(address);
    if (this.#limit === 0 || entry === undefined || entry.count < this.#limit) return 0;
    if (keyHash !== null && this.#goodKeys.has(keyHash)) return 0;
    return Math.max(0, Math.ceil((entry.since + WINDOW_MS - this.#clock.now()) / 1000));
  }

  failed(address: string): void {
    const now = this.#clock.now();
    const entry = this.#failures.get(address);
    if (entry !== undefined && now - entry.since < WINDOW_MS) {
      entry.count += 1;
      return;
    }
    this.#failures.delete(address);
    if (this.#failures.size >= MAX_ADDRESSES) dropOldest(this.#failures);
    this.#failures.set(address, { since: now, count: 1 });
  }

  succeeded(keyHash: string): void {
    if (this.#goodKeys.has(keyHash)) return;
    if (this.#goodKeys.size >= MAX_GOOD_KEYS) dropOldest(this.#goodKeys);
    this.#goodKeys.add(keyHash);
  }
}

function dropOldest(entries: { keys(): Iterator<string>; delete(key: string): boolean }): void {
  const oldest = entries.keys().next();
  if (!oldest.done) entries.delete(oldest.value);
}

/** Puts the key check before everything else of the routes of `app`: 401 comes before any look at the body. */
export function requireKey(app: FastifyInstance, keys: KeyCheck, throttle: FailureThrottle): void {
  app.decorateRequest('caller');
  app.addHook('onRequest', async (request, reply) => {
    const header = request.headers['x-api-key'];
    const keyHash = keyHashOf(typeof header === 'string' ? header : undefined);
    const wait = throttle.waitSeconds(request.ip, keyHash);
    if (wait > 0) {
      void reply.header('retry-after', String(wait));
      throw errors.rateLimited(wait);
    }
    const caller = keyHash === null ? null : await keys.find(keyHash);
    if (keyHash === null || caller === null) {
      throttle.failed(request.ip);
      throw errors.invalidCredentials();
    }
    throttle.succeeded(keyHash);
    request.caller = caller;
  });
}
