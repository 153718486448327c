import rateLimit from '@fastify/rate-limit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errors } from '../../errors.ts';
import type { Server } from './type-provider.ts';

/** Requests per minute and workspace, by class of route; 0 means no limit. */
export interface RateLimits {
  read: number;
  write: number;
  dial: number;
  authFailures: number;
}
/** `probe`: tests of vendors, which count as `write` too. */
type RateClass = 'read' | 'write' | 'dial' | 'probe';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The rate limit that the route counts against; default read. */
    rateClass?: RateClass;
  }
}

const WINDOW_MS = 60_000;
/** A workspace cannot use this service to send many requests to vendors. */
const PROBES_PER_MINUTE = 20;
const MAX_WORKSPACES = 10_000;

/**
 * Counts requests per workspace and class; reads of people who are signed in, for each of them, so that their pages do not use up what
 * the workspace's programs may read. Every response carries the RateLimit headers; a 429 also carries
 * Retry-After.
 */
export async function limitRates(app: Server, limits: RateLimits): Promise<void> {
  await app.register(rateLimit, { global: false, cache: MAX_WORKSPACES });
  const counters = {
    read: counter(app, 'read', limits.read),
    write: counter(app, 'write', limits.write),
    dial: counter(app, 'dial', limits.dial),
  };
  const probes = counter(app, 'probe', PROBES_PER_MINUTE);
  const classOf = (request: FastifyRequest): RateClass => request.routeOptions.config.rateClass ?? 'read';
  app.addHook('onRequest', async (request, reply) => {
    const rateClass = classOf(request);
    await counters[rateClass === 'probe' ? 'write' : rateClass]?.(request, reply);
  });
  // After validation: a malformed request reaches no vendor.
  app.addHook('preHandler', async (request, reply) => {
    if (classOf(request) === 'probe') await probes?.(request, reply);
  });
}

type Caller = FastifyRequest['caller'] | undefined;

function ownerOf(caller: Caller, user: FastifyRequest['user'], kind: RateClass): string {
  if (caller === undefined) return user.userId;
  const { workspaceId, credential } = caller;
  return kind === 'read' && credential.kind === 'session' ? `${workspaceId} ${user.userId}` : workspaceId;
}

function counter(
  app: Server,
  kind: RateClass,
  max: number,
): ((request: FastifyRequest, reply: FastifyReply) => Promise<void>) | null {
  if (max === 0) return null;
  const count = app.createRateLimit({
    max,
    timeWindow: WINDOW_MS,
    // Operators read about the installation, without a workspace.
    keyGenerator: ({ caller, user }) => ownerOf(caller, user, kind),
  });
  return async (request, reply) => {
    const result = await count(request);
    if (result.isAllowed) return;
    void reply.headers({
      'ratelimit-limit': String(result.max),
      'ratelimit-remaining': String(result.remaining),
      'ratelimit-reset': String(result.ttlInSeconds),
    });
    if (!result.isExceeded) return;
    throw errors.rateLimited(Math.max(1, result.ttlInSeconds), kind, `${max} a minute for a workspace`);
  };
}
