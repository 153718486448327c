import type { Providers } from '../../../src/providers/choose/installation.ts';
import { FreeSpace } from '../../../src/shared/free-space.ts';
import { KnowledgeIndexes } from '../../../src/shared/knowledge/knowledge-index.ts';
import type { Log } from '../../../src/shared/log.ts';
import { link } from '../../../src/shared/threads/remote.ts';
import type { CallProviders } from '../../../src/vendors/accounts.ts';
import { ChosenProviders, type Chosen } from '../../../src/providers/choose/open.ts';
import { CallHost, type MainThread } from '../../../src/workers/call-host.ts';
import type { HostedCallApi, HostedCallEvents } from '../../../src/workers/call-media.ts';
import type { CallWorkerApi, CallWorkerEvents } from '../../../src/workers/call-worker-api.ts';
import type { HostedCall } from '../../../src/workers/hosted-call.ts';
import { CallWorkers, type SpawnWorker } from '../../../src/workers/call-workers.ts';
import { InnerThread } from '../threads/inner-thread.ts';
import { VirtualLeg } from './virtual-leg.ts';
import { pacedLlm } from './virtual-providers.ts';
import type { VirtualTime } from './virtual-time.ts';

export interface VirtualWorkersOptions {
  readonly time: VirtualTime;
  readonly providers: Providers;
  readonly recordingsDir: string;
  readonly log: Log;
}

/** A chosen model is an HTTP server: virtual time runs at real speed while a request is pending. */
class PacedProviders extends ChosenProviders {
  readonly #time: VirtualTime;

  constructor(providers: Providers, time: VirtualTime) {
    super(providers, ['127.0.0.1']);
    this.#time = time;
  }

  override load(accounts: CallProviders): Promise<void> {
    return this.#time.during('loading the adapters of vendors', super.load(accounts));
  }

  override of(accounts: CallProviders): Chosen {
    const chosen = super.of(accounts);
    if (accounts.llm === undefined) return chosen;
    const llm = pacedLlm(chosen.providers.llm, this.#time);
    return { ...chosen, providers: { ...chosen.providers, llm } };
  }
}

/** A call worker on the test's own thread: the real host and sessions, with legs that carry no packets. */
class VirtualWorker extends InnerThread {
  readonly #options: VirtualWorkersOptions;
  readonly #legs: Map<number, VirtualLeg>;
  readonly #host: CallHost;
  readonly #chosen: PacedProviders;
  readonly #paces = new Map<string, () => void>();

  constructor(options: VirtualWorkersOptions, legs: Map<number, VirtualLeg>) {
    super();
    const { time, providers, recordingsDir, log } = options;
    this.#options = options;
    this.#legs = legs;
    this.#chosen = new PacedProviders(providers, time);
    const ends = link<CallWorkerEvents, HostedCallEvents, CallWorkerApi, HostedCallApi>(this.inside);
    this.#host = new CallHost({
      providers,
      chosen: this.#chosen,
      indexes: new KnowledgeIndexes(),
      scheduler: time,
      clock: time.clock,
      log,
      recordingsDir,
      space: new FreeSpace(recordingsDir, 0),
      openLeg: () => Promise.resolve(this.#openLeg()),
      openWebLeg: () => {
        throw new Error('the rig has no browser calls');
      },
      openStreamLeg: () => {
        throw new Error('the rig has no calls over WebSockets');
      },
      freePairs: () => Number.POSITIVE_INFINITY,
      main: this.#paced(ends.remote),
    });
    const host = this.#host;
    ends.serve({
      api: {
        allocate: (callId, kind) => host.allocate(callId, kind),
        connectWeb: (...args) => host.connectWeb(...args),
        listen: (...args) => host.listen(...args),
        passVendorOver: () => undefined,
        passAccountOver: () => undefined,
        stop: () => void this.#stop(),
      },
      part: (callId) => this.#part(callId),
    });
    const { vad, stt, tts, llm } = providers;
    const engines = { vad: vad.name, stt: stt.name, tts: tts.name, llm: llm.name };
    ends.remote.send.ready(engines, Number.POSITIVE_INFINITY);
  }

  /** Time continues only after a tool was answered, and after an ended call is written and reported. */
  #paced({ send, of }: MainThread): MainThread {
    const { time } = this.#options;
    const finished: typeof send.finished = (callId, result) => {
      for (const [key, go] of this.#paces) if (key.startsWith(callId)) go();
      send.finished(callId, result);
    };
    return {
      send: Object.assign(Object.create(send) as typeof send, { finished }),
      of: (callId) => {
        const part = of(callId);
        const onTool: typeof part.send.onTool = (request) => {
          this.#paces.set(`${callId} ${request.requestId}`, time.pace());
          part.send.onTool(request);
        };
        const onHangup: typeof part.send.onHangup = (...args) => {
          this.#paces.set(callId, time.stop('the end of a call'));
          part.send.onHangup(...args);
        };
        return {
          ...part,
          send: Object.assign(Object.create(part.send) as typeof part.send, { onTool, onHangup }),
        };
      },
    };
  }

  /** The call, with the results of its tools in virtual time. */
  #part(callId: string): HostedCall | undefined {
    const call = this.#host.call(callId);
    if (call === undefined) return undefined;
    const toolResult: HostedCall['toolResult'] = (requestId, outcome) => {
      void this.#options.time.catchUp().then(() => {
        const key = `${callId} ${requestId}`;
        this.#paces.get(key)?.();
        this.#paces.delete(key);
        call.toolResult(requestId, outcome);
      });
    };
    return new Proxy(call, {
      get(target, name) {
        if (name === 'toolResult') return toolResult;
        const member: unknown = Reflect.get(target, name);
        return typeof member === 'function' ? (member.bind(target) as unknown) : member;
      },
    });
  }

  #openLeg(): VirtualLeg {
    const leg = new VirtualLeg(this.#options.time, 20_000 + 2 * this.#legs.size);
    this.#legs.set(leg.port, leg);
    return leg;
  }

  async #stop(): Promise<void> {
    await this.#host.close();
    await this.#chosen.close();
    this.emit('exit', 0);
  }
}

/** The real pool of call workers over one virtual worker. `legs` are its legs by port. */
export function virtualWorkers(options: VirtualWorkersOptions): {
  workers: CallWorkers;
  legs: ReadonlyMap<number, VirtualLeg>;
} {
  const legs = new Map<number, VirtualLeg>();
  const spawn: SpawnWorker = () => new VirtualWorker(options, legs).worker;
  const { recordingsDir, log } = options;
  const workers = new CallWorkers({
    count: 1,
    maxCallsPerWorker: 1000,
    log,
    connectSpeech: (port) => port.close(),
    connectEar: (port) => port.close(),
    spawn,
    data: {
      rtpAddress: '127.0.0.1',
      rtpPorts: null,
      recordingsDir,
      diskFloorBytes: 0,
      logLevel: 'silent',
      fetchAllow: [],
      mediaTimeoutMs: 20_000,
      providers: { vad: '', stt: '', tts: '', llm: '' },
    },
  });
  return { workers, legs };
}
