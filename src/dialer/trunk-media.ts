import type { Log } from '../shared/log.ts';
import type { Signalling } from '../telephony/sip/signalling.ts';
import type { NegotiatedMedia } from '../telephony/media.ts';
import type { SdpNegotiator } from './sdp-session.ts';

/**
 * How long an inbound leg sends to an address in the caller's SDP that neither sends media itself nor is the address of
 * the signalling, where the trunk has no media_ranges. Callers send from their first second; a third party never does.
 */
export const UNPROVEN_MS = 5_000;

const OUTSIDE = 'the media address is outside the media_ranges of the trunk';

/** The negotiator for one call: refuses SDP with a media address outside the trunk's media_ranges. */
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
  if (rules.ranges.length === 0) return sdp;
  const isOutside = ({ remoteAddress }: NegotiatedMedia): boolean => {
    if (rules.takes(remoteAddress)) return false;
    deps.log.warn(
      { callId, trunk: trunkId, peer: remoteAddress },
      'SDP with an address outside the media_ranges of its trunk is refused',
    );
    return true;
  };
  const within = <T extends { accepted: true; media: NegotiatedMedia }>(outcome: T): T => ({
    ...outcome,
    media: { ...outcome.media, mediaRanges: rules.ranges },
  });
  return {
    createOffer: (ours) => sdp.createOffer(ours),
    acceptAnswer(answer, offer) {
      const outcome = sdp.acceptAnswer(answer, offer);
      if (!outcome.accepted) return outcome;
      return isOutside(outcome.media) ? { accepted: false, reason: OUTSIDE } : within(outcome);
    },
    answerOffer(offer, ours) {
      const outcome = sdp.answerOffer(offer, ours);
      if (!outcome.accepted) return outcome;
      return isOutside(outcome.media) ? { accepted: false, refuse: 488, reason: OUTSIDE } : within(outcome);
    },
  };
}

/** The media of an inbound call from `signallingAddress`, whose SDP may name an address of somebody else. */
export const inboundMedia = (media: NegotiatedMedia, signallingAddress: string): NegotiatedMedia => ({
  ...media,
  signallingAddress,
  unprovenMs:
    media.mediaRanges !== undefined || media.remoteAddress === signallingAddress ? null : UNPROVEN_MS,
});
