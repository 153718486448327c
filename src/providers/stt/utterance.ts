import type { SampleRate } from '@callwright/audio';

/** Audio kept from before the start of speech unless the recogniser wants more, and the longest utterance, ms. */
const PREROLL_MS = 300;
const LONGEST_MS = 12_000;

/**
 * Collects one utterance at a time from a stream of frames, starting `prerollMs` before speech. Audio beyond LONGEST_MS is
 * dropped.
 */
export interface UtteranceBuffer {
  write(frame: Int16Array): void;
  begin(): void;
  /** The utterance; null without a `begin`. */
  end(): Int16Array<ArrayBuffer> | null;
}

export function utteranceBuffer(sampleRate: SampleRate, prerollMs = PREROLL_MS): UtteranceBuffer {
  const preroll = (prerollMs * sampleRate) / 1000;
  const longest = (LONGEST_MS * sampleRate) / 1000;
  let samples = new Int16Array(sampleRate);
  let length = 0;
  let speaking = false;

  const grow = (needed: number): void => {
    if (needed <= samples.length) return;
    const larger = new Int16Array(Math.max(needed, samples.length * 2));
    larger.set(samples.subarray(0, length));
    samples = larger;
  };

  return {
    write(frame) {
      if (!speaking && length + frame.length > preroll) {
        const drop = length + frame.length - preroll;
        if (drop >= length) length = 0;
        else {
          samples.copyWithin(0, drop, length);
          length -= drop;
        }
      }
      if (length + frame.length > longest) return;
      grow(length + frame.length);
      samples.set(frame, length);
      length += frame.length;
    },
    begin() {
      speaking = true;
    },
    end() {
      if (!speaking) return null;
      speaking = false;
      const whole = samples.slice(0, length);
      length = 0;
      if (samples.length > sampleRate * 4) samples = new Int16Array(sampleRate);
      return whole;
    },
  };
}

/** Joins an utterance and its continuation, which includes the pause between them. */
export function joinedPcm(first: Int16Array, second: Int16Array): Int16Array<ArrayBuffer> {
  const whole = new Int16Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}
