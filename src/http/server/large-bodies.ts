import type { FastifyInstance, FastifyRequest } from 'fastify';
import { systemScheduler, type Scheduler } from '../../shared/clock.ts';
import { Shares } from '../../shared/shares/shares.ts';
import { announcedBytes } from './stranger-bodies.ts';

/** Bodies of this length are read without a place: their parsing takes few milliseconds. */
const SMALL_BYTES = 131_072;
/** One at a time of a workspace, of so many workspaces. */
const PLACES = 16;
const WAITING = { perTenant: 32, ms: 10_000 };
/** After a body that took the thread 20 ms, the next one of its workspace is read 60 ms later: a quarter of the thread. */
const REST_PARTS = 3;

declare module 'fastify' {
  interface FastifyRequest {
    /** Ends the measurement of the time that a large body takes. */
    largeBodyChecked: (() => void) | null;
  }
}

export interface LargeBodiesDeps {
  readonly scheduler?: Scheduler;
  /** Monotonic ms. */
  readonly now?: () => number;
}

/**
 * Reads one large body of a workspace at a time, and has the workspace use at most a quarter of the thread for parsing and
 * checking them. Further ones wait unread, then get 429. Registered behind the authentication and the rate limits. `most`:
 * the longest body. Forms with files have places of their own.
 */
export function limitLargeBodies(app: FastifyInstance, most: number, deps: LargeBodiesDeps = {}): void {
  const { scheduler = systemScheduler, now = () => performance.now() } = deps;
  const places = new Shares({ places: PLACES, parts: PLACES, waiting: WAITING, scheduler });
  app.decorateRequest('largeBodyChecked', null);
  app.addHook('onRequest', async (request, reply) => {
    const caller = request.caller as FastifyRequest['caller'] | undefined;
    if (caller === undefined || !isLong(request, most)) return;
    const release = await places.take(caller.workspaceId);
    let readAt: number | null = null;
    let tookMs: number | null = null;
    request.raw.once('end', () => {
      readAt = now();
    });
    request.largeBodyChecked = () => {
      if (readAt !== null) tookMs ??= now() - readAt;
    };
    const leave = (): void => void scheduler.after(REST_PARTS * (tookMs ?? 0), release);
    if (reply.raw.destroyed) leave();
    else reply.raw.once('close', leave);
  });
  app.addHook('preHandler', async (request) => request.largeBodyChecked?.());
  // The answer to a body that was refused.
  app.addHook('onSend', async (request, _reply, payload) => {
    request.largeBodyChecked?.();
    return payload;
  });
}

function isLong(request: FastifyRequest, most: number): boolean {
  const isForm = request.headers['content-type']?.startsWith('multipart/') === true;
  return !isForm && announcedBytes(request, most) > SMALL_BYTES;
}
