import type { LiveEvent } from '../workers/protocol.ts';

/** What a watcher of a live call sees; times are epoch ms. */
export type LiveCallEvent =
  | { type: 'status'; status: string; subStatus: string; at: number }
  | { type: 'ended'; status: string; subStatus: string; at: number }
  | LiveEvent;

interface Entry {
  readonly workspaceId: string;
  readonly hangup: () => void;
  readonly past: LiveCallEvent[];
  readonly watchers: Set<(event: LiveCallEvent) => void>;
}

/** How many past events a late watcher is shown. */
const KEPT = 500;

/** The calls alive in this process: who may watch them, and how to end them. */
export class LiveCalls {
  readonly #calls = new Map<string, Entry>();
  readonly #unsettled = new Set<string>();

  add(workspaceId: string, callId: string, hangup: () => void): void {
    this.#calls.set(callId, { workspaceId, hangup, past: [], watchers: new Set() });
  }

  publish(callId: string, event: LiveCallEvent): void {
    const entry = this.#calls.get(callId);
    if (entry === undefined) return;
    entry.past.push(event);
    if (entry.past.length > KEPT) entry.past.shift();
    for (const watcher of entry.watchers) watcher(event);
  }

  /** The call is over, and the database did not take its outcome yet. */
  notSettled(callId: string): void {
    this.#unsettled.add(callId);
  }

  /** Calls that are over and wait to be settled. */
  get unsettled(): number {
    return this.#unsettled.size;
  }

  /** Ends the watch of everyone: the attempt is settled. */
  remove(callId: string, last: LiveCallEvent): void {
    this.publish(callId, last);
    this.#calls.delete(callId);
    this.#unsettled.delete(callId);
  }

  /** Replays what happened so far, then follows. Null when no such call of the workspace lives here. */
  watch(workspaceId: string, callId: string, watcher: (event: LiveCallEvent) => void): (() => void) | null {
    const entry = this.#calls.get(callId);
    if (entry === undefined || entry.workspaceId !== workspaceId) return null;
    for (const event of entry.past) watcher(event);
    entry.watchers.add(watcher);
    return () => entry.watchers.delete(watcher);
  }

  /** Asks a live call to end; false when no such call of the workspace lives here. */
  hangup(workspaceId: string, callId: string): boolean {
    const entry = this.#calls.get(callId);
    if (entry === undefined || entry.workspaceId !== workspaceId) return false;
    entry.hangup();
    return true;
  }

  has(callId: string): boolean {
    return this.#calls.has(callId);
  }

  get size(): number {
    return this.#calls.size;
  }
}
