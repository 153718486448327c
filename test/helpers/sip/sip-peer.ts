import { systemClock } from '../../../src/shared/clock.ts';
import { silentLog } from '../../../src/shared/log.ts';
import {
  type InboundLeg,
  type OutboundLeg,
  type SrtpPolicy,
  type TlsMaterial,
  acceptAnswer,
  answerOffer,
  createOffer,
} from '@callwright/sip';
import { PortPool, RtpLeg, Wheel } from '@callwright/rtp';
import { createSignalling, type SipSignalling } from '../../../src/telephony/signalling.ts';
import type { Trunk } from '../../../src/telephony/trunks/trunk.ts';
import { phoneLine, type PhoneLine } from './phone-line.ts';

/** A SIP peer with media in the test process. */
export interface SipPeer {
  /** Its UDP port on 127.0.0.1; with TLS that of TLS. */
  readonly port: number;
  readonly signalling: SipSignalling;
  /** Sets the SIP port of its outgoing calls. */
  target(sipPort: number): void;
  openMedia(): Promise<RtpLeg>;
  stop(): Promise<void>;
}

const SERVICE = 'service';
const trunkTo = (sipPort: number | null, scheme: 'sip' | 'sips'): Trunk => ({
  id: SERVICE,
  name: SERVICE,
  uri: `${scheme}:127.0.0.1${sipPort === null ? '' : `:${sipPort}`}`,
  username: null,
  password: null,
  register: false,
  transport: scheme === 'sips' ? 'tls' : 'udp',
  allowedSources: [],
});

/** Receives calls of the service; places calls once it has a `target`. With `tls` over TLS alone. */
export async function startSipPeer(tls?: TlsMaterial): Promise<SipPeer> {
  const scheme = tls === undefined ? 'sip' : 'sips';
  const clock = systemClock;
  const wheel = new Wheel({ clock });
  wheel.start();
  const ports = new PortPool({ clock, range: null });
  const open = new Set<RtpLeg>();
  const signalling = createSignalling({
    hosts: ['127.0.0.1'],
    udpPort: tls === undefined ? 0 : null,
    tcpPort: null,
    ...(tls === undefined ? {} : { tls: { port: 0, material: () => tls } }),
    publicAddress: null,
    trunks: [trunkTo(null, scheme)],
    clock,
    log: silentLog,
    probeIntervalMs: null,
  });
  await signalling.start();
  return {
    port: Number(signalling.health().listening[0]?.split(':').at(-1)),
    signalling,
    target: (sipPort) => signalling.setTrunks([trunkTo(sipPort, scheme)]),
    async openMedia() {
      const leg = await RtpLeg.open({ ports, address: '127.0.0.1', wheel, clock, log: silentLog });
      open.add(leg);
      return leg;
    },
    async stop() {
      await signalling.stop();
      await Promise.all([...open].map((leg) => leg.close()));
      wheel.stop();
    },
  };
}

export interface Talk {
  readonly leg: OutboundLeg;
  readonly media: RtpLeg;
  readonly line: PhoneLine;
  /** Received frames with sound. */
  soundFrames(): number;
  /** Milliseconds since the last one, or since the call was placed. */
  quietMs(): number;
  /** Resolves with who ended the call. */
  readonly ended: Promise<'caller' | 'agent' | 'system'>;
}

/** Calls a number of the service; resolves at the answer, rejects with the SIP status of a refusal. */
export async function callService(
  peer: SipPeer,
  from: string,
  to: string,
  srtp: SrtpPolicy = 'off',
): Promise<Talk> {
  const media = await peer.openMedia();
  const ours = { address: '127.0.0.1', port: media.port, sessionId: 1, version: 1, srtp };
  const sdpOffer = createOffer(ours);
  const { line, sink } = phoneLine(media);
  let onEnded: (by: 'caller' | 'agent' | 'system') => void = () => undefined;
  const ended = new Promise<'caller' | 'agent' | 'system'>((resolve) => {
    onEnded = resolve;
  });
  const leg = await new Promise<OutboundLeg>((resolve, reject) => {
    const placed: OutboundLeg = peer.signalling.call(
      {
        trunkId: SERVICE,
        from,
        to,
        displayName: null,
        sdpOffer,
        ringTimeoutMs: 10_000,
        attemptId: `peer-${media.port}-${media.ssrc}`,
      },
      {
        onRinging: () => undefined,
        onAnswered: ({ sdp }) => {
          const outcome = acceptAnswer(sdp, sdpOffer);
          if (!outcome.accepted) {
            reject(new Error(outcome.reason));
            return;
          }
          media.update(outcome.media);
          media.start(sink);
          resolve(placed);
        },
        onFailed: ({ sipCode, reason }) => reject(new Error(`${sipCode} ${reason}`)),
        onEnded: ({ by }) => onEnded(by),
        onReoffer: () => null,
        onDtmf: (digit) => void line.keys.push(digit),
      },
    );
  });
  return {
    leg,
    media,
    line,
    ended,
    soundFrames: () => line.soundMs() / 20,
    quietMs: () => line.quietMs(),
  };
}

/** Answers every call at once and hangs up after `talkMs` unless the caller did. Returns the number of calls so far. */
export function answerAndLeave(
  peer: SipPeer,
  talkMs: number,
  srtp: SrtpPolicy = 'off',
): { answered: number; ended: number } {
  const had = { answered: 0, ended: 0 };
  const take = async (leg: InboundLeg): Promise<void> => {
    const ended = new Promise<void>((resolve) => {
      leg.listen({
        onAnswered: () => undefined,
        onFailed: () => resolve(),
        onEnded: () => resolve(),
        onReoffer: () => null,
        onDtmf: () => undefined,
      });
    });
    leg.ringing();
    const media = await peer.openMedia();
    const outcome = answerOffer(leg.sdpOffer ?? '', {
      address: '127.0.0.1',
      port: media.port,
      sessionId: 1,
      version: 1,
      srtp,
    });
    if (!outcome.accepted) throw new Error(outcome.reason);
    media.update(outcome.media);
    leg.answer(outcome.answer);
    had.answered++;
    setTimeout(() => leg.hangup('normal'), talkMs);
    await ended;
    had.ended++;
    await media.close();
  };
  peer.signalling.onInbound((leg) => void take(leg));
  return had;
}
