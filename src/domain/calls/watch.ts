import { errors } from '../../errors.ts';
import { isUuid } from '../../shared/ids.ts';
import { forAllTenants } from '../../shared/shares/tenant.ts';
import type { Db } from '../../store/database.ts';
import { findWatchedCalls, type WatchedCall } from '../../store/calls/history.ts';
import { isTerminal } from './attempt/transitions.ts';

/** An event of a live call. `id`: where a stream of the same attempt continues. `callId`: in a stream of several calls. */
export interface WatchedEvent {
  readonly type: string;
  readonly id?: string;
  readonly callId?: string;
}

/**
 * Follows a live call of this process with events as plain JSON objects; null when the call is not live here. Past
 * events may arrive before the promise resolves.
 */
export type Watch = (
  workspaceId: string,
  callId: string,
  watcher: (event: WatchedEvent) => void,
) => Promise<(() => void) | null>;

/** Follows the live calls of a workspace in this process, each event with its `callId`. Returns the end of it. */
export type WatchAll = (workspaceId: string, watcher: (event: WatchedEvent) => void) => () => void;

const POLL_MS = 500;

interface Waiter {
  readonly state: Promise<WatchedCall | undefined>;
  readonly resolve: (state: WatchedCall | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** Reads the calls that the streams of this process wait for: one query every `POLL_MS`, however many streams there are. */
export class WatchedCalls {
  readonly #db: Db;
  readonly #waiting = new Map<string, Waiter & { workspaceId: string; callId: string }>();

  constructor(deps: { db: Db }) {
    this.#db = deps.db;
  }

  /** The call's state at the next poll; undefined if it is gone. Streams of one call share it. */
  next(workspaceId: string, callId: string): Promise<WatchedCall | undefined> {
    const key = `${workspaceId} ${callId}`;
    const known = this.#waiting.get(key);
    if (known !== undefined) return known.state;
    const { promise: state, resolve, reject } = Promise.withResolvers<WatchedCall | undefined>();
    if (this.#waiting.size === 0) setTimeout(() => void forAllTenants(() => this.#poll()), POLL_MS);
    this.#waiting.set(key, { workspaceId, callId, state, resolve, reject });
    return state;
  }

  async #poll(): Promise<void> {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    try {
      const calls = new Map((await findWatchedCalls(this.#db, waiting)).map((call) => [call.id, call]));
      for (const { callId, resolve } of waiting) resolve(calls.get(callId));
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  }
}

/** Whether a stream that continues after `last` has sent the event already: same attempt, no later number. */
function isSeen(id: string | undefined, last: string | null): boolean {
  const [attempt, number] = id?.split('.') ?? [];
  const [lastAttempt, lastNumber] = last?.split('.') ?? [];
  return attempt !== undefined && attempt === lastAttempt && Number(number) <= Number(lastNumber);
}

/**
 * Follows a call until its current attempt is settled: polls while it is queued, replays the past events of a live call,
 * without those up to `lastEventId`, and ends at once for one that has ended. Throws 404 for an unknown call. Resolves after the last event, or when
 * `signal` aborts.
 */
export async function watchCall(
  deps: { db: Db; watch: Watch; calls: WatchedCalls },
  workspaceId: string,
  callId: string,
  signal: AbortSignal,
  onEvent: (event: object, id?: string) => void,
  lastEventId: string | null = null,
): Promise<void> {
  const pass: Parameters<Watch>[2] = ({ id, ...event }) => {
    if (!isSeen(id, lastEventId)) onEvent(event, id);
  };
  let lastSubStatus = '';
  let call: WatchedCall | undefined = isUuid(callId)
    ? (await findWatchedCalls(deps.db, [{ workspaceId, callId }]))[0]
    : undefined;
  for (;;) {
    if (call === undefined) throw errors.callNotFound();
    if (signal.aborted) return;
    if (await follow(deps.watch, workspaceId, call.id, signal, pass)) return;
    const at = (call.endedAt ?? call.answeredAt ?? call.createdAt).getTime();
    if (isTerminal(call.status)) {
      onEvent({ type: 'ended', status: call.status, subStatus: call.subStatus, at });
      return;
    }
    if (call.subStatus !== lastSubStatus) {
      lastSubStatus = call.subStatus;
      onEvent({ type: 'status', status: call.status, subStatus: call.subStatus, at });
    }
    call = await deps.calls.next(workspaceId, call.id);
  }
}

/** True after following an attempt of this process to its end; false when the call is not live here. */
async function follow(
  watch: Watch,
  workspaceId: string,
  callId: string,
  signal: AbortSignal,
  onEvent: (event: WatchedEvent) => void,
): Promise<boolean> {
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
  const stop = await watch(workspaceId, callId, (event) => {
    if (!signal.aborted) onEvent(event);
    if (event.type === 'ended') end();
  });
  if (stop === null) return false;
  if (signal.aborted) end();
  else signal.addEventListener('abort', () => end(), { once: true });
  await isOver;
  stop();
  return true;
}
