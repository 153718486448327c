import { CALLER_VOICES } from '../local-calls/script.ts';
import { onTheLine, synthesise, type SpokenLine } from '../local-calls/voices.ts';
import { overTheLine } from '../../test/helpers/audio/speech.ts';
import { PAUSES_MS, type Pause } from './turns.ts';

const RATE = 8_000;
const PER_MS = RATE / 1_000;
const LEAD_MS = 300;
const GATE_MS = 80;
const PIECE_MS = 10;
/** A pause is quieter than this share of the loudest sound. */
const QUIETER = 10 ** (-30 / 20);

/** Numbers as callers read them, a comma between groups. */
const NUMBERS: readonly string[] = [
  'Four two seven one.',
  'Nine zero three five.',
  'Eight one six, two seven four.',
  'Five five three, nine zero two, eight one.',
  'Seven three nine four two six.',
  'One eight, six two, nine five.',
  'It is three zero, four four, one nine.',
  'Two six five, one one, eight.',
];

/** The first ten voices serve the fit, and the other ten the report. */
const FITTED = 10;
const linesOf = (isFit: boolean): SpokenLine[] =>
  (isFit ? CALLER_VOICES.slice(0, FITTED) : CALLER_VOICES.slice(FITTED)).flatMap((voice) =>
    NUMBERS.map((text) => ({ voice, text })),
  );

/** The pauses in and after numbers by voices of Kokoro, whose model is in `modelsDir`. */
export function numberPauses(isFit: boolean, modelsDir: string): Pause[] {
  const lines = linesOf(isFit);
  synthesise(lines, modelsDir);
  return lines.flatMap(pausesOf);
}

/** The pauses between the groups of a number and its end, with the digits said before each. */
function pausesOf(line: SpokenLine): Pause[] {
  const pcm = onTheLine(line);
  const groups = line.text.replace(/[.]$/u, '').split(', ');
  const gaps = gapsIn(pcm)
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, groups.length - 1)
    .toSorted((a, b) => a.atMs - b.atMs);
  const until = (atMs: number, count: number, lengthsMs: Pause['lengthsMs']): Pause => ({
    voice: line.voice,
    pcm: overTheLine(pcm.subarray(0, Math.round(atMs * PER_MS)), LEAD_MS, GATE_MS),
    text: groups.slice(0, count).join(' ').toLowerCase(),
    lengthsMs,
    isNumber: true,
  });
  const inside = gaps.map(({ atMs }, i) => until(atMs, i + 1, PAUSES_MS));
  return [...inside, until(pcm.length / PER_MS, groups.length, null)];
}

/** Silences inside a recording. */
function gapsIn(pcm: Int16Array): { readonly atMs: number; readonly ms: number }[] {
  const piece = PIECE_MS * PER_MS;
  const peaks = Array.from({ length: Math.floor(pcm.length / piece) }, (_, i) =>
    pcm.subarray(i * piece, (i + 1) * piece).reduce((most, sample) => Math.max(most, Math.abs(sample)), 0),
  );
  const floor = Math.max(...peaks) * QUIETER;
  const gaps: { atMs: number; ms: number }[] = [];
  let since: number | null = null;
  for (const [i, peak] of peaks.entries()) {
    if (peak <= floor) since ??= i;
    else if (since !== null) {
      gaps.push({ atMs: since * PIECE_MS, ms: (i - since) * PIECE_MS });
      since = null;
    }
  }
  return gaps;
}
