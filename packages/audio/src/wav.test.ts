import { describe, expect, it } from 'vitest';
import { parseWav, patchWavSizes, WAV_HEADER_BYTES, wavDataBytes, wavHeader, writeWav } from './wav.ts';

const FORMAT = { sampleRate: 8000, channels: 2 };

describe('WAV', () => {
  it('reads back what it writes', () => {
    const pcm = Int16Array.of(1, -1, 32767, -32768);
    expect(parseWav(writeWav(FORMAT, pcm))).toEqual({ ok: true, ...FORMAT, pcm, dataStart: 44 });
  });

  it('writes the sizes at the offsets of the format', () => {
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

  it('repairs a file truncated within a frame', () => {
    const file = writeWav(FORMAT, new Int16Array(8)).subarray(0, WAV_HEADER_BYTES + 11);
    expect(wavDataBytes(file.length, FORMAT)).toBe(8);
    expect(wavDataBytes(3, FORMAT)).toBe(0);
    const read = parseWav(file);
    expect(read.ok && read.pcm.length).toBe(4);
  });

  it('skips unknown chunks, including padded odd sizes', () => {
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
});
