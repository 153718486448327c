import type { InboundLeg } from '../../src/telephony/leg.ts';
import { answerOffer } from '../../src/telephony/sdp/offer-answer.ts';
import type { DtmfDigit } from '../../src/voice/ports.ts';
import { likeness } from './line-audio.ts';
import { phoneLine, type PhoneLine } from './phone-line.ts';
import { eventually } from './service.ts';
import { callService, type SipPeer } from './sip-peer.ts';

/** One call at a phone of the peer. */
export interface PhoneCall extends PhoneLine {
  /** Who called. */
  readonly from: string;
  readonly codec: string;
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
  /** Calls the service; resolves once it has answered. */
  dial(from: string, to: string): Promise<PhoneCall>;
  forget(): void;
}

/** Phones behind one peer, by their numbers. */
export function phonesOf(peer: SipPeer): Phones {
  const behaviours = new Map<string, Behaviour>();
  let had: { number: string; call: PhoneCall }[] = [];
  const take = async (leg: InboundLeg): Promise<void> => {
    const behaviour = behaviours.get(leg.to) ?? { refuses: 404 };
    const keys: DtmfDigit[] = [];
    const ended = new Promise<string>((resolve) => {
      leg.listen({
        onAnswered: () => undefined,
        onFailed: ({ reason }) => resolve(`failed: ${reason}`),
        onEnded: ({ by }) => resolve(by),
        onReoffer: () => null,
        onDtmf: (digit) => void keys.push(digit),
      });
    });
    leg.ringing();
    const media = await peer.openMedia();
    const { line, sink } = phoneLine(media, keys);
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
    const { codec } = outcome.media;
    const call: PhoneCall = {
      ...line,
      from: leg.from,
      codec: codec.name,
      hangUp: () => leg.hangup('normal'),
      ended,
    };
    had.push({ number: leg.to, call });
    if (behaviour === 'rings') return;
    if ('refuses' in behaviour) {
      leg.reject(behaviour.refuses);
      return;
    }
    media.update(outcome.media);
    media.start(sink);
    leg.answer(outcome.answer);
  };
  peer.signalling.onInbound((leg) => {
    take(leg).catch(() => leg.reject(500));
  });
  return {
    on: (number, behaviour) => void behaviours.set(number, behaviour),
    calls: (number) => had.filter((entry) => entry.number === number).map((entry) => entry.call),
    dial: async (from, to) => {
      const { line, leg, ended } = await callService(peer, from, to);
      return { ...line, from, codec: 'PCMU', hangUp: () => leg.hangup('normal'), ended };
    },
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

export const SOUND_MS = 1000;

/**
 * One says a sound of its own and the other one hears it, frame by frame: all of them, each once and in order, whatever
 * the machine puts between them. Resolves with the sound.
 */
export async function hears(from: PhoneCall, to: PhoneCall, seed: number): Promise<Int16Array> {
  const sound = soundOf(seed, SOUND_MS);
  const sent = Array.from({ length: sound.length / 160 }, (_, n) => sound.subarray(n * 160, (n + 1) * 160));
  const before = to.frames().length;
  from.say(sound);
  const isSame = (one: Int16Array | undefined, other: Int16Array): boolean =>
    one !== undefined && likeness(one, other, 20).peak > 0.95;
  const frames = await eventually('the last frame', async () => {
    const come = to.frames().slice(before);
    return come.some((frame) => isSame(sent.at(-1), frame)) ? come : null;
  });
  const places = sent.map((frame) => frames.findIndex((other) => isSame(frame, other)));
  const isWhole = places.every((place, n) => place > (n === 0 ? -1 : places[n - 1]!));
  if (!isWhole) throw new Error(`heard at ${places.join(' ')} of ${frames.length}`);
  return sound;
}
