import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wavHeader } from '../voice/audio/wav.ts';
import { readWavLayout } from './wav-layout.ts';

describe('readWavLayout', () => {
  it('reads the headers the recorder writes', () => {
    const head = wavHeader({ sampleRate: 8000, channels: 2 }, 3200);
    expect(readWavLayout(head, 3244)).toEqual({
      sampleRate: 8000,
      channels: 2,
      dataStart: 44,
      dataBytes: 3200,
    });
  });

  it('takes the size from the file where a crash left none, or too much', () => {
    const empty = wavHeader({ sampleRate: 16_000, channels: 1 }, 0);
    expect(readWavLayout(empty, 1044)).toMatchObject({ dataBytes: 1000 });
    const cut = wavHeader({ sampleRate: 16_000, channels: 1 }, 5000);
    expect(readWavLayout(cut, 1044)).toMatchObject({ dataBytes: 1000 });
  });

  it('refuses other formats', () => {
    const head = wavHeader({ sampleRate: 8000, channels: 2 }, 8);
    head.writeUInt16LE(6, 20);
    expect(readWavLayout(head, 52)).toBeNull();
    expect(readWavLayout(Buffer.from('ID3 something else entirely'), 27)).toBeNull();
  });

  it('answers any bytes', () => {
    const header = wavHeader({ sampleRate: 8000, channels: 2 }, 100);
    const mutated = fc
      .array(fc.tuple(fc.nat(43), fc.nat(255)), { maxLength: 6 })
      .map((changes) => changes.reduce((b, [at, byte]) => (b.writeUInt8(byte, at), b), Buffer.from(header)));
    const noise = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes));
    fc.assert(
      fc.property(fc.oneof(mutated, noise), (head) => {
        const layout = readWavLayout(head, 144);
        expect(
          layout === null || layout.dataStart + layout.dataBytes <= Math.max(144, layout.dataStart),
        ).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });
});
