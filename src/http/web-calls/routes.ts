import type { FastifyReply, FastifyRequest } from 'fastify';
import { giveFeedback } from '../../domain/web-calls/feedback.ts';
import {
  openPublicWebCall,
  type OpenedWebCall as Opened,
  type Warned,
} from '../../domain/web-calls/open-web-call.ts';
import { openWebChat } from '../../domain/web-chats/open-web-chat.ts';
import { keyHashOf } from '../../domain/workspaces/authenticate-key.ts';
import { ApiError, errors } from '../../errors.ts';
import { publicKeyHint } from '../server/credential-hints.ts';
import { throwIfThrottled, type FailureThrottle } from '../server/authenticate.ts';
import type { HostLimits } from '../../domain/users/host-limits.ts';
import type { ListedOrigins } from '../server/listed-origins.ts';
import { CallParams } from '../calls/schemas.ts';
import { answers } from '../common/schemas.ts';
import {
  FeedbackAnswer,
  FeedbackBody,
  OpenedWebCall,
  OpenedWebChat,
  WebCallBody,
  WebChatBody,
} from './schemas.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import type { Server } from '../server/type-provider.ts';
import { webSocketUrl } from '../server/web-socket-paths.ts';
import { PageLimit } from './page-limit.ts';

type WebCallsRouteDeps = Pick<
  ServerDeps,
  'db' | 'clock' | 'seal' | 'rate' | 'link' | 'webCalls' | 'notices' | 'unitPrices'
>;

const tags = ['Calling'];
const WEB_CALL = '/calling/webcall';
const WEB_CHAT = '/chat/web';
const FEEDBACK = '/calling/:call_id/feedback';
/** A browser asks before each call or chat: preflights have a wider limit. */
const PREFLIGHTS_PER_CALL = 5;
const MINUTE_MS = 60_000;

export const toOpenedWebCall = ({ callId, token, warnings }: Opened & Warned, publicUrl: string) => ({
  call_id: callId,
  token,
  ws_url: webSocketUrl(publicUrl, 'call'),
  warnings: [...warnings],
});

/**
 * POST /calling/webcall and POST /chat/web, the only endpoints for public keys, and the preflight requests of the pages that
 * hold one.
 */
