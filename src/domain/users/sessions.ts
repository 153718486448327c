import { createHmac, timingSafeEqual } from 'node:crypto';
import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { isUuid, newId, randomToken, sha256 } from '../../shared/ids.ts';
import type { Db, Tx } from '../../store/database.ts';
import {
  deleteSession,
  deleteSessionByToken,
  findSession,
  insertSession,
  listSessions,
  touchSession,
  type SessionInWorkspace,
  type SessionRow,
  type SessionUser,
} from '../../store/tenants/sessions.ts';

import type { SessionLookups } from './session-lookups.ts';

const DAY_MS = 86_400_000;
/** A session ends this long after its sign-in. */
export const SESSION_MS = 30 * DAY_MS;
/** A session that is not used for this long ends. */
const IDLE_MS = 7 * DAY_MS;
const TOUCH_EVERY_MS = 60_000;
const TOKEN_CHARS = 43;
const MOST_PER_USER = 50;
const MAX_USER_AGENT = 300;

export type { SessionUser };

interface Deps {
  db: Db;
  clock: Clock;
}

/** The client of a sign-in. */
export interface Client {
  readonly address: string;
  readonly userAgent: string;
  /** The token of a session that the browser already has: it ends with the sign-in, so tokens are never reused. */
  readonly oldToken: string | null;
}

/** The times by which sessions are valid. */
export const validAt = (clock: Clock): { now: Date; idleSince: Date } => ({
  now: new Date(clock.now()),
  idleSince: new Date(clock.now() - IDLE_MS),
});

const hashOf = (token: string): string | null => (token.length === TOKEN_CHARS ? sha256(token) : null);

/** Starts a session and returns its token, which is not stored. */
export async function startSession(tx: Tx, clock: Clock, userId: string, client: Client): Promise<string> {
  const token = randomToken(TOKEN_CHARS);
  if (client.oldToken !== null) await deleteSessionByToken(tx, sha256(client.oldToken));
  const at = validAt(clock);
  await insertSession(
    tx,
    {
      id: newId(),
      userId,
      tokenHash: sha256(token),
      expiresAt: new Date(clock.now() + SESSION_MS),
      address: client.address,
      userAgent: client.userAgent.slice(0, MAX_USER_AGENT),
    },
    at,
    MOST_PER_USER,
  );
  return token;
}

/** The user of a session; null: the token is invalid, expired or revoked. Every request queries the database. */
export async function sessionOf(deps: Deps, token: string): Promise<SessionUser | null> {
  const hash = hashOf(token);
  return hash === null ? null : touched(deps, await findSession(deps.db, hash, validAt(deps.clock)));
}

/** As `sessionOf`, with the user's role in the workspace. */
export async function sessionIn(
  deps: Deps & { readonly sessions: SessionLookups },
  token: string,
  workspaceId: string,
): Promise<SessionInWorkspace | null> {
  const hash = hashOf(token);
  if (hash === null) return null;
  return touched(deps, await deps.sessions.find(hash, workspaceId));
}

/** Stores the last use at most once a minute; a failed update is ignored. */
function touched<T extends SessionUser>(deps: Deps, session: T | null): T | null {
  const now = deps.clock.now();
  if (session !== null && now - session.seenAt.getTime() >= TOUCH_EVERY_MS) {
    touchSession(deps.db, session.sessionId, new Date(now)).catch(() => undefined);
  }
  return session;
}

export const endSession = (deps: Deps, token: string): Promise<void> =>
  deleteSessionByToken(deps.db, sha256(token));

export const readSessions = (deps: Deps, userId: string): Promise<SessionRow[]> =>
  listSessions(deps.db, userId, validAt(deps.clock));

/** Throws 404. */
export async function revokeSession(deps: Deps, userId: string, sessionId: string): Promise<void> {
  const isFound = isUuid(sessionId) && (await deleteSession(deps.db, userId, sessionId));
  if (!isFound) throw errors.sessionNotFound();
}

/** The token that requests of a session repeat in a header, which other sites cannot read or set. */
export const csrfToken = (token: string): string =>
  createHmac('sha256', token).update('csrf').digest('base64url');

export function isCsrfToken(token: string, given: string): boolean {
  const expected = Buffer.from(csrfToken(token));
  const actual = Buffer.from(given);
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}
