import type { OpusDecoderHandle, OpusEncoderHandle } from 'libopus-wasm';
import type { SampleRate } from '@callwright/audio';

/** RTP ticks a second of Opus, whatever the rate of the audio (RFC 7587 section 4.1). */
export const OPUS_CLOCK = 48_000;
const TICKS_PER_MS = OPUS_CLOCK / 1000;
/** The longest packet (RFC 6716 section 3.2.5). */
const MAX_MS = 120;
const BITS_PER_SECOND = 24_000;
/** 0 to 10; higher ones cost up to five times the processor time of the lowest. */
const COMPLEXITY = 1;
/** Share of lost packets for which the encoder repeats speech in the next packet. */
const EXPECTED_LOSS_PERCENT = 5;
/** Opus conceals in steps of 2.5 ms. */
const STEPS_PER_SECOND = 400;

/** RTP ticks that an Opus packet covers (RFC 6716 section 3.1); 0: it is malformed. */
export function opusTicks(packet: Uint8Array): number {
  const toc = packet[0];
  if (toc === undefined) return 0;
  const config = toc >> 3;
  const frameMs =
    config < 12
      ? ([10, 20, 40, 60][config & 3] as number)
      : config < 16
        ? ([10, 20][config & 1] as number)
        : ([2.5, 5, 10, 20][config & 3] as number);
  const code = toc & 3;
  const frames = code === 0 ? 1 : code < 3 ? 2 : (packet[1] ?? 0) & 0x3f;
  return frames * frameMs > MAX_MS ? 0 : frames * frameMs * TICKS_PER_MS;
}

/** Opus of one leg, in mono at its rate: the encoder of what it sends, the decoder of what it receives. */
export class Opus {
  readonly #rate: SampleRate;
  readonly #encoder: OpusEncoderHandle;
  readonly #decoder: OpusDecoderHandle;
  #isClosed = false;

  /** Loads the library once a thread, when the first leg may need it. */
  static async open(rate: SampleRate): Promise<Opus> {
    const { Application, createDecoder, createEncoder, Signal } = await import('libopus-wasm');
    const audio = { sampleRate: rate, channels: 1 } as const;
    const encoder = await createEncoder({
      ...audio,
      frameSize: rate / 50,
      // Not Voip: its high-pass for microphones shifts low voices, and synthesised ones have no rumble.
      application: Application.Audio,
      signal: Signal.Voice,
      bitrate: BITS_PER_SECOND,
      complexity: COMPLEXITY,
      fec: true,
      packetLossPercent: EXPECTED_LOSS_PERCENT,
    });
    return new Opus(rate, encoder, await createDecoder(audio));
  }

  private constructor(rate: SampleRate, encoder: OpusEncoderHandle, decoder: OpusDecoderHandle) {
    this.#rate = rate;
    this.#encoder = encoder;
    this.#decoder = decoder;
  }

  /** Encodes a frame of 20 ms into `dst` from `offset`; returns the bytes written. */
  encode(dst: Uint8Array, offset: number, frame: Int16Array): number {
    if (this.#isClosed) return 0;
    const packet = this.#encoder.encode(frame, { maxPacketBytes: dst.length - offset });
    dst.set(packet, offset);
    return packet.length;
  }

  /** Decodes a packet into `dst`; returns the samples written. A malformed packet is concealed. */
  decode(dst: Int16Array, packet: Uint8Array): number {
    const samples = Math.round((opusTicks(packet) / OPUS_CLOCK) * this.#rate);
    return this.#write(dst, () => this.#decoder.decode(packet)) ?? this.conceal(dst, samples);
  }

  /** Continues the audio through a loss for up to `samples`; returns the samples written. */
  conceal(dst: Int16Array, samples: number): number {
    const frameSize = this.#wholeSteps(samples);
    if (frameSize === 0) return 0;
    return this.#write(dst, () => this.#decoder.decode(null, { frameSize })) ?? 0;
  }

  /** The audio of the lost packet before `next`, as far as `next` repeats it; returns the samples written. */
  recover(dst: Int16Array, next: Uint8Array, samples: number): number {
    const frameSize = this.#wholeSteps(samples);
    if (frameSize === 0) return 0;
    return this.#write(dst, () => this.#decoder.decode(next, { frameSize, decodeFec: true })) ?? 0;
  }

  /** Frees the memory of encoder and decoder; nothing is encoded or decoded from then on. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#encoder.free();
    this.#decoder.free();
  }

  #wholeSteps(samples: number): number {
    const step = this.#rate / STEPS_PER_SECOND;
    return Math.floor(Math.min(samples, (MAX_MS * this.#rate) / 1000) / step) * step;
  }

  /** Null: the library refuses the packet. Nothing may throw on the audio path. */
  #write(dst: Int16Array, decode: () => Int16Array): number | null {
    if (this.#isClosed) return 0;
    try {
      const pcm = decode();
      dst.set(pcm);
      return pcm.length;
    } catch {
      return null;
    }
  }
}
