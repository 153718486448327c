import type { DtmfDigit, SampleRate } from '@callwright/audio';
import {
  appendPcm,
  type AudioCodec,
  type Decode,
  codecByName,
  codecOfStaticType,
  createFrameAssembler,
  decoderAt,
  type FrameAssembler,
  type FrameOut,
} from './decode.ts';
import type { NegotiatedMedia } from './media.ts';
import { createDtmfDetector, type DtmfDetector, stepDtmf } from './dtmf-detector.ts';
import { MAX_RTP_BYTES, type RtpView } from './packet.ts';
import { countPacket, createReception } from './reception.ts';
import {
  createReorderWindow,
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

  /** `rate`: of the frames. */
  constructor(out: InboundOut, rate: SampleRate = 8000) {
    this.#out = out;
    this.#rate = rate;
    this.assembler = createFrameAssembler(rate);
    this.#tones = createDtmfDetector(rate);
  }

  setMedia(media: NegotiatedMedia): void {
    this.#codecType = media.codec.payloadType;
    this.#codec = codecByName(media.codec.name);
    this.#dtmfType = media.dtmfPayloadType;
    this.#dtmfReceiveType = media.dtmfReceiveType ?? null;
  }

  #codecFor(payloadType: number): AudioCodec | null {
    // A peer that accepted several codecs may switch between them at any time.
    if (payloadType === this.#codecType) return this.#codec;
    const codec = codecOfStaticType(payloadType);
    return codec !== null && codec.sampleRate <= this.#rate ? codec : null;
  }

  /** Accepts both numbers of telephone events, because peers disagree about which side's number counts. */
  #isEvent(payloadType: number): boolean {
    if (payloadType === this.#codecType) return false;
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
    const packet = this.#packet;
    packet.sequence = view.sequence;
    packet.timestamp = view.timestamp;
    packet.ssrc = view.ssrc;
    packet.payloadType = view.payloadType;
    packet.ticks = codec?.ticksOf(payload.length) ?? 0;
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
    const samples = this.#decoderOf(codec)(this.#pcm, payload);
    const scale = this.#rate / codec.clockRate;
    appendPcm(
      this.assembler,
      this.#pcm.subarray(0, samples),
      timestamp * scale,
      lostBefore,
      this.#frames,
      at,
    );
  }

  #decoderOf(codec: AudioCodec): Decode {
    let decoder = this.#decoders.get(codec);
    if (decoder === undefined) {
      decoder = decoderAt(codec, this.#rate, MAX_RTP_BYTES);
      this.#decoders.set(codec, decoder);
    }
    return decoder;
  }
}
