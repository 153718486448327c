export interface WavLayout {
  sampleRate: number;
  channels: 1 | 2;
  /** Where the samples lie in the file, in bytes. */
  dataStart: number;
  dataBytes: number;
}

/**
 * Finds format and samples in the first bytes of a 16-bit PCM WAV. A data size that a crash left at zero, or that
 * exceeds the file, is taken from the file's size. Null for anything else.
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
      if (!isPcm16 || (channels !== 1 && channels !== 2)) return null;
      format = { sampleRate: head.readUInt32LE(body + 4), channels };
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
