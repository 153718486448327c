import type { InvitedGuest } from '../session/protocol.ts';
import type { ConnectSpeech } from '../offline/speech/speech-api.ts';
import type { ConnectEar } from '../offline/words/ear-api.ts';
import { dropSocket } from '../telephony/web/handover.ts';
import { probeMemory } from '../providers/wire/probes.ts';
import { type PortRange, splitPortRange } from '@callwright/rtp';
import type { Log } from '../shared/log.ts';
import { HostThread } from '../shared/native-threads.ts';
import { ThreadPool } from '../shared/threads/pool.ts';
import type { Serves } from '../shared/threads/remote.ts';
import { Thread, type ThreadEnded, type WorkerThread } from '../shared/threads/thread.ts';
import type { RecogniserFault } from '../providers/ports/recogniser.ts';
import type {
  Allocation,
  CallMedia,
  CallMediaEvents,
  HostedCallApi,
  HostedCallEvents,
  LegKind,
} from './call-media.ts';
import type { CallWorkerApi, CallWorkerEvents, WorkerEngines, WorkerLoad } from './call-worker-api.ts';
import type { CallWorkerData } from './call-worker.thread.ts';
import { WorkerNotes } from './worker-notes.ts';
import { freeCalls, leastBusy, type WorkerSlot } from './worker-slot.ts';

/** Starts one worker thread. Tests run the host on their own thread, in virtual time. */
export type SpawnWorker = (index: number, data: CallWorkerData) => WorkerThread;

const RESTART_MS = 500;
/**
 * A worker that answers no ping for 2.5 s is suspect. With one call at most it is replaced. With several, another worker takes
 * the new calls, and the suspect keeps its own until they end: it may only be slow. After 20 s without an answer it is stuck,
 * and its callers have heard nothing for as long: its calls end.
 */
const PULSE = { pingMs: 500, limit: 40 };
const SUSPECT_AFTER = 5;
/** Between two pings of a worker without calls: more than between its reports, so that it is pinged only when these stop. */
const IDLE_PING_MS = 4_500;
/** A worker that takes longer to end its calls is terminated. */
const STOP_MS = 5_000;

/** `heapMb`: a thread whose JavaScript heap grows beyond it ends alone, and not with the whole process. */
export const spawnCallWorker =
  (log: Log, heapMb: number, file = new URL('./call-worker.thread.ts', import.meta.url)): SpawnWorker =>
  (index, workerData) =>
    new HostThread(
      file,
      { workerData, name: `call-worker-${index}`, resourceLimits: { maxOldGenerationSizeMb: heapMb } },
      log,
    );

