import type { ConnectSpeech } from '../offline/speech/speech-api.ts';
import type { CallOrder } from '../shared/call-order.ts';
import type { Log } from '../shared/log.ts';
import { HostThread } from '../shared/native-threads.ts';
import { ThreadPool } from '../shared/threads/pool.ts';
import type { Serves } from '../shared/threads/remote.ts';
import { Thread, type ThreadEnded, type WorkerThread } from '../shared/threads/thread.ts';
import type { CallReport, WebCallLink } from './call-link.ts';
import type { CallsApi, ControlApi, WatchedEvent } from './control-api.ts';
import type { Control, ControlPart, ControlSetup } from './control-plane.ts';
import { StartFailure } from './start-failure.ts';

/** The calls of this thread, as the control thread may reach them. */
export interface ControlledCalls {
  /** Wakes the scheduler. */
  wake(): void;
  hangup(workspaceId: string, callId: string): boolean;
  control(workspaceId: string, callId: string, order: CallOrder): boolean;
  watch(workspaceId: string, callId: string, watcher: (event: WatchedEvent) => void): (() => void) | null;
  watchAll(workspaceId: string, watcher: (event: WatchedEvent) => void): () => void;
  readonly web: WebCallLink;
  report(): CallReport;
  checkTrunk(name: string): boolean;
  readonly connectSpeech: ConnectSpeech;
}

export interface ControlThreadOptions {
  readonly calls: ControlledCalls;
  readonly log: Log;
  readonly isLogPretty: boolean;
  /** Absent: a worker thread. */
  readonly spawn?: () => WorkerThread;
}

type Controlling = Thread<ControlApi, never, CallsApi>;

/** Waits before the second, third and further starts of a thread that ended; the last repeats without end. */
const RESTART_MS = [500, 1_000, 2_000, 5_000, 10_000, 30_000];
/** A thread that ran for longer starts the waits anew. */
const STEADY_MS = 120_000;
/**
 * A control thread that hangs is replaced after 28 to 31 s: no request takes as long. One that answers is pinged with the heartbeats,
 * every three seconds.
 */
const PULSE = { pingMs: 2_000, limit: 14, idle: { isIdle: () => true, pingMs: 3_000 } };

const spawnThread = (log: Log): WorkerThread =>
  new HostThread(new URL('./control.thread.ts', import.meta.url), { name: 'control' }, log);

/**
 * Runs the control plane on a thread of its own, so that nothing it does delays a packet, a SIP response or a heartbeat.
 * A thread that ends or hangs is replaced; calls do not notice.
 */
export class ControlThread implements Control {
  readonly #options: ControlThreadOptions;
  readonly #pool: ThreadPool<Controlling>;
  #setup: ControlSetup | null = null;
  /** It ran once: from now on a thread that ends is replaced. */
  #hasStarted = false;
  #isStopping = false;

  constructor(options: ControlThreadOptions) {
    this.#options = options;
    this.#pool = new ThreadPool({
      size: 1,
      start: () => this.#spawn(),
      restartMs: RESTART_MS,
      steadyMs: STEADY_MS,
      mayRestart: (_place, waitMs) => this.#mayRestart(waitMs),
    });
    // At once, so that the modules load while the database starts.
    this.#pool.fill();
  }

  /** Resolves with the API's port; null: this process has no API. Rejects when the control plane cannot start. */
  async start(setup: ControlSetup): Promise<number | null> {
    this.#setup = setup;
    const [thread] = this.#pool.threads;
    if (thread === undefined) throw new Error('the control thread ended at its start');
    const port = await this.#begin(thread, setup);
    this.#hasStarted = true;
    return port;
  }

  callSettled(): void {
    for (const { remote } of this.#pool.threads) remote.send.callSettled();
  }

  /** Resolves at once when the thread has ended. */
  async stop(part: ControlPart): Promise<void> {
    this.#isStopping = true;
    const [thread] = this.#pool.threads;
    // A thread that only loads its modules has nothing to stop.
    if (thread !== undefined && this.#setup !== null) {
      await thread.remote.call.stopPart(part).catch(() => undefined);
    }
    if (part === 'database') await this.#pool.close();
  }

  async #begin(thread: Controlling, setup: ControlSetup): Promise<number | null> {
    const started = await thread.remote.call
      .start(setup, this.#options.isLogPretty)
      .catch((error: unknown) => {
        throw new Error('the control thread ended at its start', { cause: error });
      });
    if ('fault' in started) {
      throw started.isSetting ? new StartFailure(started.fault, null) : new Error(started.fault);
    }
    thread.watch();
    // A restarted API listens where its clients know it.
    if (started.port !== null) {
      this.#setup = { ...setup, config: { ...setup.config, port: started.port } };
    }
    return started.port;
  }

  #spawn(): Controlling {
    const { log, spawn = () => spawnThread(log) } = this.#options;
    const watches = new Map<number, () => void>();
    const thread: Controlling = new Thread<ControlApi, never, CallsApi>(spawn(), {
      name: 'control thread',
      ending: { by: 'terminate' },
      served: { api: this.#served(() => thread, watches) },
      pulse: PULSE,
    });
    thread.onEnd((reason) => {
      for (const stop of watches.values()) stop();
      watches.clear();
      this.#logEnd(reason);
    });
    // A replacement that cannot start makes room for the next one.
    if (this.#hasStarted && this.#setup !== null) {
      this.#begin(thread, this.#setup).catch(() => thread.discard());
    }
    return thread;
  }

  #mayRestart(waitMs: number): boolean {
    if (this.#isStopping || !this.#hasStarted) return false;
    this.#options.log.error(
      { seconds: waitMs / 1000 },
      'the thread of the API and the jobs ended; it is restarted',
    );
    return true;
  }

  #logEnd({ kind, cause }: ThreadEnded): void {
    const { log } = this.#options;
    if (kind === 'failed') log.error({ err: cause }, 'the thread of the API and the jobs failed');
    if (kind === 'hung') log.error({}, 'the thread of the API and the jobs does not respond; it is replaced');
  }

  #served(threadOf: () => Controlling, watches: Map<number, () => void>): Serves<CallsApi> {
    const { calls } = this.#options;
    return {
      wake: () => calls.wake(),
      hangup: (workspaceId, callId) => calls.hangup(workspaceId, callId),
      control: (workspaceId, callId, order) => calls.control(workspaceId, callId, order),
      watch: (watchId, workspaceId, callId) => {
        const { send } = threadOf().remote;
        const stop = calls.watch(workspaceId, callId, (event) => send.watched(watchId, event));
        if (stop !== null) watches.set(watchId, stop);
        return stop !== null;
      },
      watchAll: (watchId, workspaceId) => {
        const { send } = threadOf().remote;
        watches.set(
          watchId,
          calls.watchAll(workspaceId, (event) => send.watched(watchId, event)),
        );
      },
      unwatch: (watchId) => {
        watches.get(watchId)?.();
        watches.delete(watchId);
      },
      openWeb: (connect) => calls.web.open(connect),
      connectWeb: (callId, socket) => calls.web.connect(callId, socket),
      openListener: (connect) => calls.web.openListener(connect),
      listen: (listenerId, socket) => calls.web.listen(listenerId, socket),
      carrierStatus: (status) => calls.web.carrierStatus(status),
      report: () => calls.report(),
      checkTrunk: (name) => calls.checkTrunk(name),
      speech: (port) => calls.connectSpeech(port),
    };
  }
}
