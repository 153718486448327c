import type { WebRefusal } from '../domain/calls/web-refusal.ts';
import type { CallOrder } from '../shared/call-order.ts';
import type { FailureReason } from '../shared/failure-reason.ts';
import { newId } from '../shared/ids.ts';
import type { WebSocketHandover } from '../telephony/web/handover.ts';
import type { LiveEvent } from '../session/protocol.ts';
import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import { Poller } from '../shared/poller.ts';
import type { Db } from '../store/database.ts';
import { forgetHangup, hangupsOf } from '../store/calls/hangup-requests.ts';
import type { SentOrder } from '../store/calls/call-orders.ts';
import type { LiveAccess } from '../domain/access/live-access.ts';
import {
  beginListening,
  endListening,
  listenerGrant,
  type ListeningDeps,
} from '../domain/calls/listening.ts';
import type { ListenerRow } from '../store/calls/listeners.ts';
import type { WebConnect } from './web.ts';

/** The event of a live call as watchers get it; times are epoch ms. */
export type LiveCallEvent =
  | { type: 'status'; status: string; subStatus: string; at: number }
  /** `failure`: why the last attempt failed; null or absent: it did not. */
  | { type: 'ended'; status: string; subStatus: string; at: number; failure?: FailureReason | null }
  | LiveEvent;

/** `id` is `attempt.number`: the attempt as a random name, and the event's number in it. Words of an open line have none. */
export type NumberedEvent = LiveCallEvent & { readonly id?: string };

/** An event of one of the live calls of a workspace. */
export type WorkspaceEvent = NumberedEvent & { readonly callId: string };

/** Why this process cuts its calls: it stops, or other nodes took it for dead. */
export type Cut = 'stopped' | 'crashed';

/** What can be done to a live call from outside. */
export interface CallControls {
  hangup(): void;
  cut(cause: Cut): void;
  /** Carries out what a person of the workspace wants; false: the call is not answered, or over. */
  control(order: CallOrder): boolean;
  /** `name`: the member who listens. False: the call has no media. */
  listen(listenerId: string, name: string, socket: WebSocketHandover): boolean;
  /** Closes the connection of a listener who may no longer hear the call. */
  unlisten(listenerId: string): void;
}

interface Entry {
  readonly workspaceId: string;
  readonly controls: CallControls;
  readonly name: string;
  count: number;
  readonly past: NumberedEvent[];
  readonly watchers: Set<(event: NumberedEvent) => void>;
}

/** Past events replayed to a watcher that joins late. */
const MAX_PAST = 500;

/** The last lines of a call: those that a card shows, and two of the caller, which may both be not understood. */
const CARD_LINES = 4;
/** Notices that a card shows; the last of each counts. */
const CARD_NOTICES = [
  ['TAKEN_OVER', 'HANDED_BACK'],
  ['ASKED_FOR_PERSON'],
] as const satisfies readonly (readonly string[])[];

/** What a card of a call shows of its past, in order. */
function latest(past: readonly NumberedEvent[]): NumberedEvent[] {
  const status = past.findLast(({ type }) => type === 'status');
  const notices = CARD_NOTICES.map((codes: readonly string[]) =>
    past.findLast((event) => event.type === 'notice' && codes.includes(event.code)),
  );
  const lines = past.filter(({ type }) => type === 'line').slice(-CARD_LINES);
  const shown = new Set([status, ...notices, ...lines]);
  return past.filter((event) => shown.has(event));
}

/** The live calls of this process: fan-out of their events to watchers, and hangup. */
export class LiveCalls {
  readonly #onFailed: (failure: FailureReason) => void;
  readonly #onGone: (callId: string) => void;
  readonly #onBusy: () => void;
  readonly #calls = new Map<string, Entry>();
  /** Watchers of all calls of a workspace. */
  readonly #walls = new Map<string, Set<(event: WorkspaceEvent) => void>>();
  readonly #unsettled = new Set<string>();
  /** By status and sub-status. */
  readonly #outcomes = new Map<string, { status: string; subStatus: string; count: number }>();

  /** `onFailed`: an attempt ended with this failure. `onGone`: a call ended or was released. `onBusy`: a call begins while no other is live. */
  constructor(
    onFailed: (failure: FailureReason) => void = () => undefined,
    onGone: (callId: string) => void = () => undefined,
    onBusy: () => void = () => undefined,
  ) {
    this.#onFailed = onFailed;
    this.#onGone = onGone;
    this.#onBusy = onBusy;
  }

