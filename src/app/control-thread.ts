import type { Worker } from 'node:worker_threads';
import type { ConnectSpeech } from '../offline/speech/speech-protocol.ts';
import type { Log } from '../shared/log.ts';
import { HostThread } from '../shared/native-threads.ts';
import { Pulse } from '../shared/pulse.ts';
import type { CallReport, WebCallLink } from './call-link.ts';
import type { Control, ControlPart, ControlSetup } from './control-plane.ts';
import type { Answer, FromControl, Request, ToControl, WatchedEvent } from './control-protocol.ts';
import { StartFailure } from './start-failure.ts';

/** The calls of this thread, as the control thread may reach them. */
export interface ControlledCalls {
  /** Wakes the scheduler. */
  wake(): void;
  hangup(workspaceId: string, callId: string): boolean;
  watch(workspaceId: string, callId: string, watcher: (event: WatchedEvent) => void): (() => void) | null;
  readonly web: WebCallLink;
  report(): CallReport;
  readonly connectSpeech: ConnectSpeech;
}

export type ThreadOfControl = Pick<Worker, 'postMessage' | 'on' | 'terminate'>;

export interface ControlThreadOptions {
  readonly calls: ControlledCalls;
  readonly log: Log;
  readonly isLogPretty: boolean;
  /** Absent: a worker thread. */
  readonly spawn?: () => ThreadOfControl;
}

/** Waits before the second, third and further starts of a thread that ended; the last repeats without end. */
const RESTART_MS = [500, 1_000, 2_000, 5_000, 10_000, 30_000];
/** A thread that ran for longer starts the waits anew. */
const STEADY_MS = 120_000;
/** A control thread that answers no ping for 30 s is replaced: no request takes as long. */
const PING_MS = 1_000;
const UNANSWERED_PINGS = 30;

const spawnThread = (log: Log): ThreadOfControl =>
  new HostThread(new URL('./control.thread.ts', import.meta.url), { name: 'control' }, log);

/**
 * Runs the control plane on a thread of its own, so that nothing it does delays a packet, a SIP response or a heartbeat.
 * A thread that ends or hangs is replaced; calls do not notice.
 */
export class ControlThread implements Control {
  readonly #options: ControlThreadOptions;
  /** Started at once, so that the modules load while the database starts. */
  #thread: ThreadOfControl;
  #pulse: Pulse;
  #setup: ControlSetup | null = null;
  #starting: PromiseWithResolvers<number | null> | null = null;
  readonly #stopping = new Map<ControlPart, () => void>();
  readonly #watches = new Map<number, () => void>();
  #isStopping = false;
  #isGone = false;
  #startedAt = 0;
  #ends = 0;

  constructor(options: ControlThreadOptions) {
    this.#options = options;
    [this.#thread, this.#pulse] = this.#spawn();
  }

  /** Resolves with the API's port; null: this process has no API. Rejects when the control plane cannot start. */
  start(setup: ControlSetup): Promise<number | null> {
    this.#setup = setup;
    this.#starting = Promise.withResolvers();
    if (this.#isGone) this.#starting.reject(new Error('the control thread ended at its start'));
    this.#begin(setup);
    return this.#starting.promise;
  }

  callSettled(): void {
    this.#send({ type: 'settled' });
  }

  /** Resolves at once when the thread has ended. */
  async stop(part: ControlPart): Promise<void> {
    this.#isStopping = true;
    // A thread that only loads its modules has nothing to stop.
    if (!this.#isGone && this.#setup !== null) {
      await new Promise<void>((resolve) => {
        this.#stopping.set(part, resolve);
        this.#send({ type: 'stop', part });
      });
    }
    if (part === 'database') await this.#thread.terminate();
  }

  #send(message: ToControl): void {
    this.#thread.postMessage(message);
  }

  #begin(setup: ControlSetup): void {
    this.#startedAt = performance.now();
    this.#send({ type: 'start', setup, isLogPretty: this.#options.isLogPretty });
  }

