import { randomInt } from 'node:crypto';
import type { CallFailure, SignallingEvents, SrtpPolicy } from '@callwright/sip';
import type { Direction, NegotiatedMedia } from '@callwright/rtp';
import type { Log } from '../shared/log.ts';
import type { MediaRules, Signalling } from '../telephony/signalling.ts';
import type { RtpTerms } from '../workers/call-media.ts';
import type { Clock } from '../shared/clock.ts';
import type { Db } from '../store/database.ts';
import { pauseTrunk } from '../store/numbers/trunks.ts';

/** Our address and session in SDP. `trunkMedia` sets `srtp` and `codecs`. */
interface OurSdp {
  readonly address: string;
  readonly port: number;
  readonly sessionId: number;
  readonly srtp?: SrtpPolicy;
  readonly codecs?: readonly string[];
}

/** Offer and answer as `@callwright/sip` makes them; handed in because the dialer knows only their types. */
export interface SdpNegotiator {
  createOffer(
    ours: OurSdp & {
      version: number;
      previous?: string | null;
      direction?: Direction;
      current?: string | null;
    },
  ): string;
  acceptAnswer(
    answer: string,
    offer: string,
  ): { accepted: true; media: NegotiatedMedia } | { accepted: false; reason: string };
  answerOffer(
    offer: string,
    ours: OurSdp & { version?: number; previous?: string; limit?: Direction },
  ):
    | { accepted: true; answer: string; media: NegotiatedMedia }
    | { accepted: false; refuse: 488; reason: string };
}

/** Offers that put the far side on hold and take it off (RFC 3264 section 8.4). */
export interface HoldOffers {
  /** The media that the call has now. */
  sees(media: NegotiatedMedia): void;
  /** The offer of a hold, or of its end. It changes nothing before `take`. */
  offer(isHeld: boolean): string;
  /** Takes the answer to that offer; false: it is unusable, and the session stays as it was. */
  take(answer: string, offer: string, isHeld: boolean): boolean;
}

/** The events of a re-INVITE, and those of our own. */
export type Renegotiation = Required<
  Pick<SignallingEvents, 'onReoffer' | 'onOfferRequest' | 'onReofferAnswer'>
> & { readonly hold: HoldOffers };

const isSending = (direction: Direction): boolean => direction === 'sendrecv' || direction === 'sendonly';

/** Negotiates the re-INVITEs of one dialog; our session version rises only when our SDP changes (RFC 3264 section 8). */
export function renegotiation(
  sdp: SdpNegotiator,
  ours: { address: string; port: number; sessionId: number },
  firstSdp: string,
  onMedia: (media: NegotiatedMedia) => void,
): Renegotiation {
  const { address, port, sessionId } = ours;
  let previous = firstSdp;
  let isOnHold = false;
  let current: NegotiatedMedia | null = null;
  const directionOf = (isHeld: boolean): Direction =>
    // A far side that holds us takes no music of ours.
    isHeld ? (isSending(current?.direction ?? 'sendrecv') ? 'sendonly' : 'inactive') : 'sendrecv';
  const offerOf = (isHeld: boolean): string => {
    const direction = directionOf(isHeld);
    const codec = current?.codec.name ?? null;
    const write = (version: number): string =>
      sdp.createOffer({ address, port, sessionId, version, previous, direction, current: codec });
    const version = Number(/^o=\S+ \d+ (\d+) /m.exec(previous)?.[1] ?? 1);
    return write(version) === previous ? previous : write(version + 1);
  };
  const agree = (media: NegotiatedMedia): void => {
    current = media;
    onMedia(isOnHold ? { ...media, isOnHold } : media);
  };
  return {
    onReoffer(offer) {
      const limit = isOnHold ? ({ limit: 'sendonly' } as const) : {};
      const outcome = sdp.answerOffer(offer, { address, port, sessionId, previous, ...limit });
      if (!outcome.accepted) return null;
      previous = outcome.answer;
      agree(outcome.media);
      return outcome.answer;
    },
    onOfferRequest() {
      previous = offerOf(isOnHold);
      return previous;
    },
    onReofferAnswer(answer) {
      const outcome = sdp.acceptAnswer(answer, previous);
      if (outcome.accepted) agree(outcome.media);
    },
    hold: {
      sees(media) {
        current = media;
      },
      offer: offerOf,
      take(answer, offer, isHeld) {
        const outcome = sdp.acceptAnswer(answer, offer);
        if (!outcome.accepted) return false;
        previous = offer;
        isOnHold = isHeld;
        agree(outcome.media);
        return true;
      },
    },
  };
}

/** A number for SDP's o= line that differs between sessions (RFC 8866 section 5.2): 47 random bits. */
export const newSessionId = (): number => randomInt(1, 2 ** 47);

/**
 * How long an inbound leg sends to an address in the caller's SDP that neither sends media itself nor is the address of
 * the signalling nor one of the trunk's, where the trunk has no media_ranges. Callers send from their first second; a third party never does.
 */
export const UNPROVEN_MS = 5_000;

