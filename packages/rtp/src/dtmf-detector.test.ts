import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { voice } from '../../audio/test/line-sounds.ts';
import { decodeUlawTo, encodeUlawTo } from '@callwright/audio';
import { createDtmfDetector, stepDtmf } from './dtmf-detector.ts';
import { writeDtmfTone } from './dtmf-tone.ts';

const EVENTS = '0123456789*#ABCD';
const silence = (ms: number): Int16Array => new Int16Array(ms * 8);
function tone(key: string, ms: number, gain = 0.5): Int16Array {
  const pcm = new Int16Array(ms * 8);
  writeDtmfTone(pcm, EVENTS.indexOf(key), 0, 8000);
  return pcm.map((sample) => sample * gain);
}

/** Keys found in the sounds, which are joined and cut into frames. */
function found(sounds: readonly Int16Array[]): string {
  const all = Int16Array.from(sounds.flatMap((sound) => [...sound]));
  const detector = createDtmfDetector();
  let keys = '';
  for (let at = 0; at + 160 <= all.length; at += 160)
    keys += stepDtmf(detector, all.subarray(at, at + 160)) ?? '';
  return keys;
}

describe('keys as tones', () => {
  it('are found once each, wherever the frames begin, at every usual level', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...Array.from(EVENTS)), { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 0, max: 19 }),
        fc.integer({ min: 65, max: 200 }),
        fc.integer({ min: 65, max: 200 }),
        fc.constantFrom(0.05, 0.2, 0.5, 1),
        (keys, offsetMs, toneMs, gapMs, gain) => {
          const sounds = keys.flatMap((key) => [tone(key, toneMs, gain), silence(gapMs)]);
          expect(found([silence(offsetMs), ...sounds, silence(100)])).toBe(keys.join(''));
        },
      ),
    );
  });

  it('survive µ-law and tones that are 1 % off', () => {
    const pcm = tone('7', 100);
    const [bytes, coded] = [new Uint8Array(pcm.length), new Int16Array(pcm.length)];
    encodeUlawTo(bytes, 0, pcm);
    decodeUlawTo(coded, bytes);
    expect(found([coded, silence(80)])).toBe('7');
    const off = Int16Array.from({ length: 800 }, (_, i) =>
      Math.round(
        5_000 *
          (Math.sin((2 * Math.PI * 852 * 1.01 * i) / 8000) +
            Math.sin((2 * Math.PI * 1209 * 0.99 * i) / 8000)),
      ),
    );
    expect(found([off, silence(80)])).toBe('7');
  });

  it('are not found in speech, noise, silence, or one tone', () => {
    expect(found([voice(10_000)])).toBe('');
    let state = 1;
    const noise = Int16Array.from({ length: 80_000 }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return (state / 4_294_967_296 - 0.5) * 20_000;
    });
    expect(found([noise, silence(1_000)])).toBe('');
    const single = Int16Array.from(
      { length: 8_000 },
      (_, i) => 9_000 * Math.sin((2 * Math.PI * 941 * i) / 8000),
    );
    expect(found([single])).toBe('');
  });
});

describe('keys as tones', () => {
  it('recognises keys that a peer without telephone-event sends as tones', () => {
    const detector = createDtmfDetector();
    const pcm = new Int16Array(160);
    let heard = '';
    for (const event of [7, 7, 11]) {
      for (let n = 0; n < 8; n++) {
        if (n < 5) writeDtmfTone(pcm, event, n * 160, 8000);
        heard += stepDtmf(detector, n < 5 ? pcm : new Int16Array(160)) ?? '';
      }
    }
    expect(heard).toBe('77#');
  });
});
