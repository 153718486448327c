import rateLimit from '@fastify/rate-limit';
import type { FastifyRequest, RouteShorthandOptions } from 'fastify';
import { errors } from '../errors.ts';
import type { Server } from './type-provider.ts';

/** Requests a minute per workspace, by class of route; 0: no limit. */
export interface RateLimits {
  read: number;
  write: number;
  dial: number;
  authFailures: number;
}

/** Makes the limiter available; routes join it with `limited`. A 429 carries Retry-After and the RateLimit headers. */
export async function installRateLimits(app: Server): Promise<void> {
  await app.register(rateLimit, {
    global: false,
    timeWindow: 60_000,
    cache: 10_000,
    enableDraftSpec: true,
    keyGenerator: (request: FastifyRequest) => request.caller.workspaceId,
    errorResponseBuilder: (_request, context) =>
      errors.rateLimited(Math.max(1, Math.ceil(context.ttl / 1000))),
  });
}

/** Route config that counts against one class; routes of a class share its count. */
export function limited(
  limits: RateLimits,
  group: 'read' | 'write' | 'dial',
): NonNullable<RouteShorthandOptions['config']> {
  const max = limits[group];
  return max === 0 ? { rateLimit: false } : { rateLimit: { max, groupId: group } };
}