/** What the RTP leg of a call needs before its offer: it binds the address that its trunk is reached from, and with G.722 or Opus among the trunk's codecs its audio is wideband. */
export const rtpTerms = ({ codecs, host }: Pick<MediaRules, 'codecs' | 'host'>): RtpTerms => ({
  ...(host === undefined ? {} : { host }),
  sampleRate: codecs?.some((codec) => codec === 'G722' || codec === 'OPUS') === true ? 16_000 : 8_000,
  ...(codecs?.includes('OPUS') === true ? { opus: true } : {}),
});

const OUTSIDE = 'the media address is outside the media_ranges of the trunk';

/**
 * The negotiator for one call: encrypts as `srtp` of the trunk says, takes its codecs, refuses SDP with a media address
 * outside its media_ranges, and chooses how keys go to a far side without telephone-event.
 */
export function trunkMedia(
  deps: {
    readonly sdp: SdpNegotiator;
    readonly signalling: Pick<Signalling, 'mediaRules'>;
    readonly log: Log;
  },
  call: { readonly callId: string; readonly trunkId: string },
): SdpNegotiator {
  const { sdp } = deps;
  const { callId, trunkId } = call;
  const rules = deps.signalling.mediaRules(trunkId);
  const { srtp, codecs } = rules;
  const terms = codecs === undefined ? { srtp } : { srtp, codecs };
  const isOutside = ({ remoteAddress }: NegotiatedMedia): boolean => {
    if (rules.ranges.length === 0 || rules.takes(remoteAddress)) return false;
    deps.log.warn(
      { callId, trunk: trunkId, peer: remoteAddress },
      'SDP with an address outside the media_ranges of its trunk is refused',
    );
    return true;
  };
  const within = <T extends { accepted: true; media: NegotiatedMedia }>(outcome: T): T => {
    const bySignalling = rules.keysByInfo === true && outcome.media.dtmfPayloadType === null;
    const more = {
      ...(rules.ranges.length === 0 ? {} : { mediaRanges: rules.ranges }),
      ...(bySignalling ? { keysBySignalling: true } : {}),
    };
    return { ...outcome, media: { ...outcome.media, ...more } };
  };
  return {
    createOffer: (ours) => sdp.createOffer({ ...ours, ...terms }),
    acceptAnswer(answer, offer) {
      const outcome = sdp.acceptAnswer(answer, offer);
      if (!outcome.accepted) return outcome;
      return isOutside(outcome.media) ? { accepted: false, reason: OUTSIDE } : within(outcome);
    },
    answerOffer(offer, ours) {
      const outcome = sdp.answerOffer(offer, { ...ours, ...terms });
      if (!outcome.accepted) return outcome;
      return isOutside(outcome.media) ? { accepted: false, refuse: 488, reason: OUTSIDE } : within(outcome);
    },
  };
}

/**
 * The media of an inbound call from `signallingAddress`, whose SDP may name an address of somebody else. `owns`: the
 * address is one of the trunk's, so that a mute caller of a carrier that sends nothing still hears the agent.
 */
export const inboundMedia = (
  media: NegotiatedMedia,
  signallingAddress: string,
  owns: (address: string) => boolean,
): NegotiatedMedia => {
  const { mediaRanges, remoteAddress } = media;
  const isKnown = mediaRanges !== undefined || remoteAddress === signallingAddress || owns(remoteAddress);
  return { ...media, signallingAddress, unprovenMs: isKnown ? null : UNPROVEN_MS };
};

/** A carrier that asks for a longer pause is tried again after this time. */
const LONGEST_PAUSE_MS = 300_000;
/** A pause that ends so little later is not worth a write. */
const SAME_MS = 1000;

/**
 * Pauses trunks that answer 503 with Retry-After: no process sends them new calls before it (RFC 3261 section 21.5.4).
 * A 503 after ringing comes from behind the trunk and pauses nothing.
 */
export class TrunkPauses {
  readonly #deps: { readonly db: Db; readonly clock: Clock; readonly log: Log };
  /** The end of the pause that this process stored last, by trunk. */
  readonly #until = new Map<string, number>();

  constructor(deps: { readonly db: Db; readonly clock: Clock; readonly log: Log }) {
    this.#deps = deps;
  }

  /** Never rejects; a pause that cannot be stored is lost. */
  async note(trunkId: string, failure: CallFailure, hasRung: boolean): Promise<void> {
    const asked = failure.sipCode === 503 && !hasRung ? (failure.retryAfterMs ?? 0) : 0;
    if (asked === 0) return;
    const { db, clock, log } = this.#deps;
    const ms = Math.min(asked, LONGEST_PAUSE_MS);
    const until = clock.now() + ms;
    if ((this.#until.get(trunkId) ?? 0) + SAME_MS > until) return;
    this.#until.set(trunkId, until);
    log.warn(
      { trunk: trunkId, seconds: ms / 1000 },
      'a trunk answers 503: new calls wait for its Retry-After',
    );
    await pauseTrunk(db, trunkId, new Date(until)).catch((error: unknown) => {
      this.#until.delete(trunkId);
      log.error({ err: error, trunk: trunkId }, 'the pause of a trunk was not stored');
    });
  }
}
