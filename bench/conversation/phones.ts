import { getPriority, setPriority } from 'node:os';
import { systemClock } from '../../src/shared/clock.ts';
import { silentLog } from '../../src/shared/log.ts';
import { type MediaSink, PortPool, RtpLeg, Wheel } from '@callwright/rtp';
import { answerOffer } from '@callwright/sip';
import { oneTrunk } from '../one-trunk.ts';

/** As the service's own media threads: what a phone is late must not count as what the service is late. */
const PHONES_NICE = -10;

/** A carrier in this process that answers each call with another phone. */
export interface Phones {
  readonly port: number;
  readonly wheel: Wheel;
  readonly legs: ReadonlySet<RtpLeg>;
  close(): Promise<void>;
}

export async function startPhones(answer: () => MediaSink): Promise<Phones> {
  const wheel = new Wheel({ clock: systemClock });
  wheel.start();
  const ports = new PortPool({ clock: systemClock, range: null });
  const legs = new Set<RtpLeg>();
  const carrier = oneTrunk();
  carrier.onInbound((leg) => {
    let media: RtpLeg | null = null;
    leg.listen({
      onAnswered: () => undefined,
      onFailed: () => undefined,
      onEnded: () => {
        if (media !== null) legs.delete(media);
        void media?.close();
      },
      onReoffer: () => null,
      onDtmf: () => undefined,
    });
    leg.ringing();
    void RtpLeg.open({ ports, address: '127.0.0.1', wheel, clock: systemClock, log: silentLog }).then(
      (opened) => {
        media = opened;
        legs.add(opened);
        const outcome = answerOffer(leg.sdpOffer ?? '', {
          address: '127.0.0.1',
          port: opened.port,
          sessionId: 1,
          version: 1,
        });
        if (!outcome.accepted) throw new Error(outcome.reason);
        opened.update(outcome.media);
        leg.answer(outcome.answer);
        opened.start(answer());
      },
    );
  });
  await carrier.start();
  const before = getPriority();
  raisePriority();
  return {
    port: Number(carrier.health().listening[0]?.split(':').at(-1)),
    wheel,
    legs,
    async close() {
      await carrier.stop();
      await Promise.all([...legs].map((leg) => leg.close()));
      wheel.stop();
      if (getPriority() !== before) setPriority(before);
    },
  };
}

function raisePriority(): void {
  try {
    setPriority(PHONES_NICE);
  } catch {
    // Not permitted.
  }
}
