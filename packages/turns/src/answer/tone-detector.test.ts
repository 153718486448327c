import { describe, expect, it } from 'vitest';
import { noise, RATE, voice } from '../../../audio/test/line-sounds.ts';
import { dualTone, mixInto, sineTone } from '@callwright/audio';
import { createToneDetector, stepTone } from './tone-detector.ts';

describe('the tone detector', () => {
  const heard = (pcm: Int16Array): { hz: number; ms: number }[] => {
    const detector = createToneDetector(RATE);
    const found = [];
    for (let from = 0; from + 160 <= pcm.length; from += 160) {
      const ended = stepTone(detector, pcm.subarray(from, from + 160));
      if (ended !== null) found.push(ended);
    }
    return found;
  };
  const line = (sound: Int16Array, level = 200): Int16Array => {
    const pcm = new Int16Array(noise(sound.length / 8 + 400, level));
    mixInto(pcm.subarray(200 * 8), sound, 1);
    return pcm;
  };

  it.each([400, 440, 620, 880, 1000, 1250, 1400])('finds %d Hz in line noise', (hz) => {
    const [found, ...more] = heard(line(sineTone(hz, 400, RATE, 4000)));
    expect(more).toEqual([]);
    expect(Math.abs((found?.hz ?? 0) - hz)).toBeLessThan(15);
    expect(Math.abs((found?.ms ?? 0) - 400)).toBeLessThanOrEqual(40);
  });

  it('ignores keys, two-tone ringing, voice, noise and short blips', () => {
    expect(heard(line(dualTone(697, 1209, 400, RATE)))).toEqual([]);
    expect(heard(line(dualTone(440, 480, 2000, RATE)))).toEqual([]);
    expect(heard(line(voice(8000)))).toEqual([]);
    expect(heard(noise(8000, 20_000))).toEqual([]);
    expect(heard(line(sineTone(1000, 100, RATE)))).toEqual([]);
  });
});
