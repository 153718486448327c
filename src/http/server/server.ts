import { fastify, type FastifyRequest } from 'fastify';
import { LiveAccess } from '../../domain/access/live-access.ts';
import { KeyCheck } from '../../domain/workspaces/authenticate-key.ts';
import { errors } from '../../errors.ts';
import { newId } from '../../shared/ids.ts';
import { AuditTrail } from '../../domain/audit/audit-trail.ts';
import { RequestLog } from '../../domain/requests/request-log.ts';
import { keepAuditTrail } from '../audit/audit-trail.ts';
import { FailureThrottle, requireAccess } from './authenticate.ts';
import { dashboardRoutes } from './dashboard.ts';
import { handleErrors, sendError } from './error-handler.ts';
import { readJsonBodies } from './json-body.ts';
import { limitOpenDocuments } from '../pages/documents.ts';
import { ListedOrigins } from './listed-origins.ts';
import { documentRoutes } from '../pages/openapi.ts';
import { refuseDialingWithoutSpace } from './free-space.ts';
import { KnownPaths } from './known-paths.ts';
import { nameIgnored } from '../requests/noticed.ts';
import { permitRoutes } from './permissions.ts';
import { limitRates } from './rate-limits.ts';
import { countCallers, runForTenant } from './tenant.ts';
import { logRequests } from '../requests/request-log.ts';
import { agentChangeRoutes } from '../agents/change-routes.ts';
import { agentDraftRoutes } from '../agents/draft-routes.ts';
import { agentDocumentRoutes } from '../agents/document/routes.ts';
import { agentFlowRoutes } from '../agents/flow-routes.ts';
import { agentTestRoutes } from '../agents/test-routes.ts';
import { testCaseRoutes, testRunRoutes } from '../test-cases/routes.ts';
import { agentRoutes } from '../agents/routes.ts';
import { VERSION } from '../../shared/version.ts';
import { analyticsRoutes } from '../analytics/routes.ts';
import { auditRoutes } from '../audit/routes.ts';
import { controlRoutes } from '../calls/control-routes.ts';
import { describeRoutes } from '../agents/describe-routes.ts';
import { callRoutes } from '../calls/routes.ts';
import { chatRoutes } from '../chats/routes.ts';
import { chatTakeOverRoutes } from '../chats/take-over-routes.ts';
import { erasureRoutes } from '../privacy/routes.ts';
import { campaignRejectRoutes, campaignUploadRoutes } from '../campaigns/upload-routes.ts';
import { campaignProgressRoutes } from '../campaigns/progress-routes.ts';
import { campaignRoutes } from '../campaigns/routes.ts';
import { mcpRoutes } from '../mcp/routes.ts';
import { collectOperations } from '../mcp/operations.ts';
import { knowledgeRoutes } from '../knowledge/routes.ts';
import { historyExportRoutes } from '../calls/history-routes.ts';
import { installationRoutes } from '../system/installation-routes.ts';
import { modelRoutes } from '../system/model-routes.ts';
import { trunkSettingsRoutes } from '../trunks/settings-routes.ts';
import { numberSettingsRoutes } from '../numbers/settings-routes.ts';
import { liveRoutes } from '../live/routes.ts';
import { wallRoutes } from '../live/wall-routes.ts';
import { numberPoolRoutes } from '../numbers/routes.ts';
import { overviewRoutes } from '../overview/routes.ts';
import { followUpRoutes } from '../calls/follow-up-routes.ts';
import { alertRoutes } from '../quality/alert-routes.ts';
import { qualityRoutes } from '../quality/routes.ts';
import { scorecardRoutes } from '../quality/scorecard-routes.ts';
import { rehearsalRoutes } from '../rehearsals/routes.ts';
import { recordingPeaksRoutes, recordingRoutes } from '../recordings/routes.ts';
import { providerRoutes } from '../providers/routes.ts';
import { requestRoutes } from '../requests/routes.ts';
import { subWorkspaceRoutes } from '../sub-workspaces/routes.ts';
import { systemRoutes } from '../system/routes.ts';
import { terminationRoutes } from '../termination/routes.ts';
import { voiceMediaRoutes, voiceRoutes } from '../voices/routes.ts';
import { webSessionRoutes } from '../web-calls/session-routes.ts';
import { publicPageRoutes, webCallFeedbackRoutes } from '../web-calls/routes.ts';
import { webhookRoutes } from '../webhooks/routes.ts';
import { carrierWebhookRoutes } from '../carriers/routes.ts';
import { whatsappRoutes, whatsappWebhookRoutes } from '../whatsapp/routes.ts';
import { workspaceRoutes } from '../workspaces/routes.ts';
import { ErrorBody } from '../common/schemas.ts';
import { buildSerializer } from './serialization.ts';
import type { ServerDeps } from './server-deps.ts';
import { answerUnreadable } from './unreadable-requests.ts';
import { limitLargeBodies } from './large-bodies.ts';
import { limitBodyTime } from './slow-bodies.ts';
import { StrangerBodies } from './stranger-bodies.ts';
import { HostLimits } from '../../domain/users/host-limits.ts';
import { shareReads } from './shared-reads.ts';
import { SessionLookups } from '../../domain/users/session-lookups.ts';
import { webSocketKind } from './web-socket-paths.ts';
import { ChangeEvent, LiveEvent, WallEvent } from '../live/schemas.ts';
import { transcriptReads } from '../calls/transcript-reads.ts';
import type { Server, TypeBoxProvider } from './type-provider.ts';
import { webRoutes } from '../pages/web-files.ts';
import { createValidatorCompiler, findUnstorable } from './validation.ts';

