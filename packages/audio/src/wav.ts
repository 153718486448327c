/** WAV files of 16-bit PCM: header writing, repair of truncated files, and a capped reader. */
export const WAV_HEADER_BYTES = 44;

export interface WavFormat {
  sampleRate: number;
  channels: number;
}

/** The 44-byte header of `dataBytes` of 16-bit PCM; sizes saturate at what 32 bits hold. */
export function wavHeader(format: WavFormat, dataBytes: number): Buffer {
  const header = Buffer.alloc(WAV_HEADER_BYTES);
  header.write('RIFF', 0, 'latin1');
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(format.channels, 22);
  header.writeUInt32LE(format.sampleRate, 24);
  header.writeUInt32LE(format.sampleRate * format.channels * 2, 28);
  header.writeUInt16LE(format.channels * 2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36, 'latin1');
  patchWavSizes(header, dataBytes);
  return header;
}

/** Sets the two sizes in a header that `wavHeader` made, for data of this many bytes. */
export function patchWavSizes(header: Buffer, dataBytes: number): void {
  header.writeUInt32LE(Math.min(0xffffffff, dataBytes + WAV_HEADER_BYTES - 8), 4);
  header.writeUInt32LE(Math.min(0xffffffff, dataBytes), 40);
}

/** Data bytes of the whole sample frames in a truncated file. */
export const wavDataBytes = (fileBytes: number, format: WavFormat): number => {
  const data = Math.max(0, fileBytes - WAV_HEADER_BYTES);
  return data - (data % (format.channels * 2));
};

/** A whole WAV file of interleaved PCM. */
export function writeWav(format: WavFormat, pcm: Int16Array): Buffer {
  const file = Buffer.alloc(WAV_HEADER_BYTES + pcm.length * 2);
  wavHeader(format, pcm.length * 2).copy(file);
  for (let i = 0; i < pcm.length; i++) file.writeInt16LE(pcm[i] as number, WAV_HEADER_BYTES + i * 2);
  return file;
}

export type WavResult =
  | ({ ok: true; pcm: Int16Array; /** Where the samples lie in the file. */ dataStart: number } & WavFormat)
  | { ok: false; reason: string };

const MAX_WAV_BYTES = 512 * 1024 * 1024;
const MAX_CHUNKS = 256;
const EXTENSIBLE = 0xfffe;
const fail = (reason: string): WavResult => ({ ok: false, reason });

/**
 * Reads a 16-bit PCM WAV file. Unknown chunks are skipped; a data size that runs past the file (a recording that
 * was cut off) is taken to the end. Never throws.
 */
export function parseWav(file: Buffer): WavResult {
  if (file.length > MAX_WAV_BYTES) return fail('too large');
  if (
    file.length < 12 ||
    file.toString('latin1', 0, 4) !== 'RIFF' ||
    file.toString('latin1', 8, 12) !== 'WAVE'
  ) {
    return fail('not a WAV file');
  }
  let format: WavFormat | null = null;
  let at = 12;
  for (let chunk = 0; chunk < MAX_CHUNKS && at + 8 <= file.length; chunk++) {
    const name = file.toString('latin1', at, at + 4);
    const size = file.readUInt32LE(at + 4);
    const start = at + 8;
    if (name === 'fmt ') {
      if (size < 16 || start + 16 > file.length) return fail('bad format chunk');
      const encoding = file.readUInt16LE(start);
      const channels = file.readUInt16LE(start + 2);
      const sampleRate = file.readUInt32LE(start + 4);
      if (encoding !== 1 && encoding !== EXTENSIBLE) return fail('not PCM');
      if (file.readUInt16LE(start + 14) !== 16) return fail('not 16 bits');
      if (channels < 1 || channels > 8) return fail('bad channel count');
      if (sampleRate < 4000 || sampleRate > 192_000) return fail('bad sample rate');
      format = { sampleRate, channels };
    } else if (name === 'data') {
      if (!format) return fail('data before format');
      const bytes = Math.min(size, file.length - start);
      const samples = Math.floor(bytes / (format.channels * 2)) * format.channels;
      const pcm = new Int16Array(samples);
      for (let i = 0; i < samples; i++) pcm[i] = file.readInt16LE(start + i * 2);
      return { ok: true, ...format, pcm, dataStart: start };
    }
    // Chunks are padded to an even length.
    at = start + size + (size % 2);
  }
  return fail('no data chunk');
}
