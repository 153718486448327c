import type { CallOrder } from '../shared/call-order.ts';
import { moved } from '../shared/threads/moved.ts';
import type { Calls, Remote } from '../shared/threads/remote.ts';
import type { CallLink, CallReport, WebCallLink } from './call-link.ts';
import type { CallsApi, WatchedEvent } from './control-api.ts';

/** A thread of calls that does not answer by then is stalled: hangups and live views take the way over the database. */
const ANSWER = { withinMs: 2_000, silence: 'the thread of the calls does not respond' };

/** The calls of the process as the control thread reaches them. */
export class RemoteCalls implements CallLink {
  readonly #send: Remote<CallsApi>['send'];
  readonly #call: Calls<CallsApi>;
  readonly #watchers = new Map<number, (event: WatchedEvent) => void>();
  #lastId = 0;

  constructor(calls: Pick<Remote<CallsApi>, 'send' | 'calls'>) {
    this.#send = calls.send;
    this.#call = calls.calls(ANSWER);
  }

  readonly wake = (): void => this.#send.wake();

  readonly connectSpeech: CallLink['connectSpeech'] = (port) => this.#send.speech(moved(port));

  hangup(workspaceId: string, callId: string): Promise<boolean> {
    return this.#call.hangup(workspaceId, callId).catch(() => false);
  }

  control(workspaceId: string, callId: string, order: CallOrder): Promise<boolean> {
    return this.#call.control(workspaceId, callId, order).catch(() => false);
  }

  readonly watch: CallLink['watch'] = async (workspaceId, callId, watcher) => {
    const watchId = (this.#lastId += 1);
    this.#watchers.set(watchId, watcher);
    const isLive = await this.#call.watch(watchId, workspaceId, callId).catch(() => false);
    const stop = (): void => {
      if (this.#watchers.delete(watchId)) this.#send.unwatch(watchId);
    };
    if (isLive) return stop;
    stop();
    return null;
  };

  readonly watchAll: CallLink['watchAll'] = (workspaceId, watcher) => {
    const watchId = (this.#lastId += 1);
    this.#watchers.set(watchId, watcher);
    this.#send.watchAll(watchId, workspaceId);
    return () => {
      if (this.#watchers.delete(watchId)) this.#send.unwatch(watchId);
    };
  };

  readonly web: WebCallLink = {
    open: (connect) => this.#call.openWeb(connect),
    connect: (callId, socket) => this.#send.connectWeb(callId, socket),
    openListener: (connect) => this.#call.openListener(connect),
    listen: (listenerId, socket) => this.#send.listen(listenerId, socket),
    carrierStatus: (status) => this.#send.carrierStatus(status),
  };

  /** Rejects when no answer comes in time. */
  report(): Promise<CallReport> {
    return this.#call.report();
  }

  checkTrunk(name: string): Promise<boolean> {
    return this.#call.checkTrunk(name).catch(() => false);
  }

  /** An event of a watched call. */
  watched(watchId: number, event: WatchedEvent): void {
    this.#watchers.get(watchId)?.(event);
  }
}
