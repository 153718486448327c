import type { WebRefusal } from './web-refusal.ts';
import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { isUuid, newId, randomToken, sha256 } from '../../shared/ids.ts';
import type { Log } from '../../shared/log.ts';
import { insertAudit } from '../../store/audit.ts';
import {
  endListener,
  insertListener,
  lockListener,
  lostListeners,
  startListener,
  sweepListeners,
  type ListenerRow,
} from '../../store/calls/listeners.ts';
import type { Db, Tx } from '../../store/database.ts';
import { stillGiven, type Grant } from '../access/live-access.ts';
import { roleFor } from '../access/table.ts';
import type { LaterAction } from '../audit/actions.ts';
import { auditRow } from '../audit/audit-trail.ts';
import { commitChange, type ChangeEntry } from '../audit/change-entry.ts';

export interface ListeningDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
}

/** What a page needs to listen to a call. The token connects once. */
export interface OpenedListening {
  readonly listenerId: string;
  readonly token: string;
}

const TOKEN_MS = 60_000;

/** Lets a member of the workspace listen to a live call. Throws 404 for a call that is not live. */
export async function openListening(
  deps: ListeningDeps & { readonly link: { readonly publicUrl: string } },
  change: ChangeEntry | null,
  call: {
    readonly workspaceId: string;
    readonly callId: string;
    readonly by: string;
    readonly sessionId: string;
  },
): Promise<OpenedListening> {
  if (!isUuid(call.callId)) throw errors.noLiveCall();
  const now = deps.clock.now();
  const token = randomToken(43);
  const row = {
    workspaceId: call.workspaceId,
    id: newId(),
    callId: call.callId,
    listener: call.by,
    sessionId: call.sessionId,
    tokenHash: sha256(token),
    origin: new URL(deps.link.publicUrl).origin,
    expiresAt: new Date(now + TOKEN_MS),
  };
  await commitChange(deps.db, change, async (tx) => {
    if (!(await insertListener(tx, row, new Date(now)))) throw errors.noLiveCall();
    await sweepListeners(tx, new Date(now - TOKEN_MS));
    return { listenerId: row.id, callId: row.callId };
  });
  return { listenerId: row.id, token };
}

/**
 * Accepts the connection of a listener: uses the token and enters the begin in the audit log before any audio leaves.
 * `refuse` decides last; a refused token stays unused.
 */
export function beginListening(
  deps: ListeningDeps,
  { token, origin }: { readonly token: string; readonly origin: string | null },
  refuse: (listener: ListenerRow) => WebRefusal | null,
): Promise<ListenerRow | WebRefusal> {
  return deps.db.transaction().execute(async (tx) => {
    const at = new Date(deps.clock.now());
    const listener = await lockListener(tx, sha256(token), at);
    if (listener === null) return { refuse: 401, reason: 'the token is unknown, used or expired' };
    if (origin !== listener.origin)
      return { refuse: 403, reason: 'the token belongs to a page of another origin' };
    const asked = { grant: listenerGrant(listener) };
    if (!(await stillGiven({ ...deps, db: tx }, [asked])).has(asked))
      return { refuse: 403, reason: 'the session that asked to listen has ended, or lost its role' };
    const refusal = refuse(listener);
    if (refusal !== null) return refusal;
    await startListener(tx, listener, at);
    await audit(deps, tx, listener, 'beginListening');
    return listener;
  });
}

/** No session has this id: a listener of an earlier version asks again. */
const NO_SESSION = '00000000-0000-0000-0000-000000000000';

/** What allows the listener to hear the call. */
export const listenerGrant = ({ workspaceId, sessionId }: ListenerRow): Grant => ({
  kind: 'session',
  sessionId: sessionId ?? NO_SESSION,
  workspaceId,
  need: roleFor('WS /listen'),
});

/** Stores when a listener left. Idempotent. */
export function endListening(deps: ListeningDeps, listener: ListenerRow, at: number): Promise<void> {
  return deps.db.transaction().execute(async (tx) => {
    if (await endListener(tx, listener, new Date(at))) await audit(deps, tx, listener, 'endListening');
  });
}

/** Longer than a process takes to store the ends of a call's listeners itself. */
const LOST_AFTER_MS = 10_000;
const LOST_AT_ONCE = 100;

/** Stores the ends of listeners whose process died before it could: they heard nothing after the call had ended. */
export async function endLostListeners(deps: Pick<ListeningDeps, 'db' | 'clock'>): Promise<void> {
  const before = new Date(deps.clock.now() - LOST_AFTER_MS);
  for (const listener of await lostListeners(deps.db, before, LOST_AT_ONCE)) {
    await deps.db.transaction().execute(async (tx) => {
      if (!(await endListener(tx, listener, listener.endedAt))) return;
      const ended = { reason: 'process_lost', ended_at: listener.endedAt.toISOString() };
      await audit(deps, tx, listener, 'endListening', ended);
    });
  }
}

async function audit(
  deps: Pick<ListeningDeps, 'clock'>,
  tx: Tx,
  listener: ListenerRow,
  action: LaterAction,
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { workspaceId, callId, id } = listener;
  const entry = {
    workspaceId,
    actor: { type: 'user', name: listener.listener } as const,
    action,
    method: 'GET',
    route: '/listen',
    status: 101,
    objects: { call_id: callId, listener_id: id, ...more },
    requestId: id,
    address: null,
  };
  await insertAudit(tx, [auditRow(deps.clock, entry)]);
}
