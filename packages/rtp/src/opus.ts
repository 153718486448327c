import type { OpusDecoderHandle, OpusEncoderHandle } from 'libopus-wasm';
import type { SampleRate } from '@callwright/audio';

/** RTP ticks a second of Opus, whatever the rate of the audio (RFC 7587 section 4.1). */
export const OPUS_CLOCK = 48_000;
const TICKS_PER_MS = OPUS_CLOCK / 1000;
/** The longest packet (RFC 6716 section 3.2.5). */
const MAX_MS = 120;
const BITS_PER_SECOND = 24_000;
/** With repeated speech: at less the encoder would narrow the band to make room for it. */
const REPEATING_BITS_PER_SECOND = 32_000;
/** 0 to 10; higher ones cost up to five times the processor time of the lowest. */
const COMPLEXITY = 1;
/** Share of lost packets for which the encoder repeats speech in the next packet. At 5 it repeats none. */
const EXPECTED_LOSS_PERCENT = 15;
/** Opus conceals in steps of 2.5 ms. */
const STEPS_PER_SECOND = 400;

/** The longest frame of a packet, in bytes. */
const MAX_FRAME_BYTES = 1_275;
/** A frame as short as this says that a pause goes on, and need not be sent. */
const PAUSE_BYTES = 2;
/** The lowest bit rate of the codec. */
const LEAST_BITS_PER_SECOND = 6_000;

/** What the far side's `a=fmtp` asks of our packets (RFC 7587 section 6.1). */
export interface OpusPreferences {
  /** `maxaveragebitrate` in bits per second; absent: any. */
  readonly maxBitrate?: number;
  /** `useinbandfec`: it makes use of speech that a packet repeats from the one before. Absent: it does not. */
  readonly usesFec?: boolean;
  /** `cbr`: all packets of equal length. Absent: as short as each can be. */
  readonly isConstant?: boolean;
  /** `usedtx`: no packets in pauses. Absent: packets all the time. */
  readonly skipsPauses?: boolean;
}

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
  if (frames * frameMs > MAX_MS || !hasFrames(packet, code, frames)) return 0;
  return frames * frameMs * TICKS_PER_MS;
}

/** Whether the lengths in a packet agree with its own (RFC 6716 section 3.4). */
function hasFrames(packet: Uint8Array, code: number, frames: number): boolean {
  if (code < 3) {
    if (code === 2) return holdsLengths(packet, 1, packet.length, 1);
    return holdsEqual(packet.length - 1, frames);
  }
  if (frames === 0) return false;
  const kind = packet[1] as number;
  let at = 2;
  let end = packet.length;
  // Each byte of 255 stands for 254 bytes of padding, and another byte follows.
  if ((kind & 0x40) !== 0)
    for (let more = true; more; at++) {
      const padding = packet[at];
      if (padding === undefined) return false;
      more = padding === 255;
      end -= more ? 254 : padding;
    }
  return (kind & 0x80) === 0 ? holdsEqual(end - at, frames) : holdsLengths(packet, at, end, frames - 1);
}

const holdsEqual = (bytes: number, frames: number): boolean =>
  bytes >= 0 && bytes % frames === 0 && bytes / frames <= MAX_FRAME_BYTES;

/** `count` lengths of frames from `at` on, the frames, and one more frame up to `end`. */
function holdsLengths(packet: Uint8Array, at: number, end: number, count: number): boolean {
  let next = at;
  let left = end;
  for (let n = 0; n < count; n++) {
    const first = packet[next++] ?? 0;
    const length = first < 252 ? first : first + 4 * (packet[next++] ?? 0);
    left -= length;
    if (next > left) return false;
  }
  return left - next <= MAX_FRAME_BYTES && next <= left;
}

/** Opus of one leg, in mono at its rate: the encoder of what it sends, the decoder of what it receives. */
export class Opus {
  readonly #rate: SampleRate;
  readonly #encoder: OpusEncoderHandle;
  readonly #decoder: OpusDecoderHandle;
  #skipsPauses = false;
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
    });
    return new Opus(rate, encoder, await createDecoder(audio));
  }

  private constructor(rate: SampleRate, encoder: OpusEncoderHandle, decoder: OpusDecoderHandle) {
    this.#rate = rate;
    this.#encoder = encoder;
    this.#decoder = decoder;
  }

  /** Encodes as the far side prefers from now on. */
  follow(preferences: OpusPreferences = {}): void {
    if (this.#isClosed) return;
    const { maxBitrate = REPEATING_BITS_PER_SECOND, usesFec = false, isConstant = false } = preferences;
    const repeats = usesFec && maxBitrate >= REPEATING_BITS_PER_SECOND;
    const wanted = repeats ? REPEATING_BITS_PER_SECOND : BITS_PER_SECOND;
    this.#encoder.setBitrate(Math.max(LEAST_BITS_PER_SECOND, Math.min(maxBitrate, wanted)));
    this.#encoder.setFec(repeats);
    // It saves on the packets for losses to come, too.
    this.#encoder.setPacketLossPercent(repeats ? EXPECTED_LOSS_PERCENT : 0);
    this.#encoder.setVbr(!isConstant);
    this.#skipsPauses = preferences.skipsPauses === true;
    this.#encoder.setDtx(this.#skipsPauses);
  }

  /** Encodes a frame of 20 ms into `dst` from `offset`; returns the bytes written, 0 where nothing is to be sent. */
  encode(dst: Uint8Array, offset: number, frame: Int16Array): number {
    if (this.#isClosed) return 0;
    const packet = this.#encoder.encode(frame, { maxPacketBytes: dst.length - offset });
    if (this.#skipsPauses && packet.length <= PAUSE_BYTES) return 0;
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
