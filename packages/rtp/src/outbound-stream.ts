import type { DtmfDigit, SampleRate } from '@callwright/audio';
import type { MediaSink } from './media-leg.ts';
import { type AudioCodec, codecByName } from './codecs.ts';
import { type Encode, encoderAt } from './decode.ts';
import type { NegotiatedMedia } from './media.ts';
import { writeDtmfTone } from './dtmf-tone.ts';
import type { Opus } from './opus.ts';
import { RTP_HEADER_BYTES, writeRtpHeader } from './packet.ts';
import { SRTP_OVERHEAD_BYTES } from './srtp/suites.ts';
import { createEventSender, EVENT_BYTES, nextSendStep, queueDigits } from './telephone-event.ts';

const MAX_PTIME_BYTES = 480;
/** A buffer is reused after this many packets, long after the kernel has copied it. */
const BUFFERS = 16;

/** Sends the first `length` bytes; may change the packet, which has room for `SRTP_OVERHEAD_BYTES` more. */
export type SendPacket = (packet: Buffer, length: number) => void;

/**
 * The sending half of a leg: pulls 20 ms frames from the sink, encodes them, packetizes by the negotiated packet
 * time and sends telephone events in place of audio. The RTP timestamp advances through holds, digits and skipped
 * steps.
 */
