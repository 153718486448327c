import { systemClock } from '../../src/shared/clock.ts';
import { silentLog } from '../../src/shared/log.ts';
import { type InboundLeg, answerOffer } from '@callwright/sip';
import { type MediaSink, PortPool, RtpLeg, Wheel } from '@callwright/rtp';
import type { SipSignalling } from '../../src/telephony/signalling.ts';
import { oneTrunk } from '../one-trunk.ts';

/** What the carrier saw since it was last asked. */
export interface CarrierFigures {
  /** Times between packets at the receiver, ms. */
  readonly intervals: number[];
  /** Live measured calls. */
  readonly live: number;
  /** Measured calls that ended, ever. */
  readonly ended: number;
  /** Dialled numbers that only attacks dial. */
  readonly dialled: string[];
}

/** Numbers that answer and stay on the line, and those that are busy. */
const STAYS = /^\+1415555[89]\d{3}$/;
const BUSY = /^\+14155550\d{3}$/;

class Listener implements MediaSink {
  #last = 0;
  readonly #intervals: () => number[];
  constructor(intervals: () => number[]) {
    this.#intervals = intervals;
  }
  onAudio(): void {
    const now = performance.now();
    if (this.#last > 0) this.#intervals().push(now - this.#last);
    this.#last = now;
  }
  fill(): boolean {
    return false;
  }
  onDtmf(): void {}
  onMediaTimeout(): void {}
}

/** A carrier on its own loopback address: some callees stay on the line and time the packets, all others are busy. */
export class Carrier {
  readonly #signalling: SipSignalling;
  readonly #wheel = new Wheel({ clock: systemClock });
  readonly #ports = new PortPool({ clock: systemClock, range: null });
  readonly #legs = new Set<RtpLeg>();
  #intervals: number[] = [];
  #dialled = new Set<string>();
  #ended = 0;
  readonly #address: string;

  constructor(settings: { readonly carrierAddress: string; readonly carrierPort: number }) {
    this.#address = settings.carrierAddress;
    this.#signalling = oneTrunk(settings.carrierAddress, settings.carrierPort);
  }

  async start(): Promise<void> {
    this.#signalling.onInbound((leg) => void this.#take(leg));
    this.#wheel.start();
    await this.#signalling.start();
  }

  take(): CarrierFigures {
    const figures = {
      intervals: this.#intervals,
      live: this.#legs.size,
      ended: this.#ended,
      dialled: [...this.#dialled],
    };
    this.#intervals = [];
    this.#dialled = new Set();
    return figures;
  }

  async stop(): Promise<void> {
    await this.#signalling.stop();
    await Promise.all([...this.#legs].map((leg) => leg.close()));
    this.#wheel.stop();
  }

  async #take(leg: InboundLeg): Promise<void> {
    let media: RtpLeg | null = null;
    const end = (): void => {
      if (media === null) return;
      this.#ended += 1;
      this.#legs.delete(media);
      void media.close();
      media = null;
    };
    leg.listen({
      onAnswered: () => undefined,
      onFailed: end,
      onEnded: end,
      onReoffer: () => null,
      onDtmf: () => undefined,
    });
    if (!STAYS.test(leg.to)) {
      if (!BUSY.test(leg.to)) this.#dialled.add(leg.to);
      leg.reject(486);
      return;
    }
    media = await RtpLeg.open({
      ports: this.#ports,
      address: this.#address,
      wheel: this.#wheel,
      clock: systemClock,
      log: silentLog,
    });
    this.#legs.add(media);
    const ours = { address: this.#address, port: media.port, sessionId: 1, version: 1 };
    const outcome = answerOffer(leg.sdpOffer ?? '', ours);
    if (!outcome.accepted) throw new Error(outcome.reason);
    media.update(outcome.media);
    leg.answer(outcome.answer);
    media.start(new Listener(() => this.#intervals));
  }
}