export function publicPageRoutes(
  app: Server,
  deps: WebCallsRouteDeps,
  throttle: FailureThrottle,
  origins: ListedOrigins,
  limits: HostLimits,
): void {
  const { perAddress, perKey, maxMs: maxWebCallMs } = deps.webCalls;
  const byAddress = new PageLimit(perAddress, limits.counts('page_address', MINUTE_MS));
  const byKey = new PageLimit(perKey, limits.counts('page_key', MINUTE_MS));
  const preflights = new PageLimit(
    perAddress * PREFLIGHTS_PER_CALL,
    limits.counts('page_preflight', MINUTE_MS),
  );

  app.decorateRequest('publicKey', '');
  const authenticate = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    limit(byAddress.take(request.ip), perAddress);
    await origins.expose(request, reply);
    const key = request.headers['x-api-key'];
    if (typeof key !== 'string' || keyHashOf(key) === null) {
      throttle.failed(request.ip);
      throw errors.invalidCredentials(publicKeyHint(request));
    }
    throwIfThrottled(throttle, request, keyHashOf(key));
    limit(byKey.take(key), perKey);
    request.publicKey = key;
  };

  /** A wrong key counts against the address. */
  const counted = <T>(request: FastifyRequest, open: (origin: string | null) => Promise<T>): Promise<T> =>
    open(request.headers.origin ?? null).catch((error: unknown) => {
      if (!(error instanceof ApiError && error.status === 401)) throw error;
      throttle.failed(request.ip);
      throw errors.invalidCredentials(publicKeyHint(request));
    });

  app.post(
    WEB_CALL,
    {
      onRequest: authenticate,
      config: { rateClass: 'dial' },
      schema: {
        operationId: 'openWebCall',
        summary: 'Begin a browser call',
        description:
          "For web pages: the key is the agent's webcall_public_key, and the Origin must be one of its whitelisted_domains. docs/widget.md describes the WebSocket.",
        tags,
        body: WebCallBody,
        response: answers(OpenedWebCall, 400, 402, 403, 413, 415, 422),
      },
    },
    async (request) => {
      if (!deps.webCalls.areHere) throw errors.webCallsElsewhere();
      const {
        agent_id: agentId,
        custom_args_values: args = {},
        media_type: mediaType = 'audio',
        signed_values: signed = null,
      } = request.body;
      const opened = await counted(request, (origin) =>
        openPublicWebCall({ ...deps, maxWebCallMs }, request.publicKey, origin, {
          agentId,
          args,
          signed,
          mediaType,
        }),
      );
      return toOpenedWebCall(opened, deps.link.publicUrl);
    },
  );

  app.post(
    WEB_CHAT,
    {
      onRequest: authenticate,
      config: { rateClass: 'dial' },
      schema: {
        operationId: 'openWebChat',
        summary: 'Begin a chat of a web page',
        description:
          "For web pages: the key is the agent's webcall_public_key, and the Origin must be one of its whitelisted_domains. docs/widget.md describes the WebSocket.",
        tags: ['Chats'],
        body: WebChatBody,
        response: answers(OpenedWebChat, 400, 402, 403, 413, 415, 422),
      },
    },
    async (request) => {
      const { agent_id: agentId, custom_args_values: args = {}, signed_values: signed = null } = request.body;
      const opened = await counted(request, (origin) =>
        openWebChat(deps, request.publicKey, origin, { agentId, args, signed }),
      );
      return {
        chat_id: opened.chatId,
        token: opened.token,
        ws_url: webSocketUrl(deps.link.publicUrl, 'chat'),
        warnings: [...opened.warnings],
      };
    },
  );

  for (const path of [WEB_CALL, WEB_CHAT, FEEDBACK]) {
    app.options(path, { schema: { hide: true } }, async (request, reply) => {
      limit(preflights.take(request.ip), perAddress * PREFLIGHTS_PER_CALL);
      if (!(await origins.expose(request, reply)))
        throw errors.originNotAllowed(request.headers.origin ?? null);
      return reply
        .code(204)
        .headers({
          'access-control-allow-methods': 'POST',
          'access-control-allow-headers': 'content-type, x-api-key, x-webcall-token',
          'access-control-max-age': '600',
        })
        .send();
    });
  }
}

function limit(waitSeconds: number, max: number): void {
  if (waitSeconds > 0) throw errors.rateLimited(waitSeconds, 'browser_calls', `${max} a minute`);
}

/** POST /calling/{call_id}/feedback: by the workspace's key, or by the caller with the token of the call. */
export function webCallFeedbackRoutes(app: Server, deps: WebCallsRouteDeps, origins: ListedOrigins): void {
  app.post(
    FEEDBACK,
    {
      config: { rateClass: 'write' },
      onRequest: async (request, reply) => void (await origins.expose(request, reply)),
      schema: {
        operationId: 'giveCallFeedback',
        summary: 'Rate a call',
        description:
          'A later rating replaces an earlier one. The caller of a browser call may send the header X-Webcall-Token with the token that began it, within a day.',
        tags,
        params: CallParams,
        body: FeedbackBody,
        response: answers(FeedbackAnswer, 400, 404, 413, 415, 422),
      },
    },
    async ({ caller, params, body, changeEntry }) => {
      const feedback = { rating: body.rating, comment: body.comment ?? null };
      const { callId } = await giveFeedback(deps, caller.workspaceId, changeEntry, params.call_id, feedback);
      return { status: 'success', data: { call_id: callId }, message: 'Thank you for your feedback' };
    },
  );
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The public key of a page that begins a call or chat. */
    publicKey: string;
  }
}
