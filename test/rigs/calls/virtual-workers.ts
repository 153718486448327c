import { EventEmitter } from 'node:events';
import type { Providers } from '../../../src/providers/choose/installation.ts';
import { FreeSpace } from '../../../src/session/free-space.ts';
import { KnowledgeIndexes } from '../../../src/shared/knowledge/knowledge-index.ts';
import type { Log } from '../../../src/shared/log.ts';
import type { LlmProvider } from '../../../src/providers/ports/model.ts';
import { ChosenProviders } from '../../../src/providers/choose/open.ts';
import { CallHost } from '../../../src/workers/call-host.ts';
import { CallWorkers, type SpawnWorker } from '../../../src/workers/call-workers.ts';
import { OwnModels } from '../../../src/workers/own-models.ts';
import type { FromWorker, OwnModel, ToWorker } from '../../../src/workers/protocol.ts';
import type { WorkerThread } from '../../../src/workers/worker-slot.ts';
import { VirtualLeg } from './virtual-leg.ts';
import { pacedLlm } from './virtual-providers.ts';
import type { VirtualTime } from './virtual-time.ts';

export interface VirtualWorkersOptions {
  readonly time: VirtualTime;
  readonly providers: Providers;
  readonly recordingsDir: string;
  readonly log: Log;
}

/** An agent's own model is an HTTP server: virtual time runs at real speed while a request is pending. */
class PacedModels extends OwnModels {
  readonly #time: VirtualTime;

  constructor(time: VirtualTime) {
    super(['127.0.0.1']);
    this.#time = time;
  }

  override load(): Promise<void> {
    return this.#time.during('loading the model adapter', super.load());
  }

  override of(model: OwnModel): LlmProvider {
    return pacedLlm(super.of(model), this.#time);
  }
}

/** A call worker on the test's own thread: the real host and sessions, with legs that carry no packets. */
class VirtualWorker extends EventEmitter implements Pick<WorkerThread, 'postMessage' | 'terminate'> {
  readonly #options: VirtualWorkersOptions;
  readonly #legs: Map<number, VirtualLeg>;
  readonly #host: CallHost;
  readonly #models: PacedModels;
  readonly #paces = new Map<string, () => void>();

  constructor(options: VirtualWorkersOptions, legs: Map<number, VirtualLeg>) {
    super();
    const { time, providers, recordingsDir, log } = options;
    this.#options = options;
    this.#legs = legs;
    this.#models = new PacedModels(time);
    this.#host = new CallHost({
      providers,
      models: this.#models,
      chosen: new ChosenProviders(providers, []),
      indexes: new KnowledgeIndexes(),
      scheduler: time,
      log,
      recordingsDir,
      space: new FreeSpace(recordingsDir, 0),
      openLeg: () => Promise.resolve(this.#openLeg()),
      openWebLeg: () => {
        throw new Error('the rig has no browser calls');
      },
      freePairs: () => Number.POSITIVE_INFINITY,
      send: (message) => this.#send(message),
    });
    const { vad, stt, tts, llm } = providers;
    const engines = { vad: vad.name, stt: stt.name, tts: tts.name, llm: llm.name };
    this.#send({ type: 'ready', engines, freePairs: Number.POSITIVE_INFINITY });
  }

  postMessage(message: ToWorker): void {
    const copy = structuredClone(message);
    queueMicrotask(() => {
      if (copy.type === 'vendor_broken' || copy.type === 'account_broken') return;
      if (copy.type === 'stop') void this.#stop();
      else if (copy.type === 'tool_result') {
        void this.#options.time.catchUp().then(() => {
          this.#paced(copy.callId, copy.requestId)?.();
          this.#host.receive(copy);
        });
      } else this.#host.receive(copy);
    });
  }

  terminate(): Promise<number> {
    return Promise.resolve(0);
  }

  #send(message: FromWorker): void {
    if (message.type === 'tool') {
      this.#paces.set(`${message.callId} ${message.request.requestId}`, this.#options.time.pace());
    }
    // Time continues only after an ended call is written and reported.
    if (message.type === 'hangup')
      this.#paces.set(message.callId, this.#options.time.stop('the end of a call'));
    if (message.type === 'finished') {
      for (const [key, go] of this.#paces) if (key.startsWith(message.callId)) go();
    }
    const copy = structuredClone(message);
    queueMicrotask(() => this.emit('message', copy));
  }

  #paced(callId: string, requestId: number): (() => void) | undefined {
    const key = `${callId} ${requestId}`;
    const go = this.#paces.get(key);
    this.#paces.delete(key);
    return go;
  }

  #openLeg(): VirtualLeg {
    const leg = new VirtualLeg(this.#options.time, 20_000 + 2 * this.#legs.size);
    this.#legs.set(leg.port, leg);
    return leg;
  }

  async #stop(): Promise<void> {
    await this.#host.stop();
    await this.#models.close();
    this.emit('exit', 0);
  }
}

/** The real pool of call workers over one virtual worker. `legs` are its legs by port. */
export function virtualWorkers(options: VirtualWorkersOptions): {
  workers: CallWorkers;
  legs: ReadonlyMap<number, VirtualLeg>;
} {
  const legs = new Map<number, VirtualLeg>();
  const spawn: SpawnWorker = () => new VirtualWorker(options, legs) as unknown as WorkerThread;
  const { recordingsDir, log } = options;
  const workers = new CallWorkers({
    count: 1,
    maxCallsPerWorker: 1000,
    log,
    connectSpeech: (port) => port.close(),
    spawn,
    data: {
      rtpAddress: '127.0.0.1',
      rtpPorts: null,
      recordingsDir,
      recordingsKeepFree: 0,
      logLevel: 'silent',
      fetchAllow: [],
      mediaTimeoutMs: 20_000,
      providers: { vad: '', stt: '', tts: '', llm: '' },
    },
  });
  return { workers, legs };
}
