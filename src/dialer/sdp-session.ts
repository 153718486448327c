import type { SignallingEvents } from '../telephony/sip/call.ts';
import type { NegotiatedMedia } from '../telephony/media.ts';

/** Offer and answer as telephony/sdp makes them; handed in because the dialer knows only their types. */
export interface SdpNegotiator {
  createOffer(ours: { address: string; port: number; sessionId: number; version: number }): string;
  acceptAnswer(
    answer: string,
    offer: string,
  ): { accepted: true; media: NegotiatedMedia } | { accepted: false; reason: string };
  answerOffer(
    offer: string,
    ours: { address: string; port: number; sessionId: number; version?: number; previous?: string },
  ):
    | { accepted: true; answer: string; media: NegotiatedMedia }
    | { accepted: false; refuse: 488; reason: string };
}

/** The events of a re-INVITE. */
export type Renegotiation = Required<
  Pick<SignallingEvents, 'onReoffer' | 'onOfferRequest' | 'onReofferAnswer'>
>;

/** Negotiates the re-INVITEs of one dialog; our session version rises only when our SDP changes (RFC 3264 section 8). */
export function renegotiation(
  sdp: SdpNegotiator,
  ours: { address: string; port: number; sessionId: number },
  firstSdp: string,
  onMedia: (media: NegotiatedMedia) => void,
): Renegotiation {
  const { address, port, sessionId } = ours;
  let previous = firstSdp;
  const offerOf = (version: number): string => sdp.createOffer({ address, port, sessionId, version });
  return {
    onReoffer(offer) {
      const outcome = sdp.answerOffer(offer, { address, port, sessionId, previous });
      if (!outcome.accepted) return null;
      previous = outcome.answer;
      onMedia(outcome.media);
      return outcome.answer;
    },
    onOfferRequest() {
      const version = Number(/^o=\S+ \d+ (\d+) /m.exec(previous)?.[1] ?? 1);
      if (offerOf(version) !== previous) previous = offerOf(version + 1);
      return previous;
    },
    onReofferAnswer(answer) {
      const outcome = sdp.acceptAnswer(answer, previous);
      if (outcome.accepted) onMedia(outcome.media);
    },
  };
}

/** A number for SDP's o= line that differs between sessions (RFC 4566 section 5.2). */
export const sessionIdOf = (now: number): number => Math.floor(now / 1000) + 2_208_988_800;