const BODY_LIMIT = 1_048_576;
const BODY_MS = 30_000;
const MINUTE_MS = 60_000;
const UPLOAD_MS = 1_800_000;
/** Longer than any path that the HTTP parser accepts. */
const MAX_PARAM = 16_384;
const REQUEST_ID = /^[\w.:-]{1,64}$/;

const PREFIX = '/api/v0';

/** The class of a request's route in the metrics. */
function classOf({ routeOptions: { url, config } }: FastifyRequest): string {
  if (url?.startsWith(PREFIX) !== true) return 'other';
  return config.takesLong === true ? 'upload' : (config.rateClass ?? 'read');
}

/**
 * Builds the HTTP server; the caller then calls `listen` or `inject`. Every route checks in one order: key (401),
 * rate (429), body (413, 415, 400, 422), then the rules of the use-case.
 */
export async function createServer(deps: ServerDeps): Promise<Server> {
  const paths = new KnownPaths(PREFIX);
  const app: Server = fastify({
    logger: false,
    bodyLimit: BODY_LIMIT,
    requestTimeout: UPLOAD_MS,
    connectionTimeout: 60_000,
    http: { headersTimeout: 10_000, shouldUpgradeCallback: (request) => webSocketKind(request) !== null },
    schemaController: { compilersFactory: { buildSerializer } },
    forceCloseConnections: 'idle',
    trustProxy: deps.trustProxy.length === 0 ? false : [...deps.trustProxy],
    genReqId: (request) => {
      const given = request.headers['x-request-id'];
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : `req_${newId()}`;
    },
    // The schemas of ids bound their length, and name the field.
    routerOptions: { maxParamLength: MAX_PARAM },
    clientErrorHandler: (error, socket) => answerUnreadable(error, socket, paths),
    frameworkErrors: (error, request, reply) => {
      void reply.header('x-request-id', request.id);
      void sendError(
        reply,
        errors.malformedRequest(
          error.code === 'FST_ERR_BAD_URL' ? 'its path holds an invalid percent escape' : null,
        ),
      );
    },
  }).withTypeProvider<TypeBoxProvider>();

  app.setValidatorCompiler(createValidatorCompiler());
  for (const schema of [ErrorBody, LiveEvent, WallEvent, ChangeEvent]) app.addSchema(schema);
  paths.collect(app);
  permitRoutes(app);
  runForTenant(app);
  handleErrors(app, deps.log, paths);
  readJsonBodies(app);
  nameIgnored(app, PREFIX);
  limitBodyTime(app, BODY_MS);
  app.addHook('onRequest', async (request, reply) => {
    void reply.headers({ 'x-request-id': request.id, 'x-content-type-options': 'nosniff' });
    // Before the body is read: the framework reads one only with a known content type.
    if (request.is404 || paths.isOfOthers(request)) throw errors.routeNotFound();
  });
  app.addHook('onResponse', async (request, reply) => {
    deps.observe?.({ routeClass: classOf(request), status: reply.statusCode, ms: reply.elapsedTime });
  });
  const keys = new KeyCheck(deps);
  const limits = new HostLimits(deps);
  app.addHook('onReady', async () => limits.start());
  app.addHook('onClose', () => limits.stop());
  const throttle = new FailureThrottle(deps.rateLimits.authFailures, limits.counts('wrong_key', MINUTE_MS));
  const sessions = new SessionLookups(deps);
  const auth = { ...deps, keys, sessions, throttle };
  requireAccess(app, auth);
  countCallers(app);
  const { kept = 0, onDropped = () => undefined } = deps.requestLog ?? {};
  logRequests(app, new RequestLog({ ...deps, kept, onDropped }), auth, PREFIX);
  app.addHook('preValidation', async (request) => {
    const inBody = request.isBodyStorable ? null : findUnstorable(request.body, '');
    const path = inBody ?? findUnstorable(request.query, '');
    if (path !== null) {
      throw errors.invalid(
        path === '' ? 'body' : path,
        'holds NUL or an unpaired surrogate, which cannot be stored',
      );
    }
    if (findUnstorable(request.params, '') !== null) throw errors.routeNotFound();
  });

  limitOpenDocuments(app, deps);
  await documentRoutes(app, VERSION, deps.web ?? null);
  const audit = new AuditTrail(deps);
  const noteTranscriptRead = transcriptReads(app, audit, deps.clock);
  const origins = new ListedOrigins(deps);
  const live = new LiveAccess(deps);
  app.addHook('onClose', async () => live.close());
  const operations = collectOperations(app);
  await app.register(
    async (api: Server) => {
      keepAuditTrail(api, audit);
      await limitRates(api, deps.rateLimits);
      limitLargeBodies(api, BODY_LIMIT);
      refuseDialingWithoutSpace(api, deps);
      shareReads(api, deps.clock);
      agentRoutes(api, deps);
      describeRoutes(api, deps);
      agentChangeRoutes(api, deps);
      agentTestRoutes(api, deps);
      agentDocumentRoutes(api, deps);
      agentFlowRoutes(api, deps);
      agentDraftRoutes(api, deps);
      testCaseRoutes(api, deps);
      testRunRoutes(api, deps);
      rehearsalRoutes(api, deps);
      followUpRoutes(api, deps);
      qualityRoutes(api, deps);
      scorecardRoutes(api, deps);
      alertRoutes(api, deps);
      voiceRoutes(api, deps);
      callRoutes(api, deps, noteTranscriptRead);
      controlRoutes(api, deps);
      liveRoutes(api, deps, noteTranscriptRead, live, limits);
      wallRoutes(api, deps, noteTranscriptRead, live, limits);
      chatRoutes(api, deps, noteTranscriptRead);
      chatTakeOverRoutes(api, deps);
      whatsappRoutes(api, deps);
      numberPoolRoutes(api, deps);
      campaignRoutes(api, deps);
      campaignProgressRoutes(api, deps);
      terminationRoutes(api, deps);
      historyExportRoutes(api, deps);
      recordingPeaksRoutes(api, deps, audit);
      erasureRoutes(api, deps);
      auditRoutes(api, deps);
      requestRoutes(api, deps);
      subWorkspaceRoutes(api, deps);
      workspaceRoutes(api, deps);
      providerRoutes(api, deps);
      overviewRoutes(api, deps, live, limits);
      installationRoutes(api, deps);
      modelRoutes(api, deps);
      trunkSettingsRoutes(api, deps);
      numberSettingsRoutes(api, deps);
      analyticsRoutes(api, deps);
      webhookRoutes(api, deps, noteTranscriptRead);
      webSessionRoutes(api, deps);
      webCallFeedbackRoutes(api, deps, origins);
      await api.register((scope: Server) => knowledgeRoutes(scope, deps));
      await api.register((scope: Server) => campaignUploadRoutes(scope, deps));
    },
    { prefix: PREFIX },
  );
  await app.register(async (scope: Server) => {
    await limitRates(scope, deps.rateLimits);
    limitLargeBodies(scope, BODY_LIMIT);
    mcpRoutes(scope, operations);
  });
  const bodies = new StrangerBodies(() => deps.onRefused?.('body'));
  await app.register(
    async (api: Server) => {
      bodies.guard(api, BODY_LIMIT);
      refuseDialingWithoutSpace(api, deps);
      publicPageRoutes(api, deps, throttle, origins, limits);
    },
    { prefix: PREFIX },
  );
  await dashboardRoutes(app, { ...deps, limits }, auth, audit, bodies);
  await app.register((scope: Server) => whatsappWebhookRoutes(scope, deps, bodies));
  await app.register((scope: Server) => carrierWebhookRoutes(scope, deps, bodies));
  recordingRoutes(app, deps, audit);
  campaignRejectRoutes(app, deps);
  voiceMediaRoutes(app, deps);
  systemRoutes(app, deps);
  if (deps.web != null) webRoutes(app, deps.web);
  return app;
}
