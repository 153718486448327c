import type { FastifyInstance, FastifyRequest } from 'fastify';
import { asTenant, type Tenant } from '../../shared/shares/tenant.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose shares the request uses. */
    tenant: Tenant;
  }
  interface FastifyContextConfig {
    /** A read that may take seconds: a workspace runs few of them at a time. */
    isHeavy?: boolean;
  }
}

/** Runs each request for its tenant, so that `SharedConnections` counts its queries and shows them its rows. Registered before other hooks. */
export function runForTenant(app: FastifyInstance): void {
  app.decorateRequest('tenant');
  app.addHook('onRequest', (request, _reply, done) => {
    const { isHeavy = false, access } = request.routeOptions.config;
    const sight = access?.bound === 'family' ? 'family' : 'workspace';
    request.tenant = { id: null, isHeavy, sight };
    asTenant(request.tenant, done);
  });
  // The body's bytes arrive in the context of the connection.
  app.addHook('preValidation', (request, _reply, done) => asTenant(request.tenant, done));
}

/** The tenant is the workspace of the caller; registered behind the authentication. Routes for people alone have no caller. */
export function countCallers(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const caller = request.caller as FastifyRequest['caller'] | undefined;
    request.tenant.id = caller?.workspaceId ?? null;
    done();
  });
}
