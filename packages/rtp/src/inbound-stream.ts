import type { DtmfDigit, SampleRate } from '@callwright/audio';
import { type AudioCodec, codecByName, codecOfStaticType } from './codecs.ts';
import {
  appendPcm,
  CONCEAL_MS,
  type Decode,
  createFrameAssembler,
  decoderAt,
  type FrameAssembler,
  type FrameOut,
} from './decode.ts';
import type { NegotiatedMedia } from './media.ts';
import { createDtmfDetector, type DtmfDetector, stepDtmf } from './dtmf-detector.ts';
import { MAX_RTP_BYTES, type RtpView } from './packet.ts';
import type { Opus } from './opus.ts';
import { countPacket, createReception, useClock } from './reception.ts';
import {
  createReorderWindow,
  setClockRate,
  pushPacket,
  tickWindow,
  type ArrivingPacket,
  type OrderedOut,
} from './reorder-window.ts';
import { createEventReceiver, receiveEvent, tickEvents, type EventReceiver } from './telephone-event.ts';

/** Payload types of comfort noise (RFC 3389; 19 before it): they keep the media timeout from firing but carry no audio. */
const COMFORT_NOISE_TYPES = new Set([13, 19]);

export interface InboundOut extends FrameOut {
  onDigit(digit: DtmfDigit, at: number): void;
}

