import type { OutboundLeg, SignallingEvents } from '@callwright/sip';
import type { SipSignalling } from '../../../src/telephony/signalling.ts';
import { until, type PeerProcess } from './peer-process.ts';

/** Offer and answer of calls without audio. */
export const SDP = [
  'v=0',
  'o=callwright 1 1 IN IP4 127.0.0.1',
  's=-',
  'c=IN IP4 127.0.0.1',
  't=0 0',
  'm=audio 40000 RTP/AVP 0',
  'a=rtpmap:0 PCMU/8000',
  '',
].join('\r\n');

/** A call to the first trunk, and its events as lines of text. */
export interface Placed {
  readonly leg: OutboundLeg;
  readonly log: string[];
  over(): Promise<void>;
}

export function place(
  signalling: SipSignalling,
  patch: {
    to?: string;
    ringTimeoutMs?: number;
    redirect?: (to: string) => Promise<boolean>;
    onRefer?: SignallingEvents['onRefer'];
    onAnswer?: (leg: OutboundLeg) => void;
    onRinging?: (leg: OutboundLeg) => void;
    onMoved?: (leg: OutboundLeg) => void;
  } = {},
): Placed {
  const log: string[] = [];
  const events: SignallingEvents = {
    onRinging: ({ sipCode }) => {
      log.push(`ringing ${sipCode}`);
      patch.onRinging?.(leg);
    },
    onAnswered: ({ sdp }) => {
      log.push(sdp.startsWith('v=0') ? 'answered' : 'answered without SDP');
      patch.onAnswer?.(leg);
    },
    onFailed: ({ failure, sipCode, neverSent }) =>
      log.push(`failed ${failure} ${sipCode}${neverSent ? ' never sent' : ''}`),
    onEnded: ({ by }) => log.push(`ended ${by}`),
    onReoffer: () => SDP,
    ...(patch.onRefer === undefined
      ? {}
      : {
          onRefer: patch.onRefer,
          onOfferRequest: () => SDP,
          onReofferAnswer: () => {
            log.push('moved');
            patch.onMoved?.(leg);
          },
        }),
    onDtmf: (digit) => log.push(`dtmf ${digit}`),
  };
  const leg: OutboundLeg = signalling.call(
    {
      trunkId: signalling.health().trunks[0]?.id ?? '',
      from: '+15550001',
      to: patch.to ?? '+15550002',
      displayName: 'Callwright "test"',
      sdpOffer: SDP,
      ringTimeoutMs: patch.ringTimeoutMs ?? 20_000,
      ...(patch.redirect === undefined ? {} : { redirect: patch.redirect }),
      attemptId: `attempt-${Math.random().toString(36).slice(2)}`,
    },
    events,
  );
  return {
    leg,
    log,
    over: () => until(() => log.some((line) => /^(failed|ended)/.test(line)), 'the call is over', 60_000),
  };
}

/** `as written` when all of SIPp's calls followed the scenario, else its errors. */
export const verdict = async (peer: PeerProcess): Promise<string> =>
  (await peer.exited()) === 0 ? 'as written' : peer.output();

export const hangUpSoon = (leg: OutboundLeg): void => void setTimeout(() => leg.hangup('agent done'), 100);
