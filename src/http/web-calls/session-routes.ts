import {
  openWebCallSession,
  openWebChatSession,
  type SessionRequest,
} from '../../domain/web-chats/open-web-session.ts';
import { errors } from '../../errors.ts';
import { answers } from '../common/schemas.ts';
import { WebCallSession, WebCallSessionBody, WebChatSession, WebChatSessionBody } from './schemas.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import type { Server } from '../server/type-provider.ts';
import { webSocketUrl } from '../server/web-socket-paths.ts';
import { iso } from '../common/values.ts';

type WebCallsSessionRouteDeps = Pick<
  ServerDeps,
  'db' | 'clock' | 'rate' | 'link' | 'webCalls' | 'notices' | 'unitPrices'
>;

const DEFAULT_SECONDS = 300;

interface SessionBody {
  readonly agent_id: string;
  readonly custom_args_values?: Readonly<Record<string, string>>;
  readonly origin?: string;
  readonly expires_in?: number;
}

const requestOf = (body: SessionBody, isStrict: boolean): SessionRequest => ({
  isStrict,
  agentId: body.agent_id,
  args: body.custom_args_values ?? {},
  origin: body.origin === undefined ? null : originOf(body.origin),
  expiresInMs: (body.expires_in ?? DEFAULT_SECONDS) * 1000,
});

/** An origin as browsers send it. Throws 422. */
function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.href !== `${url.origin}/` && url.href !== url.origin) || url.origin === 'null') {
    throw errors.invalid('origin', 'must be a web address without a path, such as https://www.example.com');
  }
  return url.origin;
}

/** POST /calling/webcall/session and POST /chat/web/session: sessions whose variables the page cannot change. */
export function webSessionRoutes(app: Server, deps: WebCallsSessionRouteDeps): void {
  const description =
    "For your server, with the workspace's key: it fixes the variables, and the visitor's page connects with the token. Nothing that the page sends changes them. docs/widget.md has an example.";

  app.post(
    '/calling/webcall/session',
    {
      config: { rateClass: 'dial' },
      schema: {
        operationId: 'openWebCallSession',
        summary: 'Open a browser call for a visitor',
        description,
        tags: ['Calling'],
        body: WebCallSessionBody,
        response: answers(WebCallSession, 400, 402, 403, 404, 413, 415, 422),
      },
    },
    async ({ caller, body, changeEntry }) => {
      if (!deps.webCalls.areHere) throw errors.webCallsElsewhere();
      const { callId, token, expiresAt, warnings } = await openWebCallSession(
        { ...deps, maxWebCallMs: deps.webCalls.maxMs },
        caller.workspaceId,
        changeEntry,
        { ...requestOf(body, caller.strictVariables), mediaType: body.media_type ?? 'audio' },
      );
      const wsUrl = webSocketUrl(deps.link.publicUrl, 'call');
      return { call_id: callId, token, ws_url: wsUrl, expires_at: iso(expiresAt), warnings: [...warnings] };
    },
  );

  app.post(
    '/chat/web/session',
    {
      config: { rateClass: 'dial' },
      schema: {
        operationId: 'openWebChatSession',
        summary: 'Open a chat for a visitor',
        description,
        tags: ['Chats'],
        body: WebChatSessionBody,
        response: answers(WebChatSession, 400, 402, 403, 404, 413, 415, 422),
      },
    },
    async ({ caller, body, changeEntry }) => {
      const { chatId, token, expiresAt, warnings } = await openWebChatSession(
        deps,
        caller.workspaceId,
        changeEntry,
        requestOf(body, caller.strictVariables),
      );
      const wsUrl = webSocketUrl(deps.link.publicUrl, 'chat');
      return { chat_id: chatId, token, ws_url: wsUrl, expires_at: iso(expiresAt), warnings: [...warnings] };
    },
  );
}
