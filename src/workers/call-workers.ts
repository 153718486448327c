import { Worker } from 'node:worker_threads';
import { splitPortRange, type PortRange } from '../telephony/rtp/port-pool.ts';
import type { Log } from '../shared/log.ts';
import type { CallMedia, CallMediaEvents } from './call-media.ts';
import type { CallWorkerData } from './call-worker.thread.ts';
import type { FromWorker, LiveEvent, ToWorker } from './protocol.ts';
import { leastBusy, roomOf, type WorkerLoad, type WorkerSlot } from './worker-slot.ts';

interface Pending {
  slot: WorkerSlot;
  resolve(port: number): void;
  reject(error: Error): void;
}

/** The call worker threads: allocates a call on the least busy one and carries messages both ways. */
export class CallWorkers {
  readonly #data: CallWorkerData;
  /** Each worker's share of the range; null: whatever the system gives. */
  readonly #ports: readonly PortRange[] | null;
  readonly #count: number;
  readonly #maxCalls: number;
  readonly #log: Log;
  #slots: WorkerSlot[] = [];
  readonly #pending = new Map<number, Pending>();
  readonly #events = new Map<string, CallMediaEvents>();
  #requestId = 0;
  #stopping = false;
  #recordingFailures = 0;
  #recordingFailedAt: number | null = null;
  #engines: { vad: string; stt: string; tts: string; llm: string } | null = null;

