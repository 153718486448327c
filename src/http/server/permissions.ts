import type { FastifyInstance, RouteOptions } from 'fastify';
import type { Access } from '../../domain/access/access.ts';
import { accessOf } from '../../domain/access/table.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The row of the route in the table of permissions; the server sets it. */
    access?: Access;
  }
}

/** The pages of Swagger UI, which registers them itself. */
const READER = /^\/docs(?:\/|$)/;

/**
 * Gives each route that is registered from here on its row in the table of permissions, and the API document who may call
 * it. A route without a row throws, so the server does not start; so does an event stream that its row does not call one.
 */
export function permitRoutes(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const access = accessOf(operationOf(route));
    if (isStream(route) !== (access.live === 'stream')) {
      throw new Error(
        `${operationOf(route)} must be a stream in the table of permissions if it answers with events`,
      );
    }
    route.config = { ...route.config, access };
    const security = securityOf(access);
    if (route.schema !== undefined && security !== null) route.schema.security = security;
  });
}

/**
 * Finds the row of each WebSocket in the table of permissions. A path without a row throws, so the server does not start; so
 * does one that a role opens and whose row does not say that its connections end with the role.
 */
export function permitWebSockets(paths: readonly string[]): void {
  for (const path of paths) {
    const { need, live } = accessOf(`WS ${path}`);
    if (need !== null && live !== 'socket')
      throw new Error(`WS ${path} must be a socket in the table of permissions, which ends with the access`);
  }
}

/** The operation of the API document; of other routes the method and the path. */
function operationOf({ method, url, schema }: RouteOptions): string {
  if (schema?.operationId !== undefined) return schema.operationId;
  const [name = 'GET'] = [method].flat();
  // Every GET route also answers HEAD.
  return `${name === 'HEAD' ? 'GET' : name} ${READER.test(url) ? '/docs' : url}`;
}

const isStream = ({ schema }: RouteOptions): boolean =>
  JSON.stringify(schema?.response ?? {}).includes('"text/event-stream"');

/** Null: a key or a session, as most operations. */
function securityOf({ scope, need, open }: Access): Record<string, string[]>[] | null {
  if (scope !== null && need !== null && open === null) return null;
  return [
    ...(scope === null ? [] : [{ apiKey: [] }]),
    ...(need === null ? [] : [{ session: [] }]),
    ...(open === 'call_token' ? [{ callToken: [] }] : []),
    ...(open === 'page_key' ? [{ webcallKey: [] }] : []),
  ];
}
