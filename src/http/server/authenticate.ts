import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Db } from '../../domain/database.ts';
import { allows, type Access } from '../../domain/access/access.ts';
import type { SessionLookups } from '../../domain/users/session-lookups.ts';
import { isCsrfToken, sessionIn, sessionOf, type SessionUser } from '../../domain/users/sessions.ts';
import { keyHashOf, type Caller, type KeyCheck } from '../../domain/workspaces/authenticate-key.ts';
import type { Scope } from '../../domain/access/scopes.ts';
import { callOfCaller } from '../../domain/web-calls/feedback.ts';
import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { isUuid } from '../../shared/ids.ts';
import type { WindowCounts } from '../../shared/limits/window-counts.ts';
import { CALL_TOKEN_HINT, workspaceKeyHint } from './credential-hints.ts';
import { sessionToken } from '../account/session-cookie.ts';

/** The user of a session. */
export interface SignedIn {
  readonly userId: string;
  readonly sessionId: string;
  readonly email: string;
  readonly token: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The workspace and actor of the request; set on every route behind a key or a membership. */
    caller: Caller;
    /** The signed-in user; set on requests with a session. */
    user: SignedIn;
  }
}

/** No workspace has this id. */
const NO_WORKSPACE = '00000000-0000-0000-0000-000000000000';

const MAX_GOOD_KEYS = 10_000;

/**
 * Counts wrong keys per address in windows of a minute. An address over the limit is refused without a database
 * lookup, except for keys that were valid lately: other clients behind the same address keep working.
 */
export class FailureThrottle {
  readonly #limit: number;
  readonly #failures: WindowCounts;
  readonly #goodKeys = new Set<string>();

  constructor(limit: number, failures: WindowCounts) {
    this.#limit = limit;
    this.#failures = failures;
  }

  /** The limit, as an error names it. */
  get limitText(): string {
    return `${this.#limit} a minute`;
  }

