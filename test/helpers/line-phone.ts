import type { InboundLeg } from '../../src/telephony/leg.ts';
import { answerOffer } from '../../src/telephony/sdp/offer-answer.ts';
import { peak } from '../../src/voice/audio/level.ts';
import type { DtmfDigit } from '../../src/voice/ports.ts';
import type { SipPeer } from './sip-peer.ts';

/** One call at a phone of the peer: what it hears is kept, and it says what it is told to. */
export interface PhoneCall {
  readonly leg: InboundLeg;
  readonly codec: string;
  /** Everything heard so far, 8 kHz. */
  heard(): Int16Array;
  /** Ms of frames with sound in them so far, and since the last one of them. */
  soundMs(): number;
  quietMs(): number;
  readonly keys: readonly DtmfDigit[];
  say(pcm: Int16Array): void;
  press(digit: DtmfDigit): void;
  hangUp(): void;
  /** Resolves with who ended the call; also where it was given up before an answer. */
  readonly ended: Promise<string>;
}

export type Behaviour = { answers: 'PCMU' | 'PCMA' } | { refuses: number } | 'rings';

export interface Phones {
  /** What happens to calls to this number from now on. */
  on(number: string, behaviour: Behaviour): void;
  /** The calls that came to this number, oldest first. */
  calls(number: string): readonly PhoneCall[];
  forget(): void;
}

const LOUD = 300;

/** Phones behind one peer, by their numbers. */
export function phonesOf(peer: SipPeer): Phones {
  const behaviours = new Map<string, Behaviour>();
  let had: { number: string; call: PhoneCall }[] = [];
  const take = async (leg: InboundLeg): Promise<void> => {
    const behaviour = behaviours.get(leg.to) ?? { refuses: 404 };
    let onKey: (digit: DtmfDigit) => void = () => undefined;
    const ended = new Promise<string>((resolve) => {
      leg.listen({
        onAnswered: () => undefined,
        onFailed: ({ reason }) => resolve(`failed: ${reason}`),
        onEnded: ({ by }) => resolve(by),
        onReoffer: () => null,
        onDtmf: (digit) => onKey(digit),
      });
    });
    leg.ringing();
    const frames: Int16Array[] = [];
    const said: Int16Array[] = [];
    const keys: DtmfDigit[] = [];
    onKey = (digit) => keys.push(digit);
    let sounding = 0;
    let soundAt = Date.now();
    const media = await peer.openMedia();
    // The far side of a phone that only speaks A-law sees an offer of that alone.
    const isAlaw = typeof behaviour === 'object' && 'answers' in behaviour && behaviour.answers === 'PCMA';
    const offer = leg.sdpOffer ?? '';
    const outcome = answerOffer(isAlaw ? offer.replace('RTP/AVP 0 8', 'RTP/AVP 8') : offer, {
      address: '127.0.0.1',
      port: media.port,
      sessionId: 1,
      version: 1,
    });
    if (!outcome.accepted) throw new Error(outcome.reason);
    had.push({
      number: leg.to,
      call: {
        leg,
        codec: outcome.media.codec.name,
        heard: () => {
          const all = new Int16Array(frames.length * 160);
          for (const [i, frame] of frames.entries()) all.set(frame, i * 160);
          return all;
        },
        soundMs: () => sounding * 20,
        quietMs: () => Date.now() - soundAt,
        keys,
        say: (pcm) => {
          for (let at = 0; at + 160 <= pcm.length; at += 160) said.push(pcm.slice(at, at + 160));
        },
        press: (digit) => media.sendDtmf([digit]),
        hangUp: () => leg.hangup('normal'),
        ended,
      },
    });
    if (behaviour === 'rings') return;
    if ('refuses' in behaviour) {
      leg.reject(behaviour.refuses);
      return;
    }
    media.update(outcome.media);
    media.start({
      onAudio: (pcm) => {
        frames.push(pcm.slice());
        if (peak(pcm) < LOUD) return;
        sounding++;
        soundAt = Date.now();
      },
      fill: (out) => {
        const next = said.shift();
        if (next !== undefined) out.set(next);
        return next !== undefined;
      },
      onDtmf: (digit) => keys.push(digit),
      onMediaTimeout: () => undefined,
    });
    leg.answer(outcome.answer);
  };
  peer.signalling.onInbound((leg) => {
    take(leg).catch(() => leg.reject(500));
  });
  return {
    on: (number, behaviour) => void behaviours.set(number, behaviour),
    calls: (number) => had.filter((entry) => entry.number === number).map((entry) => entry.call),
    forget: () => {
      had = [];
    },
  };
}

/** A second of sound that is like no other of another seed: noise below 1 kHz, in bursts. */
export function soundOf(seed: number, lengthMs: number): Int16Array {
  let state = (seed * 2_654_435_761) >>> 0;
  let smooth = 0;
  return Int16Array.from({ length: lengthMs * 8 }, (_, i) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    smooth += ((state / 2 ** 32 - 0.5) * 30_000 - smooth) * 0.4;
    return Math.round(smooth * (0.6 + 0.4 * Math.sin(i / (150 + seed))));
  });
}
