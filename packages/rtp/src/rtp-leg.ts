import { randomBytes } from 'node:crypto';
import type { RemoteInfo } from 'node:dgram';
import type { Clock } from './clock.ts';
import type { DtmfDigit, SampleRate } from '@callwright/audio';
import type { MediaLeg, MediaSink, MediaStats } from './media-leg.ts';
import { createSourceMatch } from './source-match.ts';
import { isUnspecified, receives, sends } from './media.ts';
import type { NegotiatedMedia } from './media.ts';
import { type InboundOut, InboundStream } from './inbound-stream.ts';
import { createKeyFilter, type KeyPath, takesKey } from './key-filter.ts';
import {
  admit,
  admitRtcp,
  releaseSource,
  canonicalAddress,
  createLatch,
  signal,
  sourceAddress,
  targetIsSignalled,
  targetOf,
  type Endpoint,
} from './latch.ts';
import { Opus } from './opus.ts';
import { OutboundStream } from './outbound-stream.ts';
import { createRtpView, looksLikeRtcp, parseRtp } from './packet.ts';
import { closeSocket, type PortPair, type PortPool } from './port-pool.ts';
import { jitterMs } from './reception.ts';
import { LegSrtp } from './srtp/media-keys.ts';
import { createRtcpSession, makeReport, receiveRtcp } from './rtcp-session.ts';
import { createVoiceQuality, rateInterval } from './voice-quality.ts';
import type { Wheel, WheelMember } from './wheel.ts';

export interface RtpLegOptions {
  ports: PortPool;
  /** Local address to bind. */
  address: string;
  wheel: Wheel;
  clock: Clock;
  log: { warn(fields: object, message: string): void };
  /** Default 20 s. */
  mediaTimeoutMs?: number;
  /** Of the sink's frames, whatever codec the peer takes. Default 8000. */
  sampleRate?: SampleRate;
  /** The peer may take Opus; absent: its media never is. */
  opus?: boolean;
}

const DEFAULT_MEDIA_TIMEOUT_MS = 20_000;
const STEP_MS = 20;
/** Steps between two ratings of the quality: five seconds. */
const QUALITY_STEPS = 250;
/** Five seconds of steps, spread by half to either side (RFC 3550 section 6.3.5). */
const rtcpInterval = (): number => Math.round(250 * (0.5 + Math.random()));

/**
 * The media of one call leg over RTP and RTCP (RFC 3550, 3551, 4733). It sends nothing before `update` sets the
 * negotiated media, and silence before `start` sets the sink.
 */
export class RtpLeg implements MediaLeg, WheelMember {
  readonly sampleRate: SampleRate;
  /** Local RTP port; RTCP uses the next one. */
  readonly port: number;
  readonly ssrc: number;
  readonly #options: RtpLegOptions;
  readonly #sockets: PortPair;
  readonly #opus: Opus | null;
  readonly #latch = createLatch();
  readonly #view = createRtpView();
  readonly #inbound: InboundStream;
  readonly #outbound: OutboundStream;
  readonly #rtcp: ReturnType<typeof createRtcpSession>;
  #sink: MediaSink | null = null;
  #media: NegotiatedMedia | null = null;
  #rtcpSource: Endpoint | null = null;
  #srtp: LegSrtp | null = null;
  /** The last one, also while the call goes on in clear: its keys may come back. */
  #lastSrtp: LegSrtp | null = null;
  readonly #keys = createKeyFilter();
  #signalKeys: ((digits: readonly DtmfDigit[]) => void) | null = null;
  /** Whether media may come from an address; the trunk's media_ranges. */
  #mayCome: (address: string) => boolean = () => true;
  /** The last address that valid RTP or RTCP came from. */
  #heardFrom = '';
  /** Steps of sending to addresses that had sent nothing themselves. */
  #unprovenSteps = 0;
  #mediaTimeoutMs: number;
  /** Steps since the last RTP or RTCP packet of the peer. Counted instead of timed, so that a stalled process is not silence. */
  #silentSteps = 0;
  #timedOut = false;
  #stepsToReport = rtcpInterval();
  readonly #quality = createVoiceQuality();
  #stepsToRating = QUALITY_STEPS;
  #strayPackets = 0;
  #socketErrors = 0;
  #closing: Promise<void> | null = null;