  /** Seconds until the address may try an unknown key again; 0 means now. */
  waitSeconds(address: string, keyHash: string | null): number {
    if (this.#limit === 0 || this.#failures.count(address) < this.#limit) return 0;
    if (keyHash !== null && this.#goodKeys.has(keyHash)) return 0;
    return this.#failures.waitSeconds(address);
  }

  failed(address: string): void {
    this.#failures.add(address);
  }

  succeeded(keyHash: string): void {
    if (this.#goodKeys.has(keyHash)) return;
    if (this.#goodKeys.size >= MAX_GOOD_KEYS) dropOldest(this.#goodKeys);
    this.#goodKeys.add(keyHash);
  }
}

function dropOldest(entries: { keys(): Iterator<string>; delete(key: string): boolean }): void {
  const oldest = entries.keys().next();
  if (!oldest.done) entries.delete(oldest.value);
}

const CHANGES = new Set(['POST', 'PATCH', 'PUT', 'DELETE']);

/** What the authentication of requests needs. */
export interface AuthDeps {
  db: Db;
  clock: Clock;
  link: { readonly publicUrl: string };
  keys: KeyCheck;
  sessions: SessionLookups;
  throttle: FailureThrottle;
}

/**
 * Allows every request that the table of permissions allows, before other hooks, so that 401 precedes any inspection of
 * the body: by the key of a workspace, by the session of a member with the header X-Workspace-Id, or by the token of a
 * browser call. Links and public keys are checked by their routes.
 */
export function requireAccess(app: FastifyInstance, auth: AuthDeps): void {
  app.decorateRequest('caller');
  app.decorateRequest('user');
  app.addHook('onRequest', async (request) => {
    const { access } = request.routeOptions.config;
    if (access === undefined || (access.scope === null && access.need === null)) return undefined;
    const callToken = request.headers['x-webcall-token'];
    if (access.open === 'call_token' && typeof callToken === 'string') {
      return requireCallToken(auth, request, callToken);
    }
    const key = request.headers['x-api-key'];
    const takesCookie = access.need !== null && (access.scope === null || key === undefined);
    const token = takesCookie ? sessionToken(request, auth.link.publicUrl) : null;
    if (access.scope === null || token !== null) return requireSession(auth, request, access, token);
    return requireKey(auth, request, access, access.scope);
  });
}

async function requireKey(
  auth: AuthDeps,
  request: FastifyRequest,
  access: Access,
  scope: Scope | 'any',
): Promise<void> {
  const header = request.headers['x-api-key'];
  const keyHash = keyHashOf(typeof header === 'string' ? header : undefined);
  throwIfThrottled(auth.throttle, request, keyHash);
  const caller = keyHash === null ? null : await auth.keys.find(keyHash, request.ip);
  if (keyHash === null || caller === null) {
    auth.throttle.failed(request.ip);
    throw errors.invalidCredentials(workspaceKeyHint(request));
  }
  auth.throttle.succeeded(keyHash);
  request.caller = caller;
  const { principal } = caller;
  if (!allows(access, principal)) {
    throw errors.scopeMissing(scope, principal.kind === 'key' && principal.scopes !== null);
  }
}

/** The token stands for its own call alone. */
async function requireCallToken(auth: AuthDeps, request: FastifyRequest, token: string): Promise<void> {
  throwIfThrottled(auth.throttle, request, null);
  const { call_id: callId = '' } = request.params as { readonly call_id?: string };
  const call = await callOfCaller(auth, token, callId);
  if (call === null) {
    auth.throttle.failed(request.ip);
    throw errors.invalidCredentials(CALL_TOKEN_HINT);
  }
  request.caller = auth.keys.callerOf(
    call.workspaceId,
    {},
    {
      actor: { type: 'signed_link', name: 'the caller' },
      principal: { kind: 'call_token' },
      credential: { kind: 'call' },
    },
  );
}

async function requireSession(
  auth: AuthDeps,
  request: FastifyRequest,
  access: Access,
  token: string | null,
): Promise<void> {
  throwIfThrottled(auth.throttle, request, token);
  const { need } = access;
  if (need === 'account' || need === 'operator') {
    const session = token === null ? null : await sessionOf(auth, token);
    request.user = accepted(auth, request, token, session);
    const isOperator = session?.isOperator ?? false;
    if (!allows(access, { kind: 'session', role: null, isOperator })) throw errors.operatorsOnly();
    return;
  }
  const given = request.headers['x-workspace-id'];
  const workspaceId = typeof given === 'string' && isUuid(given) ? given.toLowerCase() : NO_WORKSPACE;
  const session = token === null ? null : await sessionIn(auth, token, workspaceId);
  request.user = accepted(auth, request, token, session);
  const { role = null, settings = null, isOperator = false, sessionId = '' } = session ?? {};
  if (role === null || settings === null) throw errors.notMember();
  const principal = { kind: 'session', role, isOperator } as const;
  if (!allows(access, principal)) throw errors.roleTooLow(need ?? 'owner');
  request.caller = auth.keys.callerOf(workspaceId, settings, {
    actor: { type: 'user', name: request.user.email },
    principal,
    credential: { kind: 'session', id: sessionId },
  });
}

/** Refuses changes that come from pages of other sites. */
export function refuseCrossSite(request: FastifyRequest): void {
  if (!CHANGES.has(request.method)) return;
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) {
    if (site !== 'same-origin') throw errors.crossSite();
    return;
  }
  const { origin } = request.headers;
  if (origin === undefined) return;
  if (!URL.canParse(origin) || new URL(origin).host !== request.host) throw errors.crossSite();
}

/** Throws 401 without a session, and 403 for a change whose page does not prove to be one of this service. */
function accepted(
  auth: AuthDeps,
  request: FastifyRequest,
  token: string | null,
  session: SessionUser | null,
): SignedIn {
  if (token === null || session === null) {
    auth.throttle.failed(request.ip);
    throw errors.signedOut();
  }
  auth.throttle.succeeded(token);
  refuseCrossSite(request);
  const csrf = request.headers['x-csrf-token'];
  if (CHANGES.has(request.method) && !isCsrfToken(token, typeof csrf === 'string' ? csrf : '')) {
    throw errors.crossSite();
  }
  return { userId: session.userId, sessionId: session.sessionId, email: session.email, token };
}

/** `credential` is the key's hash or the session's token. */
export function throwIfThrottled(
  throttle: FailureThrottle,
  request: FastifyRequest,
  credential: string | null,
): void {
  const wait = throttle.waitSeconds(request.ip, credential);
  if (wait > 0) throw errors.rateLimited(wait, 'wrong_keys', throttle.limitText);
}