const isOutOfMemory = ({ cause }: ThreadEnded): boolean =>
  cause instanceof Error && (cause as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';

/** The call worker threads: places each call on the least busy one, and hands events to the call's owner. */
export class CallWorkers {
  readonly #data: CallWorkerData;
  /** Each worker's share of the port range; null: ephemeral ports. */
  readonly #ports: readonly PortRange[] | null;
  readonly #maxCalls: number;
  readonly #log: Log;
  readonly #spawnWorker: SpawnWorker;
  readonly #connectSpeech: ConnectSpeech;
  readonly #connectEar: ConnectEar;
  readonly #pool: ThreadPool<WorkerSlot['thread']>;
  #slots: WorkerSlot[] = [];
  /** Suspect workers whose calls go on. */
  readonly #draining = new Set<WorkerSlot>();
  readonly #events = new Map<string, CallMediaEvents>();
  readonly notes: WorkerNotes;
  #stopping = false;
  #engines: WorkerEngines | null = null;

  constructor(options: {
    data: CallWorkerData;
    count: number;
    maxCallsPerWorker: number;
    log: Log;
    /** Hands a worker's port to the speech thread of the process. */
    connectSpeech: ConnectSpeech;
    /** Hands a call's port to a recogniser thread of the process. */
    connectEar: ConnectEar;
    spawn: SpawnWorker;
  }) {
    this.#data = { ...options.data, probes: probeMemory() };
    const { rtpPorts } = options.data;
    this.#ports = rtpPorts === null ? null : splitPortRange(rtpPorts, options.count);
    this.#maxCalls = options.maxCallsPerWorker;
    this.#log = options.log;
    this.notes = new WorkerNotes(options.log);
    this.#connectSpeech = options.connectSpeech;
    this.#connectEar = options.connectEar;
    this.#spawnWorker = options.spawn;
    this.#pool = new ThreadPool({
      size: this.#ports?.length ?? options.count,
      start: (index) => this.#start(index).thread,
      restartMs: [RESTART_MS],
    });
  }

  /** Resolves when every worker is ready. */
  async start(): Promise<void> {
    this.#pool.fill();
    await Promise.all(this.#slots.map(({ started }) => started.promise));
  }

  /** Why a worker's recogniser does not work; null: those of all do. */
  get recogniserFault(): RecogniserFault | null {
    return this.#slots.find((slot) => slot.recogniserFault !== null)?.recogniserFault ?? null;
  }

  get engines(): WorkerEngines | null {
    return this.#engines;
  }

  /** Calls this process can take on top of its live ones: limited by workers and by RTP ports. */
  freeCapacity(): number {
    if (this.#stopping) return 0;
    return this.#slots.reduce((sum, slot) => sum + freeCalls(slot, this.#maxCalls), 0);
  }

  liveCalls(): number {
    return [...this.#slots, ...this.#draining].reduce((sum, slot) => sum + slot.calls.size, 0);
  }

  health(): { index: number; ready: boolean; calls: number; load: WorkerLoad }[] {
    return this.#slots.map(({ index, ready, calls, load }) => ({ index, ready, calls: calls.size, load }));
  }

  /** Opens ports for a call; a browser's and a carrier's WebSocket have none. Rejects when no worker is ready or no port is free. */
  async allocate(callId: string, events: CallMediaEvents, kind: LegKind): Promise<CallMedia> {
    const slot = leastBusy(this.#slots, this.#maxCalls);
    if (slot === undefined) throw new Error('no call worker with free ports');
    slot.calls.add(callId);
    slot.thread.hasten();
    this.#events.set(callId, events);
    const { thread } = slot;
    try {
      const port = await this.#portOf(slot, thread.remote.call.allocate(callId, kind));
      const { send, call } = thread.remote.of(callId);
      return Object.assign(Object.create(send) as typeof send, {
        port,
        openBridge: (briefing: string, guest: InvitedGuest | null) =>
          this.#portOf(slot, call.openBridge(briefing, guest)),
        // The descriptor in a message to a thread that ended would stay open.
        connectWeb: ((socket, proof) =>
          thread.ended === null
            ? thread.remote.send.connectWeb(callId, socket, proof)
            : dropSocket(socket)) satisfies CallMedia['connectWeb'],
        listen: ((listenerId, name, socket) =>
          thread.ended === null
            ? thread.remote.send.listen(callId, listenerId, name, socket)
            : dropSocket(socket)) satisfies CallMedia['listen'],
        release: () => {
          this.#forget(slot, callId);
          send.release();
        },
      });
    } catch (error) {
      this.#forget(slot, callId);
      throw error;
    }
  }

  /** Stops every worker and hangs up its live calls. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#pool.close();
    this.#slots = [];
  }

  /** The port that a worker was asked for. */
  async #portOf(slot: WorkerSlot, request: Promise<Allocation>): Promise<number> {
    slot.pairsRequested += 1;
    const allocation = await request;
    slot.pairsRequested -= 1;
    slot.freePairs = allocation.freePairs;
    if ('refusal' in allocation) throw new Error(allocation.refusal);
    return allocation.port;
  }

  #start(index: number): WorkerSlot {
    const worker = this.#spawnWorker(index, { ...this.#data, rtpPorts: this.#ports?.[index] ?? null });
    const thread: WorkerSlot['thread'] = new Thread<
      CallWorkerApi,
      HostedCallApi,
      CallWorkerEvents,
      HostedCallEvents
    >(worker, {
      name: 'call worker',
      ending: { by: 'request', withinMs: STOP_MS },
      served: { api: this.#served(() => slot), part: (callId) => this.#events.get(callId) },
      pulse: {
        ...PULSE,
        idle: { isIdle: () => slot.calls.size === 0, pingMs: IDLE_PING_MS },
        late: { after: SUSPECT_AFTER, onLate: () => this.#suspect(slot) },
      },
    });
    const slot: WorkerSlot = {
      index,
      thread,
      calls: new Set(),
      started: Promise.withResolvers(),
      ready: false,
      freePairs: 0,
      pairsRequested: 0,
      load: { calls: 0, rtpPortsInUse: 0, lateTickP99Ms: 0 },
      recogniserFault: null,
    };
    // A restart has no caller that waits for it.
    slot.started.promise.catch(() => undefined);
    thread.onEnd((reason) => this.#onEnd(slot, reason));
    this.#slots[index] = slot;
    return slot;
  }

  /** The worker does not answer for now. */
  #suspect(slot: WorkerSlot): void {
    if (this.#stopping || this.#draining.has(slot)) return;
    const worker = slot.index;
    if (slot.calls.size - slot.pairsRequested <= 1) return slot.thread.giveUp();
    this.#log.error({ worker }, 'a call worker is late; it gets no new calls and is replaced after its own');
    this.#draining.add(slot);
    return this.#pool.retire(slot.thread);
  }

  /** Ends the worker's calls; the pool starts another in its place. */
  #onEnd(slot: WorkerSlot, reason: ThreadEnded): void {
    const lost = [...slot.calls];
    const why = isOutOfMemory(reason) ? 'memory' : 'ended';
    slot.ready = false;
    this.#draining.delete(slot);
    slot.calls.clear();
    slot.started.reject(new Error('a call worker ended at its start', { cause: reason }));
    for (const callId of lost) {
      const events = this.#events.get(callId);
      this.#events.delete(callId);
      events?.onLost(why);
    }
    const [worker, count] = [slot.index, lost.length];
    if (reason.kind === 'failed') {
      this.#log.error({ worker, lost: count, err: reason.cause }, 'a call worker failed');
    }
    if (this.#stopping) return;
    if (reason.kind === 'hung') {
      this.#log.error(
        { worker, lost: count },
        'a call worker does not respond; its calls end and it is replaced',
      );
    } else this.#log.error({ worker, lost: count }, 'a call worker ended; it is restarted');
  }

  #served(slotOf: () => WorkerSlot): Serves<CallWorkerEvents> {
    return {
      ready: (engines, freePairs) => {
        const slot = slotOf();
        slot.ready = true;
        slot.freePairs = freePairs;
        slot.thread.watch();
        this.#engines = engines;
        slot.started.resolve();
      },
      speech: (port) => this.#connectSpeech(port),
      ear: (port, model) => this.#connectEar(port, model),
      live: (callId, event) => {
        this.notes.live(callId, event);
        this.#events.get(callId)?.onLive(event);
      },
      progress: (callId, progress) => {
        this.notes.progress(callId, progress);
        this.#events.get(callId)?.onProgress(progress);
      },
      finished: (callId, result) => {
        this.notes.finished(result);
        const events = this.#events.get(callId);
        this.#forget(slotOf(), callId);
        events?.onFinished(result);
      },
      vendorFault: (part, fault, broken) => {
        this.notes.vendorFault(part, fault);
        if (broken === null || part === 's2s') return;
        for (const other of this.#others(slotOf())) other.send.passVendorOver(part, broken, fault);
      },
      accountBroken: (account, fault) => {
        for (const other of this.#others(slotOf())) other.send.passAccountOver(account, fault);
      },
      recogniser: (fault) => {
        slotOf().recogniserFault = fault;
      },
      load: (load, freePairs) => {
        const slot = slotOf();
        slot.load = load;
        slot.freePairs = freePairs;
        slot.thread.heard();
      },
      refused: (entrance) => this.notes.refused(entrance),
    };
  }

  #others(slot: WorkerSlot): WorkerSlot['thread']['remote'][] {
    return this.#slots.filter((other) => other !== slot && other.ready).map(({ thread }) => thread.remote);
  }

  #forget(slot: WorkerSlot, callId: string): void {
    slot.calls.delete(callId);
    this.#events.delete(callId);
    if (slot.calls.size === 0 && this.#draining.has(slot)) void slot.thread.stop();
  }
}
