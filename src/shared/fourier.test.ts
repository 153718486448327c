import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Fourier } from './fourier.ts';

/** By the definition. */
function spectrumOf(signal: readonly (readonly [number, number])[]): [number, number][] {
  return signal.map((_, k) => {
    let [re, im] = [0, 0];
    for (const [n, [x, y]] of signal.entries()) {
      const angle = (-2 * Math.PI * k * n) / signal.length;
      re += x * Math.cos(angle) - y * Math.sin(angle);
      im += x * Math.sin(angle) + y * Math.cos(angle);
    }
    return [re, im];
  });
}

describe('the Fourier transform', () => {
  it.each([1, 2, 3, 5, 12, 60, 400])('of %i samples is the one of the definition', (size) => {
    const fourier = new Fourier(size);
    const part = fc.double({ min: -1, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.array(fc.tuple(part, part), { minLength: size, maxLength: size }), (signal) => {
        for (let i = 0; i < size; i++) {
          const [x, y] = signal[fourier.order[i]!]!;
          fourier.re[i] = x;
          fourier.im[i] = y;
        }
        fourier.transform();
        for (const [k, [re, im]] of spectrumOf(signal).entries()) {
          expect(Math.abs(fourier.re[k]! - re)).toBeLessThan(1e-9 * size);
          expect(Math.abs(fourier.im[k]! - im)).toBeLessThan(1e-9 * size);
        }
      }),
      { numRuns: size > 100 ? 5 : 30 },
    );
  });

  it('refuses a length with another prime factor', () => {
    expect(() => new Fourier(14)).toThrow('14 has a prime factor other than 2, 3 and 5');
  });
});