  add(workspaceId: string, callId: string, controls: CallControls): void {
    this.#calls.set(callId, {
      workspaceId,
      controls,
      name: newId(),
      count: 0,
      past: [],
      watchers: new Set(),
    });
    if (this.#calls.size === 1) this.#onBusy();
  }

  publish(callId: string, event: LiveCallEvent): void {
    const entry = this.#calls.get(callId);
    if (entry === undefined) return;
    if (event.type === 'words') return this.#send(callId, entry, event);
    entry.count += 1;
    const numbered = { ...event, id: `${entry.name}.${entry.count}` };
    entry.past.push(numbered);
    if (entry.past.length > MAX_PAST) entry.past.shift();
    this.#send(callId, entry, numbered);
  }

  #send(callId: string, { workspaceId, watchers }: Entry, event: NumberedEvent): void {
    for (const watcher of watchers) watcher(event);
    for (const watcher of this.#walls.get(workspaceId) ?? []) watcher({ ...event, callId });
  }

  /** The call has ended, and its settlement could not be stored yet. */
  markUnsettled(callId: string): void {
    this.#unsettled.add(callId);
  }

  /** Ended calls whose settlement is not stored yet. */
  get unsettled(): number {
    return this.#unsettled.size;
  }

  /** Publishes the last event and forgets the call. */
  remove(callId: string, last: LiveCallEvent): void {
    this.publish(callId, last);
    if (last.type === 'ended' && this.#calls.has(callId)) {
      this.#count(last.status, last.subStatus);
      if (last.failure != null) this.#onFailed(last.failure);
    }
    this.#calls.delete(callId);
    this.#unsettled.delete(callId);
    this.#onGone(callId);
  }

  /** Attempts of this process that ended, by outcome. */
  get outcomes(): Iterable<{ readonly status: string; readonly subStatus: string; readonly count: number }> {
    return this.#outcomes.values();
  }

  #count(status: string, subStatus: string): void {
    const key = `${status}/${subStatus}`;
    const entry = this.#outcomes.get(key) ?? { status, subStatus, count: 0 };
    entry.count += 1;
    this.#outcomes.set(key, entry);
  }

  /** Replays past events, then follows. Null when this process has no such live call of the workspace. */
  watch(workspaceId: string, callId: string, watcher: (event: NumberedEvent) => void): (() => void) | null {
    const entry = this.#calls.get(callId);
    if (entry === undefined || entry.workspaceId !== workspaceId) return null;
    for (const event of entry.past) watcher(event);
    entry.watchers.add(watcher);
    return () => entry.watchers.delete(watcher);
  }

  /** Follows every live call of the workspace, each from its last status, take-over, request for a person and lines on. Returns the end of it. */
  watchAll(workspaceId: string, watcher: (event: WorkspaceEvent) => void): () => void {
    for (const [callId, entry] of this.#calls) {
      if (entry.workspaceId !== workspaceId) continue;
      for (const event of latest(entry.past)) watcher({ ...event, callId });
    }
    const wall = this.#walls.get(workspaceId) ?? new Set();
    this.#walls.set(workspaceId, wall.add(watcher));
    return () => {
      if (wall.delete(watcher) && wall.size === 0) this.#walls.delete(workspaceId);
    };
  }

  /** Ends a live call; false when this process has no such live call of the workspace. */
  hangup(workspaceId: string, callId: string): boolean {
    const entry = this.#calls.get(callId);
    if (entry === undefined || entry.workspaceId !== workspaceId) return false;
    entry.controls.hangup();
    return true;
  }

  /** Carries out an order for a live call; false when this process has no such answered call of the workspace. */
  control(workspaceId: string, callId: string, order: CallOrder): boolean {
    const entry = this.#calls.get(callId);
    return entry?.workspaceId === workspaceId && entry.controls.control(order);
  }

  /** Carries out an order of another process, which every process gets; null: there is none. */
  receive(sent: SentOrder | null): void {
    if (sent !== null) this.control(sent.workspaceId, sent.callId, sent.order);
  }

  /** Hangs up every live call. Each stores why, unless something else ended it before. */
  cutAll(cause: Cut): void {
    for (const { controls } of this.#calls.values()) controls.cut(cause);
  }

  /** Lets a member of the workspace hear a live call; false when this process has no such call. */
  listen(callId: string, { id, listener }: ListenerRow, socket: WebSocketHandover): boolean {
    return this.#calls.get(callId)?.controls.listen(id, listener, socket) ?? false;
  }

  unlisten(callId: string, listenerId: string): void {
    this.#calls.get(callId)?.controls.unlisten(listenerId);
  }

  has(callId: string): boolean {
    return this.#calls.has(callId);
  }

  get size(): number {
    return this.#calls.size;
  }
}

export interface HangupPollerOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly nodeId: () => string;
  /** Whether a call of this process is live. */
  readonly hasCalls: () => boolean;
  /** Ends a call of this process; false when it is not here: not placed yet, or settled. */
  readonly hangup: (workspaceId: string, callId: string) => boolean;
}