  #spawn(): [ThreadOfControl, Pulse] {
    const { log, spawn = () => spawnThread(log) } = this.#options;
    const thread = spawn();
    const pulse = new Pulse({
      ping: () => thread.postMessage({ type: 'ping' } satisfies ToControl),
      pingMs: PING_MS,
      limit: UNANSWERED_PINGS,
      onHung: () => {
        log.error({}, 'the thread of the API and the jobs does not respond; it is replaced');
        this.#onEnd(thread);
        void thread.terminate();
      },
    });
    thread.on('message', (message: FromControl) => {
      if (thread === this.#thread && !this.#isGone) this.#receive(message);
    });
    thread.on('error', (error) => log.error({ err: error }, 'the thread of the API and the jobs failed'));
    thread.on('exit', () => this.#onEnd(thread));
    return [thread, pulse];
  }

  #onEnd(thread: ThreadOfControl): void {
    if (thread !== this.#thread || this.#isGone) return;
    this.#isGone = true;
    this.#pulse.stop();
    for (const stop of this.#watches.values()) stop();
    this.#watches.clear();
    for (const stopped of this.#stopping.values()) stopped();
    this.#starting?.reject(new Error('the control thread ended at its start'));
    const setup = this.#setup;
    if (this.#isStopping || this.#starting !== null || setup === null) return;
    if (performance.now() - this.#startedAt > STEADY_MS) this.#ends = 0;
    const waitMs = RESTART_MS[Math.min(this.#ends, RESTART_MS.length - 1)]!;
    this.#ends += 1;
    this.#options.log.error(
      { seconds: waitMs / 1000 },
      'the thread of the API and the jobs ended; it is restarted',
    );
    setTimeout(() => {
      if (this.#isStopping) return;
      this.#isGone = false;
      [this.#thread, this.#pulse] = this.#spawn();
      this.#begin(setup);
    }, waitMs).unref();
  }

  #receive(message: FromControl): void {
    const { calls } = this.#options;
    switch (message.type) {
      case 'started':
        this.#pulse.start();
        // A restarted API listens where its clients know it.
        if (this.#setup !== null && message.port !== null) {
          this.#setup = { ...this.#setup, config: { ...this.#setup.config, port: message.port } };
        }
        this.#starting?.resolve(message.port);
        this.#starting = null;
        return;
      case 'failed':
        if (this.#starting === null) {
          void this.#thread.terminate();
          return;
        }
        this.#starting.reject(
          message.isSetting ? new StartFailure(message.message, null) : new Error(message.message),
        );
        return;
      case 'wake':
        calls.wake();
        return;
      case 'request':
        void this.#reply(message.requestId, message.request);
        return;
      case 'unwatch':
        this.#watches.get(message.watchId)?.();
        this.#watches.delete(message.watchId);
        return;
      case 'web_socket':
        calls.web.connect(message.callId, message.socket);
        return;
      case 'listen_socket':
        calls.web.listen(message.listenerId, message.socket);
        return;
      case 'speech':
        calls.connectSpeech(message.port);
        return;
      case 'pong':
        this.#pulse.answered();
        return;
      case 'stopped':
        this.#stopping.get(message.part)?.();
        return;
      default:
        message satisfies never;
    }
  }

  async #reply(requestId: number, request: Request): Promise<void> {
    this.#send({ type: 'answer', requestId, answer: await this.#answerSoon(request) });
  }

  async #answerSoon(request: Request): Promise<Answer> {
    const { web } = this.#options.calls;
    if (request.type === 'web_open') return { type: 'web', connected: await web.open(request.connect) };
    if (request.type === 'listen_open')
      return { type: 'listen', opened: await web.openListener(request.connect) };
    return this.#answer(request);
  }

  #answer(request: Exclude<Request, { type: 'web_open' | 'listen_open' }>): Answer {
    const { calls } = this.#options;
    switch (request.type) {
      case 'hangup':
        return { type: 'done', done: calls.hangup(request.workspaceId, request.callId) };
      case 'watch': {
        const { watchId } = request;
        const stop = calls.watch(request.workspaceId, request.callId, (event) =>
          this.#send({ type: 'event', watchId, event }),
        );
        if (stop === null) return { type: 'done', done: false };
        this.#watches.set(watchId, stop);
        return { type: 'done', done: true };
      }
      case 'report':
        return { type: 'report', report: calls.report() };
      default:
        request satisfies never;
        throw new Error('an unknown request of the control thread');
    }
  }
}
