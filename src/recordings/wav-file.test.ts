import { describe, expect, it } from 'vitest';
import { wavHeader } from '@callwright/audio';
import { readWavLayout } from './wav-file.ts';

describe('readWavLayout', () => {
  it('reads the headers that the recorder writes', () => {
    const head = wavHeader({ sampleRate: 8000, channels: 2 }, 3200);
    expect(readWavLayout(head, 3244)).toEqual({
      sampleRate: 8000,
      channels: 2,
      dataStart: 44,
      dataBytes: 3200,
    });
  });

  it('uses the file size if the header holds zero or too large a size', () => {
    const empty = wavHeader({ sampleRate: 16_000, channels: 1 }, 0);
    expect(readWavLayout(empty, 1044)).toMatchObject({ dataBytes: 1000 });
    const cut = wavHeader({ sampleRate: 16_000, channels: 1 }, 5000);
    expect(readWavLayout(cut, 1044)).toMatchObject({ dataBytes: 1000 });
  });

  it('refuses other formats', () => {
    const head = wavHeader({ sampleRate: 8000, channels: 2 }, 8);
    head.writeUInt16LE(6, 20);
    expect(readWavLayout(head, 52)).toBeNull();
    head.writeUInt16LE(1, 20);
    head.writeUInt32LE(0, 24);
    expect(readWavLayout(head, 52)).toBeNull();
    expect(readWavLayout(Buffer.from('ID3 something else entirely'), 27)).toBeNull();
  });
});
