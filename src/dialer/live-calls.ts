import type { FailureReason } from '../shared/failure-reason.ts';
import { newId } from '../shared/ids.ts';
import type { WebSocketHandover } from '../telephony/web/handover.ts';
import type { LiveEvent } from '../workers/protocol.ts';

/** The event of a live call as watchers get it; times are epoch ms. */
export type LiveCallEvent =
  | { type: 'status'; status: string; subStatus: string; at: number }
  /** `failure`: why the last attempt failed; null or absent: it did not. */
  | { type: 'ended'; status: string; subStatus: string; at: number; failure?: FailureReason | null }
  | LiveEvent;

/** `id` is `attempt.number`: the attempt as a random name, and the event's number in it. */
export type NumberedEvent = LiveCallEvent & { readonly id: string };

/** Why this process cuts its calls: it stops, or other nodes took it for dead. */
export type Cut = 'stopped' | 'crashed';

/** What can be done to a live call from outside. */
export interface CallControls {
  hangup(): void;
  cut(cause: Cut): void;
  /** False: the call has no media. */
  listen(listenerId: string, socket: WebSocketHandover): boolean;
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

/** The live calls of this process: fan-out of their events to watchers, and hangup. */
export class LiveCalls {
  readonly #onFailed: (failure: FailureReason) => void;
  readonly #calls = new Map<string, Entry>();
  readonly #unsettled = new Set<string>();
  /** By status and sub-status. */
  readonly #outcomes = new Map<string, { status: string; subStatus: string; count: number }>();

  /** `onFailed`: an attempt ended with this failure. */
  constructor(onFailed: (failure: FailureReason) => void = () => undefined) {
    this.#onFailed = onFailed;
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
  }

  publish(callId: string, event: LiveCallEvent): void {
    const entry = this.#calls.get(callId);
    if (entry === undefined) return;
    entry.count += 1;
    const numbered = { ...event, id: `${entry.name}.${entry.count}` };
    entry.past.push(numbered);
    if (entry.past.length > MAX_PAST) entry.past.shift();
    for (const watcher of entry.watchers) watcher(numbered);
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

  /** Ends a live call; false when this process has no such live call of the workspace. */
  hangup(workspaceId: string, callId: string): boolean {
    const entry = this.#calls.get(callId);
    if (entry === undefined || entry.workspaceId !== workspaceId) return false;
    entry.controls.hangup();
    return true;
  }

  /** Hangs up every live call. Each stores why, unless something else ended it before. */
  cutAll(cause: Cut): void {
    for (const { controls } of this.#calls.values()) controls.cut(cause);
  }

  /** Lets a member of the workspace hear a live call; false when this process has no such call. */
  listen(callId: string, listenerId: string, socket: WebSocketHandover): boolean {
    return this.#calls.get(callId)?.controls.listen(listenerId, socket) ?? false;
  }

  has(callId: string): boolean {
    return this.#calls.has(callId);
  }

  get size(): number {
    return this.#calls.size;
  }
}
