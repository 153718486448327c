import type { InboundLeg } from '@callwright/sip';
import { answerOffer } from '@callwright/sip';
import { callService, startSipPeer, type SipPeer } from '../../test/helpers/sip/sip-peer.ts';
import { sleep } from '../attacks/attack.ts';

/** How long a callee talks, and how long a caller does. */
const TALK_MS = 3_000;
const CALL_EVERY_MS = 4_000;
/** Callees whose number ends in 9 are busy. */
const isBusy = (number: string): boolean => number.endsWith('9');

/** A call to the service, and what became of it. */
export interface Rung {
  readonly at: number;
  /** Null: answered; else why not. */
  readonly refusal: string | null;
}

/** The carrier of all campaigns, which counts its INVITEs, and of callers who ring the service. */
export class Carrier {
  /** How often each number was rung. */
  readonly rung = new Map<string, number>();
  readonly calls: Rung[] = [];
  readonly #peer: SipPeer;
  readonly #stop = new AbortController();
  #calling: Promise<void> = Promise.resolve();

  private constructor(peer: SipPeer) {
    this.#peer = peer;
    peer.signalling.onInbound((leg) => void this.#take(leg));
  }

  static async start(): Promise<Carrier> {
    return new Carrier(await startSipPeer());
  }

  get port(): number {
    return this.#peer.port;
  }

  /** Rings `number` of the service now and again, one call at a time. */
  callIn(sipPort: number, number: string): void {
    this.#peer.target(sipPort);
    this.#calling = this.#call(number);
  }

  /** Lets the last caller hang up. */
  async stopCalling(): Promise<void> {
    this.#stop.abort();
    await this.#calling;
  }

  async stop(): Promise<void> {
    await this.stopCalling();
    await this.#peer.stop();
  }

  async #call(number: string): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const at = Date.now();
      try {
        const talk = await callService(this.#peer, '+14155557000', number);
        this.calls.push({ at, refusal: null });
        await Promise.race([sleep(TALK_MS, signal), talk.ended]);
        talk.leg.hangup('normal');
        await talk.media.close();
      } catch (error) {
        this.calls.push({ at, refusal: (error as Error).message });
      }
      await sleep(Math.max(0, CALL_EVERY_MS - (Date.now() - at)), signal);
    }
  }

  async #take(leg: InboundLeg): Promise<void> {
    this.rung.set(leg.to, (this.rung.get(leg.to) ?? 0) + 1);
    const ended = new Promise<void>((resolve) => {
      leg.listen({
        onAnswered: () => undefined,
        onFailed: () => resolve(),
        onEnded: () => resolve(),
        onReoffer: () => null,
        onDtmf: () => undefined,
      });
    });
    if (isBusy(leg.to)) return leg.reject(486);
    leg.ringing();
    const media = await this.#peer.openMedia();
    const ours = { address: '127.0.0.1', port: media.port, sessionId: 1, version: 1 };
    const outcome = answerOffer(leg.sdpOffer ?? '', ours);
    if (!outcome.accepted) throw new Error(outcome.reason);
    media.update(outcome.media);
    leg.answer(outcome.answer);
    const timer = setTimeout(() => leg.hangup('normal'), TALK_MS);
    await ended;
    clearTimeout(timer);
    await media.close();
    return undefined;
  }
}
