import { describe, expect, it } from 'vitest';
import { SpeechTrack } from './speech-track.ts';

const RATE = 8;
/** A voice of this level for so long; 0: silence with the noise of a line. */
function sound(ms: number, level: number): Int16Array {
  return Int16Array.from({ length: ms * RATE }, (_, i) =>
    level === 0 ? (i % 7) - 3 : Math.round(level * Math.sin(i / 3)),
  );
}
const trackOf = (...pieces: readonly (readonly [ms: number, level: number])[]): SpeechTrack => {
  const track = new SpeechTrack(RATE);
  for (const [ms, level] of pieces) track.push(sound(ms, level));
  return track;
};

describe('the pauses of an utterance', () => {
  it('are its silences of at least 90 ms, those at both ends too', () => {
    const track = trackOf([200, 0], [400, 8_000], [120, 0], [300, 8_000], [60, 0], [300, 8_000], [300, 0]);
    expect(track.pauses()).toEqual([
      { fromMs: 0, toMs: 200 },
      { fromMs: 600, toMs: 720 },
      { fromMs: 1_380, toMs: 1_680 },
    ]);
  });

  it('are none in audio without a voice, or in soft sounds of a voice', () => {
    expect(trackOf([500, 0]).pauses()).toEqual([]);
    expect(trackOf([400, 8_000], [200, 400], [400, 8_000]).pauses()).toEqual([]);
  });

  it('do not depend on the pieces in which the audio came', () => {
    const whole = trackOf([400, 8_000], [200, 0], [400, 8_000]);
    const pieces = new SpeechTrack(RATE);
    const pcm = Int16Array.from([...sound(400, 8_000), ...sound(200, 0), ...sound(400, 8_000)]);
    for (let at = 0; at < pcm.length; at += 33) pieces.push(pcm.subarray(at, at + 33));
    expect(pieces.pauses()).toEqual(whole.pauses());
  });

  it('are forgotten after a cut', () => {
    const track = trackOf([400, 8_000], [200, 0], [400, 8_000]);
    track.cut(500);
    track.push(sound(300, 8_000));
    expect(track.pauses()).toEqual([{ fromMs: 400, toMs: 500 }]);
  });
});
