import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Db } from '../../domain/database.ts';
import { isAtLeast, type Role } from '../../domain/users/roles.ts';
import { isCsrfToken, sessionIn, sessionOf, type SessionUser } from '../../domain/users/sessions.ts';
import { keyHashOf, type Caller, type KeyCheck } from '../../domain/workspaces/authenticate-key.ts';
import { callOfCaller } from '../../domain/web-calls/feedback.ts';
import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { isUuid } from '../../shared/ids.ts';
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
  interface FastifyContextConfig {
    /** The role that a session needs; default viewer for reading and manager for changes. A key needs none. */
    role?: Role;
    /** The caller of a browser call may send its token instead of a key. */
    takesCallToken?: boolean;
  }
}

/** No workspace has this id. */
const NO_WORKSPACE = '00000000-0000-0000-0000-000000000000';

const WINDOW_MS = 60_000;
const MAX_ADDRESSES = 10_000;
const MAX_GOOD_KEYS = 10_000;

/**
 * Counts wrong keys per address in windows of a minute. An address over the limit is refused without a database
 * lookup, except for keys that were valid lately: other clients behind the same address keep working.
 */
export class FailureThrottle {
  readonly #limit: number;
  readonly #clock: Clock;
  readonly #failures = new Map<string, { since: number; count: number }>();
  readonly #goodKeys = new Set<string>();

  constructor(options: { limit: number; clock: Clock }) {
    this.#limit = options.limit;
    this.#clock = options.clock;
  }

  /** The limit, as an error names it. */
  get limitText(): string {
    return `${this.#limit} a minute`;
  }

  /** Seconds until the address may try an unknown key again; 0 means now. */
  waitSeconds(address: string, keyHash: string | null): number {
    const entry = this.#failures.get(address);
    if (this.#limit === 0 || entry === undefined || entry.count < this.#limit) return 0;
    if (keyHash !== null && this.#goodKeys.has(keyHash)) return 0;
    return Math.max(0, Math.ceil((entry.since + WINDOW_MS - this.#clock.monotonic()) / 1000));
  }

  failed(address: string): void {
    const now = this.#clock.monotonic();
    const entry = this.#failures.get(address);
    if (entry !== undefined && now - entry.since < WINDOW_MS) {
      entry.count += 1;
      return;
    }
    this.#failures.delete(address);
    if (this.#failures.size >= MAX_ADDRESSES) dropOldest(this.#failures);
    this.#failures.set(address, { since: now, count: 1 });
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
  throttle: FailureThrottle;
}

/**
 * Authenticates every request of `app` before its other hooks, so that 401 precedes any inspection of the body: by the
 * API key of a workspace, or by the session of a member with the header X-Workspace-Id.
 */
export function requireCaller(app: FastifyInstance, auth: AuthDeps): void {
  app.decorateRequest('caller');
  app.decorateRequest('user');
  app.addHook('onRequest', async (request) => {
    const callToken = request.headers['x-webcall-token'];
    if (typeof callToken === 'string' && request.routeOptions.config.takesCallToken === true) {
      return requireCallToken(auth, request, callToken);
    }
    const header = request.headers['x-api-key'];
    const token = header === undefined ? sessionToken(request, auth.link.publicUrl) : null;
    if (token !== null) return requireMember(auth, request, token);
    const keyHash = keyHashOf(typeof header === 'string' ? header : undefined);
    throwIfThrottled(auth.throttle, request, keyHash);
    const caller = keyHash === null ? null : await auth.keys.find(keyHash);
    if (keyHash === null || caller === null) {
      auth.throttle.failed(request.ip);
      throw errors.invalidCredentials(workspaceKeyHint(request));
    }
    auth.throttle.succeeded(keyHash);
    request.caller = caller;
    return undefined;
  });
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
  request.caller = auth.keys.callerOf(call.workspaceId, {}, { type: 'signed_link', name: 'the caller' });
}

/** As `requireCaller`, for endpoints that no key may use. */
export function requireMembership(app: FastifyInstance, auth: AuthDeps): void {
  app.decorateRequest('caller');
  app.decorateRequest('user');
  app.addHook('onRequest', (request) =>
    requireMember(auth, request, sessionToken(request, auth.link.publicUrl)),
  );
}

/** Requires a session, without a workspace. */
export function requireUser(app: FastifyInstance, auth: AuthDeps): void {
  app.decorateRequest('user');
  app.addHook('onRequest', async (request) => {
    const token = sessionToken(request, auth.link.publicUrl);
    throwIfThrottled(auth.throttle, request, token);
    request.user = accepted(auth, request, token, token === null ? null : await sessionOf(auth, token));
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

async function requireMember(auth: AuthDeps, request: FastifyRequest, token: string | null): Promise<void> {
  throwIfThrottled(auth.throttle, request, token);
  const given = request.headers['x-workspace-id'];
  const workspaceId = typeof given === 'string' && isUuid(given) ? given.toLowerCase() : NO_WORKSPACE;
  const session = token === null ? null : await sessionIn(auth, token, workspaceId);
  request.user = accepted(auth, request, token, session);
  const { role = null, settings = null } = session ?? {};
  if (role === null || settings === null) throw errors.notMember();
  const { role: needed = CHANGES.has(request.method) ? 'manager' : 'viewer' } = request.routeOptions.config;
  if (!isAtLeast(role, needed)) throw errors.roleTooLow(needed);
  request.caller = auth.keys.callerOf(workspaceId, settings, { type: 'user', name: request.user.email });
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
