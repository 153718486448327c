import { open } from 'node:fs/promises';
import { patchWavSizes, wavDataBytes, WAV_HEADER_BYTES } from '../voice/audio/wav.ts';
import { readWavLayout } from './wav-layout.ts';

/**
 * Tells the header of a recording that was cut off how much was written. Doing it again changes nothing. Null when
 * the file is not there or holds no audio.
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