const POLL_MS = 400;
const FAILED_MS = 2_000;
/** A process without live calls has nothing to end: it only deletes requests that lapsed. Its first call wakes the poller. */
const LAPSED_EVERY_MS = 60_000;
/** Longer than any call lasts: an older request belongs to a call that is over. */
const LAPSE_MS = 7_200_000;

/** Ends calls of this process for which another process stored a hangup request. A kick polls at once. */
export function hangupPoller(options: HangupPollerOptions): Poller {
  const { db, clock, log, nodeId, hasCalls, hangup } = options;
  let readAt = Number.NEGATIVE_INFINITY;
  return new Poller({
    poll: async () => {
      // A request stays until its call is live here. A notification for another process wakes this one, too.
      if (!hasCalls() && clock.monotonic() - readAt < LAPSED_EVERY_MS / 2) return LAPSED_EVERY_MS;
      readAt = clock.monotonic();
      for (const ref of await hangupsOf(db, nodeId(), new Date(clock.now() - LAPSE_MS))) {
        // The request of a call that was claimed but not placed yet stays for the next poll.
        if (hangup(ref.workspaceId, ref.callId)) await forgetHangup(db, ref);
      }
      return hasCalls() ? POLL_MS : LAPSED_EVERY_MS;
    },
    pollMs: LAPSED_EVERY_MS,
    failedMs: FAILED_MS,
    onError: (error) => log.warn({ err: error }, 'hangup requests could not be read'),
  });
}

/** Listeners of one call at a time. */
const MOST_LISTENERS = 3;
/** Its connection was accepted, but the socket did not arrive here. */
const CONNECT_MS = 10_000;

interface Current {
  readonly listener: ListenerRow;
  /** Null: the call's worker has the connection. */
  lapse: NodeJS.Timeout | null;
  /** Ends the watch over the listener's session. */
  readonly release: () => void;
}

interface Deps extends ListeningDeps {
  readonly live: LiveCalls;
  readonly access: Pick<LiveAccess, 'hold'>;
  /** Closes a connection whose call is over. */
  readonly drop: (socket: WebSocketHandover) => void;
}

export type ListenOpened = { readonly listenerId: string } | WebRefusal;

/** Who listens to the live calls of this process. The audio goes from the call's worker to the listener directly. */
export class Listening {
  readonly #deps: Deps;
  readonly #current = new Map<string, Current>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Decides on a connection; when it is accepted, `connect` follows with its socket. */
  async open(request: WebConnect): Promise<ListenOpened> {
    const begun = await beginListening(this.#deps, request, ({ callId }) => this.#refusal(callId));
    if ('refuse' in begun) return begun;
    const lapse = setTimeout(() => this.left(begun.id), CONNECT_MS);
    const release = this.#deps.access.hold(listenerGrant(begun), () => this.#revoked(begun));
    this.#current.set(begun.id, { listener: begun, lapse, release });
    return { listenerId: begun.id };
  }

  connect(listenerId: string, socket: WebSocketHandover): void {
    const current = this.#current.get(listenerId);
    if (current === undefined) return this.#deps.drop(socket);
    if (current.lapse !== null) clearTimeout(current.lapse);
    current.lapse = null;
    const { callId, listener } = current.listener;
    if (!this.#deps.live.listen(callId, current.listener, socket)) {
      this.#deps.drop(socket);
      return this.left(listenerId);
    }
    this.#deps.live.publish(callId, {
      type: 'notice',
      code: 'LISTENING',
      message: `${listener} listens to the call`,
    });
    return undefined;
  }

  /** A listener left, or the call ended. */
  left(listenerId: string): void {
    const current = this.#current.get(listenerId);
    if (current === undefined) return;
    this.#current.delete(listenerId);
    current.release();
    if (current.lapse !== null) clearTimeout(current.lapse);
    const { listener } = current;
    this.#deps.live.publish(listener.callId, {
      type: 'notice',
      code: 'LISTENING_ENDED',
      message: `${listener.listener} stopped listening to the call`,
    });
    endListening(this.#deps, listener, this.#deps.clock.now()).catch((error: unknown) => {
      this.#deps.log.error({ err: error, callId: listener.callId }, 'the end of a listener was not stored');
    });
  }

  /** The call is over in this process. */
  ended(callId: string): void {
    for (const [id, { listener }] of this.#current) if (listener.callId === callId) this.left(id);
  }

  #revoked({ callId, id }: ListenerRow): void {
    this.#deps.live.unlisten(callId, id);
    this.left(id);
  }

  #refusal(callId: string): WebRefusal | null {
    if (!this.#deps.live.has(callId))
      return { refuse: 404, reason: 'the call has ended, or another process carries it' };
    const others = [...this.#current.values()].filter(({ listener }) => listener.callId === callId);
    return others.length < MOST_LISTENERS
      ? null
      : { refuse: 429, reason: `at most ${MOST_LISTENERS} listen to a call at a time` };
  }
}