  /** Binds a port pair. Rejects with `PortsExhausted` or the system's error. */
  static async open(options: RtpLegOptions): Promise<RtpLeg> {
    const opus = options.opus === true ? await Opus.open(options.sampleRate ?? 8000) : null;
    try {
      return new RtpLeg(options, await options.ports.open(options.address), opus);
    } catch (error) {
      opus?.close();
      throw error;
    }
  }

  private constructor(options: RtpLegOptions, sockets: PortPair, opus: Opus | null) {
    this.#options = options;
    this.#opus = opus;
    this.#sockets = sockets;
    this.#mediaTimeoutMs = options.mediaTimeoutMs ?? DEFAULT_MEDIA_TIMEOUT_MS;
    this.port = sockets.port;
    const { sampleRate = 8000 } = options;
    this.sampleRate = sampleRate;
    const random = randomBytes(22);
    this.ssrc = random.readUInt32BE(0);
    this.#rtcp = createRtcpSession(this.ssrc, random.subarray(10, 22).toString('base64url'));
    const out: InboundOut = {
      onFrame: (pcm, timestamp, concealed, at) => {
        if (this.#sink && this.#receiving()) this.#sink.onAudio(pcm, timestamp, concealed, at);
      },
      onDigit: (digit, at) => this.#pressed('media', digit, at),
    };
    this.#inbound = new InboundStream(out, sampleRate, opus);
    this.#outbound = new OutboundStream({
      ssrc: this.ssrc,
      // In the lower half: the peer sees the wrap even when it misses the first packets (RFC 3711 section 3.3.1).
      sequence: random.readUInt16BE(4) & 0x7fff,
      timestamp: random.readUInt32BE(6),
      send: (packet, length) => this.#sendRtp(packet, length),
      rate: sampleRate,
      opus,
    });
    sockets.rtp.on('message', this.#onRtp);
    sockets.rtcp.on('message', this.#onRtcp);
    for (const socket of [sockets.rtp, sockets.rtcp]) socket.on('error', this.#onSocketError);
  }

  start(sink: MediaSink, options?: { mediaTimeoutMs?: number }): void {
    this.#sink = sink;
    this.#mediaTimeoutMs = options?.mediaTimeoutMs ?? this.#mediaTimeoutMs;
    this.#rearmTimeout();
  }

  /** Applies the result of an offer/answer exchange, initial or by re-INVITE. Starts or stops sending at once. */
  update(media: NegotiatedMedia): void {
    if (this.#closing) return;
    const sentBefore = this.#sending();
    this.#media = media;
    this.#srtp = media.srtp === undefined ? null : new LegSrtp(media.srtp, this.#lastSrtp);
    this.#lastSrtp = this.#srtp ?? this.#lastSrtp;
    const { mediaRanges = [] } = media;
    this.#mayCome = mediaRanges.length === 0 ? () => true : createSourceMatch(mediaRanges);
    this.#inbound.setMedia(media);
    this.#outbound.setMedia(media);
    this.#rtcpSource = null;
    const address = canonicalAddress(media.remoteAddress);
    const endpoint = isUnspecified(address) ? null : { address, port: media.remotePort };
    const { signallingAddress } = media;
    signal(this.#latch, endpoint, this.#options.clock.now(), signallingAddress ?? undefined);
    this.#rearmTimeout();
    this.#options.wheel.add(this);
    if (!sentBefore && this.#sending()) this.#outbound.sendSilence();
  }

  /** Queues DTMF digits of 100 ms each: telephone events, or in-band tones for a peer without them. */
  sendDtmf(digits: readonly DtmfDigit[]): void {
    if (this.#media?.keysBySignalling === true && this.#signalKeys !== null) this.#signalKeys(digits);
    else this.sendInAudio(digits);
  }

  /** Takes the keys of media with `keysBySignalling`. */
  signalKeysBy(send: (digits: readonly DtmfDigit[]) => void): void {
    this.#signalKeys = send;
  }

  /** Sends keys in the audio that the signalling does not take. */
  sendInAudio(digits: readonly DtmfDigit[]): void {
    this.#outbound.queueDigits(digits);
  }

  /** A key that came as SIP INFO; dropped if the audio brings it, too. `at`: epoch ms. */
  signalledDigit(digit: DtmfDigit, at: number): void {
    this.#pressed('signalling', digit, at);
  }

  onTick(at: number, skipped: number): void {
    this.#inbound.tick(at);
    if (!this.#isProven() && this.#sending()) this.#unprovenSteps += 1;
    this.#outbound.tick(this.#sink, this.#sending(), skipped, at);
    this.#watchSilence(at);
    this.#stepsToRating -= 1;
    if (this.#stepsToRating <= 0) {
      this.#stepsToRating = QUALITY_STEPS;
      this.#rateQuality();
    }
    this.#stepsToReport -= 1;
    if (this.#stepsToReport <= 0) {
      this.#stepsToReport = rtcpInterval();
      this.#sendReport(false, at);
    }
  }

  stats(): MediaStats {
    const { window, assembler, reception } = this.#inbound;
    return {
      codec: this.#media?.codec.name ?? '',
      packetsSent: this.#outbound.packets,
      packetsReceived: window.received,
      packetsLost: Math.max(0, window.lost - window.late),
      packetsLate: window.late,
      duplicates: window.duplicates,
      concealedMs: (assembler.concealedSamples * 1000) / this.sampleRate,
      jitterMs: jitterMs(reception),
      roundTripMs: this.#rtcp.roundTripMs,
      remoteLossFraction: this.#rtcp.remoteLossFraction,
      remoteJitterMs: this.#rtcp.remoteJitterMs,
      strayPackets: this.#strayPackets,
      mos: { toUs: this.#quality.toUs, toFarSide: this.#quality.toFarSide },
    };
  }

  #rateQuality(): void {
    const { window, reception } = this.#inbound;
    const rtcp = this.#rtcp;
    rateInterval(this.#quality, {
      received: window.received,
      missing: window.lost,
      packetMs: window.packetMs,
      jitterMs: jitterMs(reception),
      roundTripMs: rtcp.roundTripMs,
      reports: rtcp.reportsHeard,
      remoteLostShare: (rtcp.remoteLossFraction ?? 0) + rtcp.remoteDiscardFraction,
      remoteJitterMs: rtcp.remoteJitterMs ?? 0,
      remoteDelayMs: rtcp.remoteDelayMs,
    });
  }

  /** Sends RTCP BYE, closes both sockets and quarantines the port. No sink callback follows. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#options.wheel.remove(this);
    this.#sink = null;
    const { rtp, rtcp, port } = this.#sockets;
    rtp.off('message', this.#onRtp);
    rtcp.off('message', this.#onRtcp);
    this.#outbound.flush();
    if (this.#media) this.#sendReport(true, this.#options.clock.now());
    await Promise.all([closeSocket(rtp), closeSocket(rtcp)]);
    this.#opus?.close();
    this.#options.ports.release(port);
  }

  #sending(): boolean {
    if (this.#media === null || !sends(this.#media.direction) || targetOf(this.#latch) === null) return false;
    const { unprovenMs = null } = this.#media;
    return unprovenMs === null || this.#isProven() || this.#unprovenSteps * STEP_MS < unprovenMs;
  }

  /** True when the current destination has sent RTP or RTCP itself. */
  #isProven(): boolean {
    return targetOf(this.#latch)?.address === this.#heardFrom;
  }

  #pressed(path: KeyPath, digit: DtmfDigit, at: number): void {
    if (takesKey(this.#keys, path, digit, at)) this.#sink?.onDtmf(digit, at);
  }

  #receiving(): boolean {
    return this.#media !== null && receives(this.#media.direction);
  }

  #rearmTimeout(): void {
    this.#silentSteps = 0;
    this.#timedOut = false;
  }

  #watchSilence(at: number): void {
    // On hold in either direction, silence of the peer is legitimate.
    if (this.#sink === null || this.#media?.direction !== 'sendrecv' || this.#timedOut) return;
    this.#silentSteps += 1;
    if (this.#silentSteps * STEP_MS < this.#mediaTimeoutMs) return;
    this.#timedOut = true;
    this.#sink.onMediaTimeout(at);
  }

  readonly #onRtp = (bytes: Buffer, from: RemoteInfo): void => {
    if (this.#media?.rtcpMux && looksLikeRtcp(bytes)) {
      this.#onRtcp(bytes, from);
      return;
    }
    // Without SDP no source can be verified.
    if (this.#media === null) return;
    // Before the latch: a forged or repeated packet moves no audio.
    const clear = this.#srtp === null ? bytes : this.#srtp.unprotectRtp(bytes);
    if (clear === null) {
      this.#strayPackets += 1;
      return;
    }
    if (!parseRtp(clear, this.#view) || !this.#inbound.knows(this.#view.payloadType)) {
      if (!this.#isSource(from)) this.#strayPackets += 1;
      return;
    }
    const at = this.#options.clock.now();
    const address = sourceAddress(from.address);
    const mayCome = this.#isSource(from) || this.#mayCome(address);
    if (!mayCome || !admit(this.#latch, address, from.port, this.#view, at)) {
      this.#strayPackets += 1;
      return;
    }
    this.#heardFrom = address;
    this.#silentSteps = 0;
    this.#inbound.receive(clear, this.#view, this.#options.clock.monotonic(), at);
  };

  readonly #onRtcp = (bytes: Buffer, from: RemoteInfo): void => {
    const media = this.#media;
    if (media === null) return;
    const address = sourceAddress(from.address);
    if (!admitRtcp(this.#latch, address)) {
      this.#strayPackets += 1;
      return;
    }
    const clear = this.#srtp === null ? bytes : this.#srtp.unprotectRtcp(bytes);
    if (clear === null) {
      this.#strayPackets += 1;
      return;
    }
    const received = receiveRtcp(this.#rtcp, clear, media.codec.clockRate, this.#options.clock.now());
    if (received === null) return;
    this.#heardFrom = address;
    if (!media.rtcpMux) this.#rtcpSource = { address, port: from.port };
    if (received.left.includes(this.#latch.ssrc)) releaseSource(this.#latch);
    // Reports keep a leg with a silent caller (silence suppression) alive; a BYE does not.
    else this.#silentSteps = 0;
  };

  #isSource(from: RemoteInfo): boolean {
    const source = this.#latch.source;
    return source !== null && source.port === from.port && source.address === sourceAddress(from.address);
  }

  #sendRtp(packet: Buffer, length: number): void {
    const target = targetOf(this.#latch);
    if (!target || this.#closing) return;
    const bytes = this.#srtp === null ? length : this.#srtp.protectRtp(packet, length);
    this.#sockets.rtp.send(packet, 0, bytes, target.port, target.address);
  }

  #sendReport(bye: boolean, at: number): void {
    const media = this.#media;
    const target = targetOf(this.#latch);
    if (media === null || target === null) return;
    const clear = makeReport(this.#rtcp, this.#outbound, this.#inbound.reception, bye, at);
    const report = this.#srtp === null ? clear : this.#srtp.protectRtcp(clear);
    if (media.rtcpMux) {
      this.#sockets.rtp.send(report, target.port, target.address);
      return;
    }
    const port = targetIsSignalled(this.#latch) ? media.remoteRtcpPort : target.port + 1;
    const to = this.#rtcpSource ?? { address: target.address, port };
    if (to.port <= 65535) this.#sockets.rtcp.send(report, to.port, to.address);
  }

  readonly #onSocketError = (error: NodeJS.ErrnoException): void => {
    this.#socketErrors += 1;
    // A dead route fails for every packet: only the first error is logged.
    if (this.#socketErrors === 1) this.#options.log.warn({ code: error.code }, 'RTP socket error');
  };
}