/** The receiving half of a leg: reordering, decoding, 20 ms frames, telephone events, reception statistics. */
export class InboundStream implements OrderedOut {
  readonly reception = createReception(8000);
  readonly window = createReorderWindow(8000);
  readonly assembler: FrameAssembler;
  readonly #out: InboundOut;
  readonly #rate: SampleRate;
  readonly #opus: Opus | null;
  /** The longest payload at twice its clock rate. */
  readonly #pcm = new Int16Array(2 * MAX_RTP_BYTES);
  readonly #decoders = new Map<AudioCodec, Decode>();
  readonly #packet: ArrivingPacket = {
    sequence: 0,
    timestamp: 0,
    ssrc: 0,
    payloadType: 0,
    ticks: 0,
    payload: new Uint8Array(0),
  };
  #events: EventReceiver = createEventReceiver();
  #eventSsrc = -1;
  #codecType = -1;
  #codecReceiveType = -1;
  #codec: AudioCodec = codecByName('PCMU');
  #dtmfType: number | null = null;
  #dtmfReceiveType: number | null = null;
  readonly #tones: DtmfDetector;
  /** Takes the frames: without telephone-event, keys come as tones in them. */
  readonly #frames: FrameOut = {
    onFrame: (pcm, timestamp, concealed, at) => {
      const digit = this.#dtmfType === null && !concealed ? stepDtmf(this.#tones, pcm) : null;
      if (digit !== null) this.#out.onDigit(digit, at);
      this.#out.onFrame(pcm, timestamp, concealed, at);
    },
  };

  /** `rate`: of the frames. `opus`: the decoder of Opus at that rate; null: its packets are dropped. */
  constructor(out: InboundOut, rate: SampleRate = 8000, opus: Opus | null = null) {
    this.#out = out;
    this.#opus = opus;
    this.#rate = rate;
    this.assembler = createFrameAssembler(rate);
    this.#tones = createDtmfDetector(rate);
  }

  setMedia(media: NegotiatedMedia): void {
    this.#codecType = media.codec.payloadType;
    this.#codecReceiveType = media.codec.receiveType ?? media.codec.payloadType;
    this.#codec = codecByName(media.codec.name);
    if (this.#codec.clockRate !== this.window.clockRate) {
      setClockRate(this.window, this.#codec.clockRate);
      useClock(this.reception, this.#codec.clockRate);
    }
    this.#dtmfType = media.dtmfPayloadType;
    this.#dtmfReceiveType = media.dtmfReceiveType ?? null;
  }

  #codecFor(payloadType: number): AudioCodec | null {
    // A peer that accepted several codecs may switch between them at any time.
    const isAgreed = payloadType === this.#codecType || payloadType === this.#codecReceiveType;
    if (isAgreed) return this.#codec.name === 'OPUS' && this.#opus === null ? null : this.#codec;
    const codec = codecOfStaticType(payloadType);
    // The timestamps of a codec with another clock rate count other ticks.
    const fits =
      codec !== null && codec.sampleRate <= this.#rate && codec.clockRate === this.window.clockRate;
    return fits ? codec : null;
  }

  /** Accepts both numbers of telephone events, because peers disagree about which side's number counts. */
  #isEvent(payloadType: number): boolean {
    if (payloadType === this.#codecType || payloadType === this.#codecReceiveType) return false;
    return payloadType === this.#dtmfType || payloadType === this.#dtmfReceiveType;
  }

  /** True for payload types of the negotiated media. */
  knows(payloadType: number): boolean {
    return (
      this.#codecFor(payloadType) !== null ||
      this.#isEvent(payloadType) ||
      COMFORT_NOISE_TYPES.has(payloadType)
    );
  }

  /** Handles a packet of the latched source. `arrivalMs` is monotonic with a higher resolution than epoch ms `at`. */
  receive(bytes: Uint8Array, view: RtpView, arrivalMs: number, at: number): void {
    const payload = bytes.subarray(view.payloadStart, view.payloadEnd);
    const isEvent = this.#isEvent(view.payloadType);
    if (isEvent) this.#receiveEvent(payload, view, at);
    const codec = isEvent ? null : this.#codecFor(view.payloadType);
    countPacket(this.reception, view.ssrc, view.sequence, view.timestamp, codec !== null, arrivalMs);
    const ticks = codec?.ticksOf(payload) ?? 0;
    // A damaged packet is a lost one: its time is filled, and the next packet may repeat it.
    if (codec?.isFramed === true && ticks === 0 && payload.length > 0) return;
    const packet = this.#packet;
    packet.sequence = view.sequence;
    packet.timestamp = view.timestamp;
    packet.ssrc = view.ssrc;
    packet.payloadType = view.payloadType;
    packet.ticks = ticks;
    packet.payload = payload;
    pushPacket(this.window, packet, at, this);
  }

  #receiveEvent(payload: Uint8Array, view: RtpView, at: number): void {
    if (view.ssrc !== this.#eventSsrc) {
      this.#eventSsrc = view.ssrc;
      this.#events = createEventReceiver();
    }
    const digit = receiveEvent(this.#events, payload, view.timestamp, at);
    if (digit !== null) this.#out.onDigit(digit, at);
  }

  /** Called every 20 ms. */
  tick(at: number): void {
    tickWindow(this.window, at, this);
    const digit = tickEvents(this.#events, at);
    if (digit !== null) this.#out.onDigit(digit, at);
  }

  onPacket(
    payloadType: number,
    payload: Uint8Array,
    ticks: number,
    timestamp: number,
    lostBefore: number,
    at: number,
  ): void {
    const codec = ticks > 0 ? this.#codecFor(payloadType) : null;
    if (!codec) return;
    const scale = this.#rate / codec.clockRate;
    const place = Math.round(timestamp * scale);
    if (codec.name === 'OPUS' && lostBefore > 0) this.#bridge(payload, Math.round(ticks * scale), place, at);
    const samples = this.#decoderOf(codec)(this.#pcm, payload);
    appendPcm(this.assembler, this.#pcm.subarray(0, samples), place, lostBefore, this.#frames, at);
  }

  /** Fills a loss before an Opus packet: its decoder continues the audio, and the packet may repeat the one before it. */
  #bridge(payload: Uint8Array, samples: number, place: number, at: number): void {
    const { assembler } = this;
    const gap = assembler.started ? place - assembler.next : 0;
    if (this.#opus === null || gap <= 0) return;
    const most = (this.#rate / 1000) * CONCEAL_MS;
    const repeated = Math.min(gap, samples);
    const made = this.#opus.conceal(this.#pcm, Math.min(gap - repeated, most));
    this.#synthesized(made, assembler.next, at);
    const recovered = this.#opus.recover(this.#pcm, payload, repeated);
    this.#synthesized(recovered, Math.max(assembler.next, place - recovered), at);
  }

  #synthesized(samples: number, place: number, at: number): void {
    if (samples === 0) return;
    appendPcm(this.assembler, this.#pcm.subarray(0, samples), place, 0, this.#frames, at, true);
  }

  #decoderOf(codec: AudioCodec): Decode {
    const opus = this.#opus;
    if (codec.name === 'OPUS') return opus === null ? () => 0 : (dst, src) => opus.decode(dst, src);
    let decoder = this.#decoders.get(codec);
    if (decoder === undefined) {
      decoder = decoderAt(codec, this.#rate, MAX_RTP_BYTES);
      this.#decoders.set(codec, decoder);
    }
    return decoder;
  }
}
