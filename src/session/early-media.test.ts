import { describe, expect, it } from 'vitest';
import { specialTones } from '../../test/rigs/calls/network-sounds.ts';
import { dualTone, sineTone } from '@callwright/audio';
import type { SpecialTones } from './protocol.ts';
import { earlyMedia } from './early-media.ts';

/** What is heard in this sound at 8 kHz, every other frame of another level. */
function heardIn(...sounds: readonly Int16Array[]): readonly SpecialTones[] {
  const heard: SpecialTones[] = [];
  const sink = earlyMedia(8000, (tones) => heard.push(tones));
  let at = 0;
  for (const sound of [...sounds, new Int16Array(1600)]) {
    for (let from = 0; from + 160 <= sound.length; from += 160) {
      sink.onAudio(sound.subarray(from, from + 160), at * 8, false, at);
      at += 20;
    }
  }
  return heard;
}
const pause = (ms: number): Int16Array => new Int16Array(ms * 8);
const times = (count: number, ...cadence: readonly Int16Array[]): Int16Array[] =>
  Array.from({ length: count }, () => cadence).flat();

describe('early media', () => {
  it.each([
    ['not in service (vacant code)', specialTones([985, 380], [1371, 274], [1777, 380]), true],
    ['not in service (intercept)', specialTones([914, 274], [1371, 274], [1777, 380]), true],
    ['no circuit', specialTones([985, 380], [1429, 380], [1777, 380]), false],
    ['ITU-T E.180, of no stated reason', specialTones([950, 330], [1400, 330], [1800, 330]), false],
  ])('hears the special information tones of %s once', (_name, sound, isNumber) => {
    expect(heardIn(pause(400), sound, pause(300), sound).map((tones) => tones.isNumber)).toEqual([isNumber]);
  });

  it.each([
    ['ringing of North America', times(3, dualTone(440, 480, 2000, 8000), pause(4000))],
    ['ringing of Europe', times(3, sineTone(425, 1000, 8000), pause(4000))],
    [
      'ringing of India',
      times(3, dualTone(400, 425, 400, 8000), pause(200), dualTone(400, 425, 400, 8000), pause(2000)),
    ],
    ['busy', times(8, sineTone(425, 500, 8000), pause(500))],
    ['congestion', times(12, dualTone(480, 620, 250, 8000), pause(250))],
    ['a mailbox beep', [pause(3000), sineTone(1000, 400, 8000), pause(2000)]],
    ['falling tones', [specialTones([1777, 330], [1371, 330], [950, 330])]],
    [
      'tones far apart',
      [
        sineTone(950, 330, 8000),
        pause(2000),
        sineTone(1400, 330, 8000),
        pause(2000),
        sineTone(1800, 330, 8000),
      ],
    ],
  ])('hears none in %s', (_name, sounds) => {
    expect(heardIn(...sounds)).toEqual([]);
  });
});