  /** Calls whose recording could not be kept, or only in part, since the start; and when the last one failed. */
  get recordingFailures(): { readonly count: number; readonly lastAt: number | null } {
    return { count: this.#recordingFailures, lastAt: this.#recordingFailedAt };
  }

  constructor(options: { data: CallWorkerData; count: number; maxCallsPerWorker: number; log: Log }) {
    this.#data = options.data;
    const { rtpPorts } = options.data;
    this.#ports = rtpPorts === null ? null : splitPortRange(rtpPorts, options.count);
    this.#count = this.#ports?.length ?? options.count;
    this.#maxCalls = options.maxCallsPerWorker;
    this.#log = options.log;
  }

  async start(): Promise<void> {
    await Promise.all(Array.from({ length: this.#count }, (_, index) => this.#spawn(index)));
  }

  get engines(): { vad: string; stt: string; tts: string; llm: string } | null {
    return this.#engines;
  }

  /** Calls this process can still take: it has a worker and RTP ports for them. */
  freeCapacity(): number {
    if (this.#stopping) return 0;
    return this.#slots.reduce((sum, slot) => sum + roomOf(slot, this.#maxCalls), 0);
  }

  liveCalls(): number {
    return this.#slots.reduce((sum, slot) => sum + slot.calls.size, 0);
  }

  health(): { index: number; ready: boolean; calls: number; load: WorkerLoad }[] {
    return this.#slots.map(({ index, ready, calls, load }) => ({ index, ready, calls: calls.size, load }));
  }

  /** Opens ports for a call. Rejects when no worker is ready or no port is free. */
  async allocate(callId: string, events: CallMediaEvents): Promise<CallMedia> {
    const slot = leastBusy(this.#slots, this.#maxCalls);
    if (slot === undefined) throw new Error('no call worker with free ports');
    slot.calls.add(callId);
    this.#events.set(callId, events);
    const send = (message: ToWorker): void => slot.thread.postMessage(message);
    try {
      const port = await this.#portOf(slot, (requestId) => ({ type: 'allocate', requestId, callId }));
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

  /** Stops every worker; calls still live on them are cut off. Bounded by `timeoutMs`. */
  async stop(timeoutMs = 5000): Promise<void> {
    this.#stopping = true;
    await Promise.all(
      this.#slots.map(async (slot) => {
        const exited = new Promise<void>((resolve) => slot.thread.once('exit', () => resolve()));
        slot.thread.postMessage({ type: 'stop' } satisfies ToWorker);
        const timer = setTimeout(() => void slot.thread.terminate(), timeoutMs);
        await exited;
        clearTimeout(timer);
      }),
    );
    this.#slots = [];
  }

  /** Asks a thread for ports. */
  #portOf(slot: WorkerSlot, ask: (requestId: number) => ToWorker): Promise<number> {
    const requestId = ++this.#requestId;
    return new Promise((resolve, reject) => {
      if (!this.#slots.includes(slot)) {
        reject(new Error('the call worker ended'));
        return;
      }
      this.#pending.set(requestId, { slot, resolve, reject });
      slot.pairsAsked += 1;
      slot.thread.postMessage(ask(requestId));
    });
  }

  #spawn(index: number): Promise<void> {
    const thread = new Worker(new URL('./call-worker.thread.ts', import.meta.url), {
      workerData: { ...this.#data, rtpPorts: this.#ports?.[index] ?? null } satisfies CallWorkerData,
      name: `call-worker-${index}`,
    });
    const slot: WorkerSlot = {
      index,
      thread,
      calls: new Set(),
      ready: false,
      freePairs: 0,
      pairsAsked: 0,
      load: { calls: 0, rtpPortsInUse: 0, lateTickP99Ms: 0 },
    };
    this.#slots[index] = slot;
    return new Promise((resolve, reject) => {
      thread.on('message', (message: FromWorker) => {
        if (message.type === 'ready') {
          slot.ready = true;
          slot.freePairs = message.freePairs;
          this.#engines = message.engines;
          resolve();
        } else this.#receive(slot, message);
      });
      thread.on('error', (error) => {
        this.#log.error({ err: error, worker: index }, 'a call worker failed');
        reject(error);
      });
      thread.on('exit', () => this.#onExit(slot));
    });
  }

  #onExit(slot: WorkerSlot): void {
    slot.ready = false;
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
    if (this.#stopping) return;
    this.#log.error({ worker: slot.index, lost: lost.length }, 'a call worker ended; starting it again');
    setTimeout(() => {
      if (!this.#stopping) this.#spawn(slot.index).catch(() => undefined);
    }, 500).unref();
  }

  #receive(slot: WorkerSlot, message: FromWorker): void {
    switch (message.type) {
      case 'allocated':
      case 'allocation_failed': {
        const pending = this.#pending.get(message.requestId);
        this.#pending.delete(message.requestId);
        slot.pairsAsked -= 1;
        slot.freePairs = message.freePairs;
        if (message.type === 'allocated') pending?.resolve(message.port);
        else pending?.reject(new Error(message.message));
        return;
      }
      case 'live':
        this.#heed(message.callId, message.event);
        this.#events.get(message.callId)?.onLive(message.event);
        return;
      case 'talk':
        this.#events.get(message.callId)?.onTalk(message.news);
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
      case 'hangup':
        this.#events.get(message.callId)?.onHangup(message.reason);
        return;
      case 'finished': {
        const events = this.#events.get(message.callId);
        this.#forget(slot, message.callId);
        events?.onFinished(message.result);
        return;
      }
      case 'load': {
        const { calls, rtpPortsInUse, lateTickP99Ms } = message;
        slot.load = { calls, rtpPortsInUse, lateTickP99Ms };
        slot.freePairs = message.freePairs;
        return;
      }
      case 'ready':
      case 'stopped':
        return;
      default:
        message satisfies never;
    }
  }

  /** A disk that takes no more is the operator's to know of: the call goes on without its recording. */
  #heed(callId: string, event: LiveEvent): void {
    if (event.type !== 'notice' || event.code !== 'RECORDING_FAILED') return;
    this.#recordingFailures += 1;
    this.#recordingFailedAt = performance.now();
    this.#log.error({ callId, reason: event.message }, 'a recording could not be kept; its call goes on');
  }

  #forget(slot: WorkerSlot, callId: string): void {
    slot.calls.delete(callId);
    this.#events.delete(callId);
  }
}
