import { describe, expect, it } from 'vitest';
import { writeWav } from '../../voice/audio/wav.ts';
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

  it('reads the endless sizes engines write to a pipe', () => {
    const piped = Buffer.from(file);
    piped.writeUInt32LE(0x7ffff024, 4);
    piped.writeUInt32LE(0x7ffff000, 40);
    expect(read(piped, 64).samples).toEqual([...pcm]);
  });

  it('refuses what is not 16-bit mono PCM', () => {
    const stereo = writeWav({ sampleRate: 22_050, channels: 2 }, pcm);
    expect(read(stereo, 1000).last).toEqual({ type: 'malformed', reason: 'not 16-bit mono PCM' });
    expect(read(Buffer.from('espeak: error, no such voice'), 5).last.type).toBe('malformed');
    expect(read(Buffer.concat([file.subarray(0, 36), Buffer.alloc(8000)]), 100).last.type).toBe('malformed');
  });

  it('never throws on mutated streams and stays bounded', () => {
    let state = 12_345;
    const next = (limit: number): number => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return Math.floor((state / 4_294_967_296) * limit);
    };
    let malformed = 0;
    for (let round = 0; round < 20_000; round++) {
      const mutated = Buffer.from(file);
      for (let i = 0; i <= next(4); i++) mutated[next(60)] = next(256);
      const { samples, last } = read(mutated, 1 + next(60));
      if (last.type === 'malformed') malformed++;
      expect(samples.length).toBeLessThanOrEqual(mutated.length / 2);
    }
    expect(malformed).toBeGreaterThan(1000);
  });
});