export class OutboundStream {
  readonly ssrc: number;
  packets = 0;
  octets = 0;
  readonly #send: SendPacket;
  readonly #frame: Int16Array;
  readonly #buffers = Array.from({ length: BUFFERS }, () =>
    Buffer.allocUnsafeSlow(RTP_HEADER_BYTES + MAX_PTIME_BYTES + SRTP_OVERHEAD_BYTES),
  );
  /** Encoded audio of the next packet. */
  readonly #pending = new Uint8Array(MAX_PTIME_BYTES + 160);
  readonly #digits = createEventSender();
  readonly #event = new Uint8Array(EVENT_BYTES);
  #pendingBytes = 0;
  #sequence: number;
  /** RTP timestamp of the next 20 ms. */
  #timestamp: number;
  #marker = true;
  #toneSample = 0;
  readonly #rate: SampleRate;
  readonly #opus: Opus | null;
  #codec: AudioCodec = codecByName('PCMU');
  #encode: Encode;
  #codecType = 0;
  #dtmfType: number | null = null;
  #packetBytes = 160;

  /** `rate`: of the sink's frames; 8000 where absent. `opus`: the encoder of Opus at that rate; null or absent: none. */
  constructor(options: {
    ssrc: number;
    sequence: number;
    timestamp: number;
    send: SendPacket;
    rate?: SampleRate;
    opus?: Opus | null;
  }) {
    this.ssrc = options.ssrc;
    this.#sequence = options.sequence & 0xffff;
    this.#timestamp = options.timestamp >>> 0;
    this.#send = options.send;
    this.#rate = options.rate ?? 8000;
    this.#opus = options.opus ?? null;
    this.#frame = new Int16Array(this.#rate / 50);
    this.#encode = encoderAt(this.#codec, this.#rate, this.#frame.length);
  }

  get timestamp(): number {
    return this.#timestamp;
  }

  setMedia(media: NegotiatedMedia): void {
    const codec = codecByName(media.codec.name);
    if (codec !== this.#codec || media.codec.payloadType !== this.#codecType) this.#pendingBytes = 0;
    if (codec !== this.#codec) this.#encode = encoderAt(codec, this.#rate, this.#frame.length);
    if (codec.isFramed) this.#opus?.follow(media.codec.opus);
    this.#codec = codec;
    this.#codecType = media.codec.payloadType;
    this.#dtmfType = media.dtmfPayloadType;
    this.#digits.ticksPerStep = (media.dtmfClockRate ?? 8000) / 50;
    this.#packetBytes = Math.min(MAX_PTIME_BYTES, Math.max(80, media.ptimeMs * 8));
  }

  queueDigits(digits: readonly DtmfDigit[]): void {
    queueDigits(this.#digits, digits);
  }

  /**
   * One 20 ms step. Calls the sink every time, so that its playback position advances; its audio is dropped during
   * a hold (`sending` is false) and during a digit.
   */
  tick(sink: MediaSink | null, sending: boolean, skipped: number, at: number): void {
    if (skipped > 0) {
      this.flush();
      this.#timestamp = (this.#timestamp + skipped * this.#stepTicks) >>> 0;
      this.#marker = true;
    }
    const spoken = sink !== null && sink.fill(this.#frame, at);
    if (!sending) {
      this.#pendingBytes = 0;
      this.#timestamp = (this.#timestamp + this.#stepTicks) >>> 0;
      this.#marker = true;
      return;
    }
    if (!this.#sendDigitStep()) this.#append(spoken);
    this.#timestamp = (this.#timestamp + this.#stepTicks) >>> 0;
    this.#cut();
  }

  /** Sends one packet of silence before the first step, to open NAT bindings. */
  sendSilence(): void {
    if (this.#pendingBytes > 0) return;
    if (this.#codec.isFramed) {
      this.#append(false);
      this.#timestamp = (this.#timestamp + this.#stepTicks) >>> 0;
      return;
    }
    const silence = new Int16Array((this.#packetBytes * this.#rate) / 8000);
    this.#pendingBytes = encoderAt(this.#codec, this.#rate, silence.length)(this.#pending, 0, silence);
    this.#timestamp = (this.#timestamp + this.#packetBytes) >>> 0;
    this.#cut();
  }

  /** Sends pending audio as a short packet, before a digit and at the end of a call. */
  flush(): void {
    if (this.#pendingBytes > 0) this.#sendAudio(this.#pendingBytes);
  }

  /** Sends the digit part of this step; false when the step needs audio. */
  #sendDigitStep(): boolean {
    const step = nextSendStep(this.#digits, this.#timestamp, this.#event, 0);
    if (step === 'audio') return false;
    if (this.#dtmfType === null) {
      this.#toneSample = step === 'event_start' ? 0 : this.#toneSample + this.#frame.length;
      if (step === 'pause') this.#frame.fill(0);
      else writeDtmfTone(this.#frame, this.#digits.event, this.#toneSample, this.#rate);
      this.#append(true);
      return true;
    }
    if (step === 'pause') return false;
    this.flush();
    const packet = this.#buffer();
    packet.set(this.#event, RTP_HEADER_BYTES);
    this.#transmit(this.#dtmfType, step === 'event_start', this.#digits.timestamp, packet, EVENT_BYTES);
    return true;
  }

  /** RTP ticks of 20 ms. */
  get #stepTicks(): number {
    return this.#codec.clockRate / 50;
  }

  /** Sends a frame of 20 ms as a packet of its own. */
  #sendFrame(spoken: boolean): void {
    if (!spoken) this.#frame.fill(0);
    const packet = this.#buffer();
    const room = packet.subarray(0, RTP_HEADER_BYTES + MAX_PTIME_BYTES);
    const bytes = this.#opus?.encode(room, RTP_HEADER_BYTES, this.#frame) ?? 0;
    if (bytes === 0) {
      // Audio begins again with a marker.
      this.#marker = true;
      return;
    }
    this.#transmit(this.#codecType, this.#marker, this.#timestamp, packet, bytes);
    this.#marker = false;
  }

  #append(spoken: boolean): void {
    if (this.#codec.isFramed) return this.#sendFrame(spoken);
    const { silence } = this.#codec;
    const isConstant = !spoken && silence !== null;
    if (isConstant) this.#pending.fill(silence, this.#pendingBytes, this.#pendingBytes + 160);
    else {
      if (!spoken) this.#frame.fill(0);
      this.#encode(this.#pending, this.#pendingBytes, this.#frame);
    }
    this.#pendingBytes += 160;
  }

  /** Sends every complete pending packet. */
  #cut(): void {
    while (this.#pendingBytes >= this.#packetBytes) this.#sendAudio(this.#packetBytes);
  }

  #sendAudio(bytes: number): void {
    const packet = this.#buffer();
    for (let i = 0; i < bytes; i++) packet[RTP_HEADER_BYTES + i] = this.#pending[i] as number;
    const start = (this.#timestamp - this.#pendingBytes) >>> 0;
    this.#pending.copyWithin(0, bytes, this.#pendingBytes);
    this.#pendingBytes -= bytes;
    this.#transmit(this.#codecType, this.#marker, start, packet, bytes);
    this.#marker = false;
  }

  #buffer(): Buffer {
    return this.#buffers[this.packets % BUFFERS] as Buffer;
  }

  #transmit(
    payloadType: number,
    marker: boolean,
    timestamp: number,
    packet: Buffer,
    payloadBytes: number,
  ): void {
    writeRtpHeader(packet, payloadType, marker, this.#sequence, timestamp, this.ssrc);
    this.#sequence = (this.#sequence + 1) & 0xffff;
    this.packets += 1;
    this.octets += payloadBytes;
    this.#send(packet, RTP_HEADER_BYTES + payloadBytes);
  }
}
