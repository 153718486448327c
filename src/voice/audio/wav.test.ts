import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseWav, patchWavSizes, WAV_HEADER_BYTES, wavDataBytes, wavHeader, writeWav } from './wav.ts';

const FORMAT = { sampleRate: 8000, channels: 2 };

describe('WAV', () => {
  it('reads back what it writes', () => {
    const pcm = Int16Array.of(1, -1, 32767, -32768);
    expect(parseWav(writeWav(FORMAT, pcm))).toEqual({ ok: true, ...FORMAT, pcm, dataStart: 44 });
  });

  it('has the sizes where players look for them', () => {
    const header = wavHeader(FORMAT, 1000);
    expect([
      header.readUInt32LE(4),
      header.readUInt32LE(28),
      header.readUInt16LE(32),
      header.readUInt32LE(40),
    ]).toEqual([1036, 32_000, 4, 1000]);
    patchWavSizes(header, 2000);
    expect([header.readUInt32LE(4), header.readUInt32LE(40)]).toEqual([2036, 2000]);
    patchWavSizes(header, 2 ** 33);
    expect(header.readUInt32LE(40)).toBe(0xffffffff);
  });

  it('repairs a file that was cut off in the middle of a frame', () => {
    const file = writeWav(FORMAT, new Int16Array(8)).subarray(0, WAV_HEADER_BYTES + 11);
    expect(wavDataBytes(file.length, FORMAT)).toBe(8);
    expect(wavDataBytes(3, FORMAT)).toBe(0);
    const read = parseWav(file);
    expect(read.ok && read.pcm.length).toBe(4);
  });

  it('skips chunks it does not know, odd sizes padded', () => {
    const plain = writeWav({ sampleRate: 16_000, channels: 1 }, Int16Array.of(5, 6));
    const extra = Buffer.from('LIST\x03\0\0\0abc\0', 'latin1');
    const read = parseWav(Buffer.concat([plain.subarray(0, 36), extra, plain.subarray(36)]));
    expect(read.ok && [...read.pcm]).toEqual([5, 6]);
  });

  it.each([
    ['', 'not a WAV file'],
    ['RIFF....WAVE', 'no data chunk'],
    ['RIFF....WAVEdata\0\0\0\0', 'data before format'],
    ['RIFF....WAVEfmt \x04\0\0\0aaaa', 'bad format chunk'],
    [`RIFF....WAVEfmt \x10\0\0\0\x06\0\x01\0\x40\x1f\0\0${'\0'.repeat(6)}\x08\0`, 'not PCM'],
    [`RIFF....WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0${'\0'.repeat(6)}\x08\0`, 'not 16 bits'],
    [`RIFF....WAVEfmt \x10\0\0\0\x01\0\0\0\x40\x1f\0\0${'\0'.repeat(6)}\x10\0`, 'bad channel count'],
    [`RIFF....WAVEfmt \x10\0\0\0\x01\0\x01\0\0\0\0\0${'\0'.repeat(6)}\x10\0`, 'bad sample rate'],
  ])('refuses %j', (text, reason) => {
    expect(parseWav(Buffer.from(text, 'latin1'))).toEqual({ ok: false, reason });
  });

  it('takes mutated files without throwing', () => {
    const whole = writeWav(FORMAT, new Int16Array(40));
    const edits = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 6 });
    fc.assert(
      fc.property(edits, fc.nat(whole.length), (changes, length) => {
        const file = Buffer.from(whole);
        for (const [at, value] of changes) file[at] = value;
        const read = parseWav(file.subarray(0, length));
        expect(read.ok ? read.pcm.length * 2 : 0).toBeLessThanOrEqual(length);
      }),
      { numRuns: 3000, seed: 11 },
    );
  });
});
