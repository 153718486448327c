import { describe, expect, it } from 'vitest';
import { createVadProvider } from '../../../../src/providers/vad/provider.ts';
import { dualTone } from '@callwright/audio';
import { createMusicDetector, stepMusic } from './music-detector.ts';

const CHORDS = [
  [0, 4, 7],
  [9, 12, 16],
  [5, 9, 12],
  [7, 11, 14],
];

/** Chords with a melody over them, a new one each beat. */
function music(ms: number, beatMs: number, root: number): Int16Array {
  return Int16Array.from({ length: ms * 8 }, (_, i) => {
    const at = i / 8;
    const chord = CHORDS[Math.floor(at / beatMs) % CHORDS.length] ?? [];
    const note = (semitones: number): number => root * 2 ** (semitones / 12);
    const melody = 2 * note(chord[Math.floor(at / (beatMs / 2)) % 3] ?? 0);
    const tone = (hz: number): number => Math.sin((2 * Math.PI * hz * i) / 8000);
    const sum = chord.reduce(
      (all, semitones) => all + tone(note(semitones)) + tone(2 * note(semitones)) / 4,
      0,
    );
    return (750 * (sum + tone(melody))) / Math.exp((1.5 * (at % beatMs)) / 1000);
  });
}

function noise(ms: number, peak: number): Int16Array {
  let state = 1;
  return Int16Array.from({ length: ms * 8 }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state / 4_294_967_296 - 0.5) * 2 * peak;
  });
}

/** When the sound is taken for music, ms; null: never. `isSpeech`: what a voice detector says of it. */
function foundAt(pcm: Int16Array, isSpeech?: boolean): number | null {
  const vad = createVadProvider().open(8000);
  const detector = createMusicDetector(8000);
  for (let from = 0; from + 160 <= pcm.length; from += 160) {
    const frame = pcm.slice(from, from + 160);
    const probability = isSpeech === undefined ? vad.process(frame) : Number(isSpeech);
    if (stepMusic(detector, frame, probability)) return from / 8;
  }
  return null;
}

describe('the music detector', () => {
  it.each([
    [400, 220],
    [600, 262],
    [800, 147],
  ])('finds chords of %d ms over %d Hz within 4 s', (beatMs, root) => {
    expect(foundAt(music(6_000, beatMs, root))).toBeLessThan(4_000);
  });

  it('takes neither noise nor ringing nor speech for music', () => {
    expect(foundAt(noise(8_000, 2_000))).toBeNull();
    const ringing = new Int16Array(8 * 12_000);
    for (const at of [0, 6_000]) ringing.set(dualTone(440, 480, 2_000, 8000), at * 8);
    expect(foundAt(ringing)).toBeNull();
    expect(foundAt(music(6_000, 400, 220), true)).toBeNull();
  });
});
