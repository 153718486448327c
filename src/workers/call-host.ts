import type { DtmfDigit } from '@callwright/audio';
import type { Clock, Scheduler } from '../shared/clock.ts';
import type { KnowledgeIndexes } from '../shared/knowledge/knowledge-index.ts';
import type { Log } from '../shared/log.ts';
import type { Remote, Serves } from '../shared/threads/remote.ts';
import type { Providers } from '../providers/choose/installation.ts';
import type { FreeSpace } from '../shared/free-space.ts';
import type { MediaLeg, NegotiatedMedia } from '@callwright/rtp';
import type { WebSocketHandover } from '../telephony/web/handover.ts';
import type { StreamLeg, StreamLegEvents } from '../telephony/carriers/stream-leg.ts';
import type { WebLeg, WebLegEvents } from '../telephony/web/web-leg.ts';
import type { ChosenProviders } from '../providers/choose/open.ts';
import type { Allocation, HostedCallEvents, LegKind, RtpTerms, StreamKind } from './call-media.ts';
import type { CallWorkerApi, CallWorkerEvents } from './call-worker-api.ts';
import { HostedCall, type CallHome } from './hosted-call.ts';
import { processorShares } from './processor-shares.ts';
import { SessionProviders } from './session-providers.ts';
import { WebConnections } from './web-connections.ts';

/** A media leg that the host can bind to a negotiated stream. */
export interface HostedLeg extends MediaLeg {
  readonly port: number;
  update(media: NegotiatedMedia): void;
  /** A key that came by the signalling; dropped if the audio brings it, too. */
  signalledDigit(digit: DtmfDigit, at: number): void;
  /** Takes the keys that go by the signalling. */
  signalKeysBy(send: (digits: readonly DtmfDigit[]) => void): void;
  /** Sends keys in the audio that the signalling does not take. */
  sendInAudio(digits: readonly DtmfDigit[]): void;
}
export type AnyLeg = HostedLeg | WebLeg | StreamLeg;

/** The main thread, as a worker reaches it. */
export type MainThread = Pick<Remote<CallWorkerEvents, HostedCallEvents>, 'send' | 'of'>;

export interface CallHostDeps {
  readonly providers: Providers;
  readonly chosen: ChosenProviders;
  /** The thread's knowledge indexes, shared by its calls. */
  readonly indexes: KnowledgeIndexes;
  readonly scheduler: Scheduler;
  readonly clock: Clock;
  readonly log: Log;
  readonly recordingsDir: string;
  readonly space: FreeSpace;
  /** Binds an RTP port pair. Rejects when none is free. */
  openLeg(terms: RtpTerms): Promise<HostedLeg>;
  /** The leg of a browser call. */
  openWebLeg(events: WebLegEvents): WebLeg;
  /** The leg of a call over a carrier's WebSocket. */
  openStreamLeg(events: StreamLegEvents, kind: StreamKind): StreamLeg;
  /** RTP port pairs that no leg holds. */
  freePairs(): number;
  readonly main: MainThread;
}

/** The calls of one worker thread. */
export class CallHost implements Serves<Pick<CallWorkerApi, 'allocate' | 'connectWeb' | 'listen'>> {
  readonly #deps: CallHostDeps;
  readonly #connections: WebConnections;
  readonly #home: CallHome;
  readonly #calls = new Map<string, HostedCall>();
  /** Port pairs being bound: the main thread still counts them among its requests in flight. */
  #opening = 0;
  #isStopped = false;

  constructor(deps: CallHostDeps) {
    this.#deps = deps;
    this.#connections = new WebConnections(deps);
    this.#home = {
      deps,
      providers: new SessionProviders(deps),
      allocate: (terms, take) => this.#allocate(terms, take),
      refuse: (refusal) => ({ refusal, freePairs: this.freePairs }),
      gone: (callId) => void this.#calls.delete(callId),
    };
  }

  get calls(): number {
    return this.#calls.size;
  }

  /** As the main thread has to count them: a pair being bound is reported free until its request is answered. */
  get freePairs(): number {
    return this.#deps.freePairs() + this.#opening;
  }

  call(callId: string): HostedCall | undefined {
    return this.#calls.get(callId);
  }

  allocate(callId: string, kind: LegKind): Allocation | Promise<Allocation> {
    if (kind === 'web') return this.#host(callId, this.#webLeg(callId));
    if ('carrier' in kind) return this.#host(callId, this.#streamLeg(callId, kind));
    return this.#allocate(kind, (leg) => {
      if (this.#isStopped) return 'the call worker is stopping';
      this.#calls.set(callId, new HostedCall(callId, leg, this.#home, kind));
      return null;
    });
  }

  connectWeb(callId: string, socket: WebSocketHandover, proof: string): void {
    const leg = this.#calls.get(callId)?.leg;
    if (leg !== undefined && 'attach' in leg) this.#connections.attach(callId, leg, socket, proof);
    else if (leg !== undefined && 'connect' in leg) this.#connections.connect(callId, leg, socket, proof);
    else this.#connections.refuse(socket);
  }

  listen(callId: string, listenerId: string, name: string, socket: WebSocketHandover): void {
    const call = this.#calls.get(callId);
    if (call === undefined) this.#connections.refuseListener(callId, listenerId, socket);
    else this.#connections.listen(callId, call, { listenerId, name }, socket);
  }

  /** Charges the calls for the processor time of the thread since the last time, ms. */
  chargeProcessor(threadMs: number): void {
    const calls = [...this.#calls.values()];
    const shares = processorShares(
      calls.map((call) => call.takeHeldMs()),
      threadMs,
    );
    for (const [i, call] of calls.entries()) call.charge(shares[i] ?? 0);
  }

  /** Ends every call and resolves when all have reported. */
  async close(): Promise<void> {
    this.#isStopped = true;
    await Promise.all([...this.#calls.values()].map((call) => call.stop()));
  }

  async #allocate(terms: RtpTerms, take: (leg: HostedLeg) => string | null): Promise<Allocation> {
    try {
      const leg = await this.#openLeg(terms);
      const refusal = take(leg);
      if (refusal === null) return { port: leg.port, freePairs: this.freePairs };
      await leg.close();
      return this.#home.refuse(refusal);
    } catch (error) {
      return this.#home.refuse(error instanceof Error ? error.message : String(error));
    }
  }

  async #openLeg(terms: RtpTerms): Promise<HostedLeg> {
    this.#opening += 1;
    try {
      return await this.#deps.openLeg(terms);
    } finally {
      this.#opening -= 1;
    }
  }

  #webLeg(callId: string): WebLeg {
    const { scheduler, main } = this.#deps;
    return this.#deps.openWebLeg({
      onAway: (isAway) => this.#calls.get(callId)?.hold(isAway, scheduler.now()),
      onLeft: (by) => main.of(callId).send.onLeft(by, scheduler.now()),
      onRefused: () => main.send.refused('web_call'),
    });
  }

  #streamLeg(callId: string, kind: StreamKind): StreamLeg {
    const { scheduler, main } = this.#deps;
    const events: StreamLegEvents = {
      onLeft: (by) => main.of(callId).send.onLeft(by, scheduler.now()),
      onRefused: () => main.send.refused('carrier'),
    };
    return this.#deps.openStreamLeg(events, kind);
  }

  #host(callId: string, leg: WebLeg | StreamLeg): Allocation {
    this.#calls.set(callId, new HostedCall(callId, leg, this.#home));
    return { port: leg.port, freePairs: this.freePairs };
  }
}
