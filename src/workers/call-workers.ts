import type { ConnectSpeech } from '../offline/speech/speech-protocol.ts';
import { dropSocket, type WebSocketHandover } from '../telephony/web/handover.ts';
import { probeMemory } from '../providers/wire/probes.ts';
import { type PortRange, splitPortRange } from '@callwright/rtp';
import { FallbackCounts, type FallbackCount } from '../shared/fallback-counts.ts';
import type { Log } from '../shared/log.ts';
import type { ConversationProgress } from '../voice/conversation.ts';
import { HostThread } from '../shared/native-threads.ts';
import { Pulse } from '../shared/pulse.ts';
import type { RecogniserFault } from '../providers/ports/recogniser.ts';
import type { CallMedia, CallMediaEvents } from './call-media.ts';
import type { CallWorkerData } from './call-worker.thread.ts';
import type { FromWorker, LiveEvent, ToWorker } from './protocol.ts';
import { VendorFaultCounts, type VendorFaultCount } from '../providers/choose/faults.ts';
import { freeCalls, leastBusy, type WorkerLoad, type WorkerSlot, type WorkerThread } from './worker-slot.ts';

/** Starts one worker thread. Tests run the host on their own thread, in virtual time. */
export type SpawnWorker = (index: number, data: CallWorkerData) => WorkerThread;

const RESTART_MS = 500;
/** A worker that answers no ping for 2.5 s is replaced: its calls have been silent for as long. */
const PING_MS = 250;
const UNANSWERED_PINGS = 10;

const spawnThread =
  (log: Log): SpawnWorker =>
  (index, workerData) =>
    new HostThread(
      new URL('./call-worker.thread.ts', import.meta.url),
      { workerData, name: `call-worker-${index}` },
      log,
    );

type VendorFaultMessage = Extract<FromWorker, { type: 'vendor_fault' }>;

interface Pending {
  slot: WorkerSlot;
  resolve(port: number): void;
  reject(error: Error): void;
}

/** The pool of call worker threads: places each call on the least busy one and routes messages both ways. */
export class CallWorkers {
  readonly #data: CallWorkerData;
  /** Each worker's share of the port range; null: ephemeral ports. */
  readonly #ports: readonly PortRange[] | null;
  readonly #count: number;
  readonly #maxCalls: number;
  readonly #log: Log;
  readonly #spawnWorker: SpawnWorker;
  readonly #connectSpeech: ConnectSpeech;
  #slots: WorkerSlot[] = [];
  readonly #pending = new Map<number, Pending>();
  readonly #events = new Map<string, CallMediaEvents>();
  #requestId = 0;
  #stopping = false;
  readonly #vendorFaults = new VendorFaultCounts();
  readonly #fallbacks = new FallbackCounts();
  #recordingFailures = 0;
  #recordingFailedAt: number | null = null;
  #engines: { vad: string; stt: string; tts: string; llm: string } | null = null;

