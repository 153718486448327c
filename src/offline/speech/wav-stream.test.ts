import { describe, expect, it } from 'vitest';
import { writeWav } from '@callwright/audio';
import { wavStream, type WavPiece } from './wav-stream.ts';

const pcm = Int16Array.from({ length: 50 }, (_, i) => i * 100 - 2500);
const file = writeWav({ sampleRate: 22_050, channels: 1 }, pcm);

function read(bytes: Buffer, step: number): { samples: number[]; last: WavPiece } {
  const parse = wavStream();
  const samples: number[] = [];
  let last: WavPiece = { type: 'more' };
  for (let at = 0; at < bytes.length; at += step) {
    last = parse(bytes.subarray(at, at + step));
    if (last.type === 'samples') samples.push(...last.pcm);
  }
  return { samples, last };
}

describe('wavStream', () => {
  it.each([1, 2, 3, 7, 44, 45, 1000])('reads a stream in pieces of %i bytes', (step) => {
    expect(read(file, step).samples).toEqual([...pcm]);
  });

  it('ignores the placeholder sizes that engines write to a pipe', () => {
    const piped = Buffer.from(file);
    piped.writeUInt32LE(0x7ffff024, 4);
    piped.writeUInt32LE(0x7ffff000, 40);
    expect(read(piped, 64).samples).toEqual([...pcm]);
  });

  it('rejects formats other than 16-bit mono PCM', () => {
    const stereo = writeWav({ sampleRate: 22_050, channels: 2 }, pcm);
    expect(read(stereo, 1000).last).toEqual({ type: 'malformed', reason: 'not 16-bit mono PCM' });
    expect(read(Buffer.from('espeak: error, no such voice'), 5).last.type).toBe('malformed');
    expect(read(Buffer.concat([file.subarray(0, 36), Buffer.alloc(8000)]), 100).last.type).toBe('malformed');
  });
});
