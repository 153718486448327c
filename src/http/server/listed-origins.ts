import type { FastifyReply, FastifyRequest } from 'fastify';
import { isListed } from '../../domain/web-calls/listed-origin.ts';
import type { Db } from '../../domain/database.ts';
import type { Clock } from '../../shared/clock.ts';

const KEPT_MS = 5_000;
const MOST_KEPT = 1_000;
const LONGEST_ORIGIN = 300;

/**
 * The origins that may begin calls with some agent. A preflight request carries no key, so the agent is unknown then; the
 * request itself is checked against the list of its own agent.
 */
export class ListedOrigins {
  readonly #deps: { readonly db: Db; readonly clock: Clock; readonly link: { readonly publicUrl: string } };
  readonly #known = new Map<string, { readonly at: number; readonly isListed: Promise<boolean> }>();

  constructor(deps: {
    readonly db: Db;
    readonly clock: Clock;
    readonly link: { readonly publicUrl: string };
  }) {
    this.#deps = deps;
  }

  has(origin: string): Promise<boolean> {
    if (origin.length > LONGEST_ORIGIN) return Promise.resolve(false);
    const now = this.#deps.clock.monotonic();
    const known = this.#known.get(origin);
    if (known !== undefined && now - known.at < KEPT_MS) return known.isListed;
    this.#known.delete(origin);
    const oldest = this.#known.keys().next();
    if (this.#known.size >= MOST_KEPT && !oldest.done) this.#known.delete(oldest.value);
    const found = isListed(this.#deps, origin);
    this.#known.set(origin, { at: now, isListed: found });
    found.catch(() => this.#known.delete(origin));
    return found;
  }

  /** Lets the page of a listed origin read the response. */
  async expose(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    const { origin } = request.headers;
    void reply.header('vary', 'origin');
    if (origin === undefined || !(await this.has(origin))) return false;
    void reply.header('access-control-allow-origin', origin);
    return true;
  }
}