  /** Calls since the start whose recording failed, wholly or in part, and how long ago the last one did. */
  get recordingFailures(): { readonly count: number; readonly agoMs: number | null } {
    const lastAt = this.#recordingFailedAt;
    return { count: this.#recordingFailures, agoMs: lastAt === null ? null : performance.now() - lastAt };
  }

  /** Why a worker's recogniser does not work; null: those of all do. */
  get recogniserFault(): RecogniserFault | null {
    return this.#slots.find((slot) => slot.recogniserFault !== null)?.recogniserFault ?? null;
  }

  /** Replies of another engine than the agent's first model, since the start. */
  get fallbackReplies(): readonly FallbackCount[] {
    return this.#fallbacks.list();
  }

  get vendorFaults(): readonly VendorFaultCount[] {
    return this.#vendorFaults.list();
  }

  constructor(options: {
    data: CallWorkerData;
    count: number;
    maxCallsPerWorker: number;
    log: Log;
    /** Hands a worker's port to the speech thread of the process. */
    connectSpeech: ConnectSpeech;
    spawn?: SpawnWorker;
  }) {
    this.#data = { ...options.data, probes: probeMemory() };
    const { rtpPorts } = options.data;
    this.#ports = rtpPorts === null ? null : splitPortRange(rtpPorts, options.count);
    this.#count = this.#ports?.length ?? options.count;
    this.#maxCalls = options.maxCallsPerWorker;
    this.#log = options.log;
    this.#connectSpeech = options.connectSpeech;
    this.#spawnWorker = options.spawn ?? spawnThread(options.log);
  }

  async start(): Promise<void> {
    await Promise.all(Array.from({ length: this.#count }, (_, index) => this.#spawn(index)));
  }

  get engines(): { vad: string; stt: string; tts: string; llm: string } | null {
    return this.#engines;
  }

  /** Calls this process can take on top of its live ones: limited by workers and by RTP ports. */
  freeCapacity(): number {
    if (this.#stopping) return 0;
    return this.#slots.reduce((sum, slot) => sum + freeCalls(slot, this.#maxCalls), 0);
  }

  liveCalls(): number {
    return this.#slots.reduce((sum, slot) => sum + slot.calls.size, 0);
  }

  health(): { index: number; ready: boolean; calls: number; load: WorkerLoad }[] {
    return this.#slots.map(({ index, ready, calls, load }) => ({ index, ready, calls: calls.size, load }));
  }

  /** Opens ports for a call; a browser call has none. Rejects when no worker is ready or no port is free. */
  async allocate(callId: string, events: CallMediaEvents, kind: 'rtp' | 'web' = 'rtp'): Promise<CallMedia> {
    const slot = leastBusy(this.#slots, this.#maxCalls);
    if (slot === undefined) throw new Error('no call worker with free ports');
    slot.calls.add(callId);
    this.#events.set(callId, events);
    const send = (message: ToWorker): void => slot.thread.postMessage(message);
    /** The descriptor in a message to a thread that ended would stay open. */
    const handOver = (message: Extract<ToWorker, { socket: WebSocketHandover }>): void =>
      slot.isLost ? dropSocket(message.socket) : send(message);
    try {
      const port = await this.#portOf(slot, (requestId) => ({
        type: 'allocate',
        requestId,
        callId,
        kind,
      }));
      return {
        port,
        setMedia: (media) => send({ type: 'media', callId, media }),
        prepare: (spec) => send({ type: 'prepare', callId, spec }),
        answered: (spec, at) => send({ type: 'answered', callId, spec, at }),
        remoteHangup: (at) => send({ type: 'remote_hangup', callId, at }),
        end: (reason, say) => send({ type: 'end', callId, reason, say }),
        dtmf: (digit, at) => send({ type: 'dtmf_received', callId, digit, at }),
        toolResult: (requestId, outcome) => send({ type: 'tool_result', callId, requestId, outcome }),
        openBridge: (briefing) =>
          this.#portOf(slot, (requestId) => ({ type: 'bridge_open', requestId, callId, briefing })),
        setBridgeMedia: (media) => send({ type: 'bridge_media', callId, media }),
        bridgeAnswered: (at) => send({ type: 'bridge_answered', callId, at }),
        bridgeDtmf: (digit) => send({ type: 'bridge_dtmf', callId, digit }),
        closeBridge: () => send({ type: 'bridge_close', callId }),
        connectWeb: (socket, resume) => handOver({ type: 'web_socket', callId, socket, resume }),
        listen: (listenerId, socket) => handOver({ type: 'listener', callId, listenerId, socket }),
        release: () => {
          this.#forget(slot, callId);
          send({ type: 'release', callId });
        },
      };
    } catch (error) {
      this.#forget(slot, callId);
      throw error;
    }
  }

  /** Stops every worker and hangs up its live calls; terminates one that takes longer than `timeoutMs`. */
  async stop(timeoutMs = 5000): Promise<void> {
    this.#stopping = true;
    const running = this.#slots.filter(({ isLost }) => !isLost);
    await Promise.all(
      running.map(async ({ thread }) => {
        const exited = new Promise<void>((resolve) => thread.once('exit', () => resolve()));
        thread.postMessage({ type: 'stop' } satisfies ToWorker);
        const timer = setTimeout(() => void thread.terminate(), timeoutMs);
        await exited;
        clearTimeout(timer);
      }),
    );
    this.#slots = [];
  }

  /** Requests an RTP port pair of a worker. */
  #portOf(slot: WorkerSlot, request: (requestId: number) => ToWorker): Promise<number> {
    const requestId = ++this.#requestId;
    return new Promise((resolve, reject) => {
      if (slot.isLost || !this.#slots.includes(slot)) {
        reject(new Error('the call worker ended'));
        return;
      }
      this.#pending.set(requestId, { slot, resolve, reject });
      slot.pairsRequested += 1;
      slot.thread.postMessage(request(requestId));
    });
  }

  #spawn(index: number): Promise<void> {
    const thread = this.#spawnWorker(index, { ...this.#data, rtpPorts: this.#ports?.[index] ?? null });
    const slot: WorkerSlot = {
      index,
      thread,
      calls: new Set(),
      ready: false,
      isLost: false,
      pulse: new Pulse({
        ping: () => thread.postMessage({ type: 'ping' } satisfies ToWorker),
        pingMs: PING_MS,
        limit: UNANSWERED_PINGS,
        onHung: () => this.#onHung(slot),
      }),
      freePairs: 0,
      pairsRequested: 0,
      load: { calls: 0, rtpPortsInUse: 0, lateTickP99Ms: 0 },
      recogniserFault: null,
    };
    this.#slots[index] = slot;
    return new Promise((resolve, reject) => {
      thread.on('message', (message: FromWorker) => {
        if (message.type === 'ready') {
          slot.ready = true;
          slot.pulse.start();
          slot.freePairs = message.freePairs;
          this.#engines = message.engines;
          resolve();
        } else this.#receive(slot, message);
      });
      thread.on('error', (error) => {
        this.#log.error({ err: error, worker: index }, 'a call worker failed');
        reject(error);
      });
      thread.on('exit', () => {
        this.#onExit(slot);
        reject(new Error('a call worker ended at its start'));
      });
    });
  }

  #onExit(slot: WorkerSlot): void {
    const lost = slot.calls.size;
    if (!this.#lose(slot) || this.#stopping) return;
    this.#log.error({ worker: slot.index, lost }, 'a call worker ended; it is restarted');
  }

  /** The thread may be in code that no signal ends, so nothing here waits for its exit. */
  #onHung(slot: WorkerSlot): void {
    this.#log.error(
      { worker: slot.index, lost: slot.calls.size },
      'a call worker does not respond; its calls end and it is replaced',
    );
    this.#lose(slot);
    void slot.thread.terminate();
  }

  /** Ends the worker's calls and has it replaced; false if that has happened. */
  #lose(slot: WorkerSlot): boolean {
    if (slot.isLost) return false;
    slot.isLost = true;
    slot.ready = false;
    slot.pulse.stop();
    const lost = [...slot.calls];
    slot.calls.clear();
    for (const callId of lost) {
      const events = this.#events.get(callId);
      this.#events.delete(callId);
      events?.onLost();
    }
    for (const [id, pending] of this.#pending) {
      if (pending.slot !== slot) continue;
      this.#pending.delete(id);
      pending.reject(new Error('the call worker ended'));
    }
    setTimeout(() => {
      if (!this.#stopping) this.#spawn(slot.index).catch(() => undefined);
    }, RESTART_MS).unref();
    return true;
  }

  #receive(slot: WorkerSlot, message: FromWorker): void {
    if (slot.isLost) return;
    switch (message.type) {
      case 'allocated':
      case 'allocation_failed': {
        const pending = this.#pending.get(message.requestId);
        this.#pending.delete(message.requestId);
        slot.pairsRequested -= 1;
        slot.freePairs = message.freePairs;
        if (message.type === 'allocated') pending?.resolve(message.port);
        else pending?.reject(new Error(message.message));
        return;
      }
      case 'live':
        this.#noteFailure(message.callId, message.event);
        this.#events.get(message.callId)?.onLive(message.event);
        return;
      case 'progress':
        this.#noteFallbacks(message.callId, message.progress);
        this.#events.get(message.callId)?.onProgress(message.progress);
        return;
      case 'opted_out':
        this.#events.get(message.callId)?.onOptOut();
        return;
      case 'tool':
        this.#events.get(message.callId)?.onTool(message.request);
        return;
      case 'bridge':
        this.#events.get(message.callId)?.onBridge(message.event);
        return;
      case 'left':
        this.#events.get(message.callId)?.onLeft(message.by, message.at);
        return;
      case 'special_tones':
        this.#events.get(message.callId)?.onSpecialTones(message.tones);
        return;
      case 'listener_left':
        this.#events.get(message.callId)?.onListenerLeft(message.listenerId);
        return;
      case 'hangup':
        this.#events.get(message.callId)?.onHangup(message.reason, message.failure);
        return;
      case 'finished': {
        const events = this.#events.get(message.callId);
        this.#forget(slot, message.callId);
        events?.onFinished(message.result);
        return;
      }
      case 'vendor_fault':
        return this.#onVendorFault(slot, message);
      case 'account_broken':
        return this.#tellOthers(slot, message);
      case 'speech':
        this.#connectSpeech(message.port);
        return;
      case 'recogniser':
        slot.recogniserFault = message.fault;
        return;
      case 'load': {
        const { calls, rtpPortsInUse, lateTickP99Ms } = message;
        slot.load = { calls, rtpPortsInUse, lateTickP99Ms };
        slot.freePairs = message.freePairs;
        return;
      }
      case 'pong':
        slot.pulse.answered();
        return;
      case 'ready':
      case 'stopped':
        return;
      default:
        message satisfies never;
    }
  }

  /** Counts and logs a vendor's fault, and has the other workers pass the vendor over. */
  #onVendorFault(from: WorkerSlot, { part, fault, broken }: VendorFaultMessage): void {
    this.#vendorFaults.add(part, fault);
    const { vendor, kind, status } = fault;
    this.#log.warn({ part, vendor, kind, status }, 'a vendor failed');
    if (broken === null || part === 's2s') return;
    this.#tellOthers(from, { type: 'vendor_broken', part, name: broken, fault });
  }

  /** Counts and logs replies that came from another engine than the agent's first model. */
  #noteFallbacks(callId: string, { transcript }: ConversationProgress): void {
    for (const { spokenBy } of transcript) {
      if (spokenBy?.isFallback !== true || spokenBy.engine === null) continue;
      const { engine, vendor } = spokenBy;
      this.#fallbacks.add(engine);
      this.#log.warn({ callId, engine, vendor }, "another engine than the agent's model replied");
    }
  }

  #tellOthers(
    from: WorkerSlot,
    message: Extract<ToWorker, { type: 'vendor_broken' | 'account_broken' }>,
  ): void {
    for (const slot of this.#slots) if (slot !== from && slot.ready) slot.thread.postMessage(message);
  }

  /** Failed conversations and recordings are logged for the operator; a recording is counted, and its call goes on. */
  #noteFailure(callId: string, event: LiveEvent): void {
    if (event.type !== 'notice') return;
    if (event.code === 'CONVERSATION_FAILED') {
      this.#log.error({ callId, error: event.message }, 'an error ended a conversation');
    }
    if (event.code !== 'RECORDING_FAILED') return;
    this.#recordingFailures += 1;
    this.#recordingFailedAt = performance.now();
    this.#log.error({ callId, reason: event.message }, 'a recording could not be kept; its call goes on');
  }

  #forget(slot: WorkerSlot, callId: string): void {
    slot.calls.delete(callId);
    this.#events.delete(callId);
  }
}
