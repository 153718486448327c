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

/** Answers the re-INVITEs of one dialog; our session version rises only when what we say changes (RFC 3264, 8). */
export function reofferAnswerer(
  sdp: SdpNegotiator,
  ours: { address: string; port: number; sessionId: number },
  firstSdp: string,
  onMedia: (media: NegotiatedMedia) => void,
): (offer: string) => string | null {
  let previous = firstSdp;
  return (offer) => {
    const { address, port, sessionId } = ours;
    const outcome = sdp.answerOffer(offer, { address, port, sessionId, previous });
    if (!outcome.accepted) return null;
    previous = outcome.answer;
    onMedia(outcome.media);
    return outcome.answer;
  };
}

/** A number for SDP's o= line that differs between sessions (RFC 4566 section 5.2). */
export const sessionIdOf = (now: number): number => Math.floor(now / 1000) + 2_208_988_800;
