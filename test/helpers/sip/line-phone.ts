import { type InboundLeg, answerOffer } from '@callwright/sip';
import type { DtmfDigit } from '@callwright/audio';
import { likeness } from '../audio/line-audio.ts';
import { phoneLine, type PhoneLine } from './phone-line.ts';
import { eventually } from '../service/service.ts';
import { callService, type SipPeer } from './sip-peer.ts';

/** One call of a phone. */
export interface PhoneCall extends PhoneLine {
  /** Caller number. */
  readonly from: string;
  readonly codec: string;
  hangUp(): void;
  /** Resolves with the side that ended the call, or with the failure before an answer. */
  readonly ended: Promise<string>;
}

export type Behaviour = { answers: 'PCMU' | 'PCMA' } | { refuses: number } | 'rings';

export interface Phones {
  /** Sets the behaviour of a number. */
  on(number: string, behaviour: Behaviour): void;
  /** Calls to this number, oldest first. */
  calls(number: string): readonly PhoneCall[];
  /** Calls the service; resolves at the answer. */
  dial(from: string, to: string): Promise<PhoneCall>;
  forget(): void;
}

/** Phones of one peer by number. */
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
    // A phone with A-law only negotiates from a reduced offer.
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

/** Noise below 1 kHz in bursts; sounds of different seeds do not correlate. */
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
 * The 20 ms frames of `sound` among `frames`: false until the last one has arrived. Throws if one is missing or out of
 * order then.
 */
export function hasArrived(sound: Int16Array, frames: readonly Int16Array[]): boolean {
  const sent = Array.from({ length: sound.length / 160 }, (_, n) => sound.subarray(n * 160, (n + 1) * 160));
  const isSame = (one: Int16Array | undefined, other: Int16Array): boolean =>
    one !== undefined && likeness(one, other, 20).peak > 0.95;
  if (!frames.some((frame) => isSame(sent.at(-1), frame))) return false;
  const places = sent.map((frame) => frames.findIndex((other) => isSame(frame, other)));
  const isWhole = places.every((place, n) => place > (n === 0 ? -1 : places[n - 1]!));
  if (!isWhole) throw new Error(`heard at ${places.join(' ')} of ${frames.length}`);
  return true;
}

/**
 * Plays a sound at `from` and waits until `to` has received every frame once and in order, with any gaps between
 * them. Resolves with the sound.
 */
export async function hears(from: PhoneCall, to: PhoneCall, seed: number): Promise<Int16Array> {
  const sound = soundOf(seed, SOUND_MS);
  const before = to.frames().length;
  from.say(sound);
  await eventually('the last frame', async () => hasArrived(sound, to.frames().slice(before)) || null);
  return sound;
}
