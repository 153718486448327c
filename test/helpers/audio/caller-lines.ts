import { readFileSync } from 'node:fs';
import { decodeUlawTo } from '@callwright/audio';
import { CALLER_LINES } from '../../fixtures/caller-lines/lines.ts';

export interface CallerLine {
  readonly text: string;
  /** At 8 kHz, as a phone sent it. */
  readonly pcm: Int16Array;
}

const FILE = new URL('../../fixtures/caller-lines/lines.ulaw', import.meta.url);

/** The lines of callers by voices that are none of ours. Of each the file holds its length (4 bytes) and its G.711. */
export function callerLines(): readonly CallerLine[] {
  const bytes = readFileSync(FILE);
  let at = 0;
  return CALLER_LINES.map((text) => {
    const length = bytes.readUInt32LE(at);
    const wire = bytes.subarray(at + 4, at + 4 + length);
    at += 4 + length;
    const pcm = new Int16Array(length);
    decodeUlawTo(pcm, wire);
    return { text, pcm };
  });
}

/** The line with white noise at this distance below its speech, dB. */
export function withNoise({ text, pcm }: CallerLine, db: number): CallerLine {
  const power = pcm.reduce((sum, sample) => sum + sample * sample, 0) / pcm.length;
  const amplitude = Math.sqrt(power / 10 ** (db / 10)) * Math.sqrt(3);
  let state = 7;
  const noisy = pcm.map((sample) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const noise = (state / 4_294_967_296 - 0.5) * 2 * amplitude;
    return Math.max(-32_768, Math.min(32_767, Math.round(sample + noise)));
  });
  return { text, pcm: noisy };
}
