import { fastify } from 'fastify';
import { KeyCheck } from '../domain/workspaces/authenticate-key.ts';
import { errors } from '../errors.ts';
import { newId } from '../shared/ids.ts';
import { AuditTrail } from '../domain/audit/audit-trail.ts';
import { auditedDb } from '../domain/audit/change-entry.ts';
import { keepAuditTrail } from './audit-trail.ts';
import { FailureThrottle, requireKey } from './authenticate.ts';
import { handleErrors, sendError } from './error-handler.ts';
import { readJsonBodies } from './json-body.ts';
import { documentRoutes } from './openapi.ts';
import { limitRates } from './rate-limits.ts';
import { agentChangeRoutes } from './routes/agent-changes.ts';
import { agentRoutes } from './routes/agents.ts';
import { analyticsRoutes } from './routes/analytics.ts';
import { auditRoutes } from './routes/audit.ts';
import { callRoutes } from './routes/calls.ts';
import { erasureRoutes } from './routes/erasure.ts';
import { campaignRejectRoutes, campaignUploadRoutes } from './routes/campaign-uploads.ts';
import { campaignRoutes } from './routes/campaigns.ts';
import { knowledgeRoutes } from './routes/knowledge.ts';
import { historyExportRoutes } from './routes/history-export.ts';
import { liveRoutes } from './routes/live.ts';
import { numberPoolRoutes } from './routes/number-pools.ts';
import { recordingPeaksRoutes, recordingRoutes } from './routes/recordings.ts';
import { subWorkspaceRoutes } from './routes/sub-workspaces.ts';
import { systemRoutes } from './routes/system.ts';
import { terminationRoutes } from './routes/termination.ts';
import { voiceMediaRoutes, voiceRoutes } from './routes/voices.ts';
import { webhookRoutes } from './routes/webhooks.ts';
import { workspaceRoutes } from './routes/workspaces.ts';
import { ErrorBody } from './schemas/common.ts';
import { buildSerializer } from './serialization.ts';
import type { ServerDeps } from './server-deps.ts';
import { limitBodyTime } from './slow-bodies.ts';
import type { Server, TypeBoxProvider } from './type-provider.ts';
import { createValidatorCompiler, findUnstorable } from './validation.ts';

const API_VERSION = '0.1.0';
const BODY_LIMIT = 1_048_576;
const BODY_MS = 30_000;
const UPLOAD_MS = 1_800_000;
const REQUEST_ID = /^[\w.:-]{1,64}$/;

/**
 * Builds the whole HTTP side without listening: call `listen` or `inject` on what comes back. Checks run in one
 * order everywhere: key (401), rate (429), body (413, 415, 400, 422), then what the use-case refuses.
 */
export async function createServer(given: ServerDeps): Promise<Server> {
  const deps: ServerDeps = { ...given, db: auditedDb(given.db) };
  const app: Server = fastify({
    logger: false,
    bodyLimit: BODY_LIMIT,
    requestTimeout: UPLOAD_MS,
    connectionTimeout: 60_000,
    http: { headersTimeout: 10_000 },
    schemaController: { compilersFactory: { buildSerializer } },
    forceCloseConnections: 'idle',
    trustProxy: deps.trustProxy.length === 0 ? false : [...deps.trustProxy],
    genReqId: (request) => {
      const given = request.headers['x-request-id'];
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : `req_${newId()}`;
    },
    frameworkErrors: (_error, request, reply) => {
      void reply.header('x-request-id', request.id);
      void sendError(reply, errors.malformedRequest());
    },
  }).withTypeProvider<TypeBoxProvider>();

  app.setValidatorCompiler(createValidatorCompiler());
  app.addSchema(ErrorBody);
  handleErrors(app, deps.log);
  readJsonBodies(app);
  limitBodyTime(app, BODY_MS);
  app.addHook('onRequest', async (request, reply) => {
    void reply.headers({ 'x-request-id': request.id, 'x-content-type-options': 'nosniff' });
  });
  app.addHook('preValidation', async (request) => {
    const path = findUnstorable(request.body, '') ?? findUnstorable(request.query, '');
    if (path !== null) {
      throw errors.invalid(
        path === '' ? 'body' : path,
        'holds NUL or an unpaired surrogate, which cannot be stored',
      );
    }
    if (findUnstorable(request.params, '') !== null) throw errors.routeNotFound();
  });

  await documentRoutes(app, API_VERSION);
  const keys = new KeyCheck(deps);
  const audit = new AuditTrail(given);
  const throttle = new FailureThrottle({ limit: deps.rateLimits.authFailures, clock: deps.clock });
  await app.register(
    async (api: Server) => {
      requireKey(api, keys, throttle);
      keepAuditTrail(api, audit);
      await limitRates(api, deps.rateLimits);
      agentRoutes(api, deps);
      agentChangeRoutes(api, deps);
      voiceRoutes(api, deps);
      callRoutes(api, deps);
      liveRoutes(api, deps);
      numberPoolRoutes(api, deps);
      campaignRoutes(api, deps);
      terminationRoutes(api, deps);
      historyExportRoutes(api, deps);
      recordingPeaksRoutes(api, deps, audit);
      erasureRoutes(api, deps);
      auditRoutes(api, deps);
      subWorkspaceRoutes(api, deps);
      workspaceRoutes(api, deps);
      analyticsRoutes(api, deps);
      webhookRoutes(api, deps);
      await api.register((scope: Server) => knowledgeRoutes(scope, deps));
      await api.register((scope: Server) => campaignUploadRoutes(scope, deps));
    },
    { prefix: '/api/v0' },
  );
  recordingRoutes(app, deps, audit);
  campaignRejectRoutes(app, deps);
  voiceMediaRoutes(app, deps);
  systemRoutes(app, deps);
  return app;
}
