import { open } from 'node:fs/promises';
import { WAV_HEADER_BYTES, patchWavSizes, wavDataBytes } from '@callwright/audio';

export interface WavLayout {
  sampleRate: number;
  channels: 1 | 2;
  /** Byte offset of the samples. */
  dataStart: number;
  dataBytes: number;
}

/**
 * Reads format and sample range from the first bytes of a 16-bit PCM WAV file. A data size of zero (left by a crash) or
 * beyond the end of the file is replaced by the file's size. Null for any other format.
 */
export function readWavLayout(head: Buffer, fileBytes: number): WavLayout | null {
  if (
    head.length < 12 ||
    head.toString('latin1', 0, 4) !== 'RIFF' ||
    head.toString('latin1', 8, 12) !== 'WAVE'
  ) {
    return null;
  }
  let format: Pick<WavLayout, 'sampleRate' | 'channels'> | null = null;
  for (let at = 12; at + 8 <= head.length;) {
    const id = head.toString('latin1', at, at + 4);
    const size = head.readUInt32LE(at + 4);
    const body = at + 8;
    if (id === 'fmt ' && body + 16 <= head.length) {
      const channels = head.readUInt16LE(body + 2);
      const isPcm16 = head.readUInt16LE(body) === 1 && head.readUInt16LE(body + 14) === 16;
      const sampleRate = head.readUInt32LE(body + 4);
      if (!isPcm16 || sampleRate === 0 || (channels !== 1 && channels !== 2)) return null;
      format = { sampleRate, channels };
    }
    if (id === 'data') {
      const rest = Math.max(0, fileBytes - body);
      return format === null
        ? null
        : { ...format, dataStart: body, dataBytes: size === 0 ? rest : Math.min(size, rest) };
    }
    at = body + size + (size % 2);
  }
  return null;
}

/**
 * Writes the actual sizes into the header of a recording that a crash cut off. Idempotent. Null if the file does not
 * exist or holds no audio.
 */
export async function repairWav(path: string): Promise<{ durationMs: number; bytes: number } | null> {
  const file = await open(path, 'r+').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw error;
  });
  if (file === null) return null;
  try {
    const { size } = await file.stat();
    const header = Buffer.alloc(WAV_HEADER_BYTES);
    const { bytesRead } = await file.read(header, 0, header.length, 0);
    const layout = bytesRead < header.length ? null : readWavLayout(header, size);
    if (layout === null) return null;
    const dataBytes = wavDataBytes(size, layout);
    if (dataBytes === 0) return null;
    patchWavSizes(header, dataBytes);
    await file.write(header, 0, header.length, 0);
    await file.datasync();
    const frames = dataBytes / (layout.channels * 2);
    return {
      durationMs: Math.round((frames / layout.sampleRate) * 1000),
      bytes: dataBytes + WAV_HEADER_BYTES,
    };
  } finally {
    await file.close();
  }
}
