/**
 * Parses the WAV stream of an engine: 16-bit mono PCM; the `data` size is ignored, because engines write placeholders to a
 * pipe. Feed chunks in order; for any other stream every call returns `malformed`.
 */
export type WavPiece =
  | { readonly type: 'more' }
  | { readonly type: 'samples'; readonly sampleRate: number; readonly pcm: Int16Array }
  | { readonly type: 'malformed'; readonly reason: string };

/** Engines write shorter headers. */
const MAX_HEADER_BYTES = 4096;
const MIN_RATE = 8000;
const MAX_RATE = 48_000;

export function wavStream(): (chunk: Buffer) => WavPiece {
  let header: Buffer = Buffer.alloc(0);
  let odd: Buffer = Buffer.alloc(0);
  let sampleRate = 0;
  let failure: WavPiece | null = null;

  const samples = (bytes: Buffer): WavPiece => {
    const whole = odd.length === 0 ? bytes : Buffer.concat([odd, bytes]);
    const count = whole.length >> 1;
    odd = whole.subarray(count * 2);
    if (count === 0) return { type: 'more' };
    const pcm = new Int16Array(count);
    for (let i = 0; i < count; i++) pcm[i] = whole.readInt16LE(i * 2);
    return { type: 'samples', sampleRate, pcm };
  };

  return (chunk) => {
    if (failure !== null) return failure;
    if (sampleRate > 0) return samples(chunk);
    header = Buffer.concat([header, chunk]);
    const found = readHeader(header);
    if (found.type === 'malformed') {
      failure = found;
      return failure;
    }
    if (found.type === 'more') {
      if (header.length < MAX_HEADER_BYTES) return found;
      failure = { type: 'malformed', reason: 'no audio data in the first bytes' };
      return failure;
    }
    sampleRate = found.sampleRate;
    const rest = header.subarray(found.dataAt);
    header = Buffer.alloc(0);
    return samples(rest);
  };
}

type Header =
  | { readonly type: 'more' }
  | { readonly type: 'malformed'; readonly reason: string }
  | { readonly type: 'found'; readonly sampleRate: number; readonly dataAt: number };

function readHeader(bytes: Buffer): Header {
  if (bytes.length < 12) return { type: 'more' };
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WAVE') {
    return { type: 'malformed', reason: 'not a WAV stream' };
  }
  let sampleRate = 0;
  let at = 12;
  while (at + 8 <= bytes.length) {
    const name = bytes.toString('latin1', at, at + 4);
    const size = bytes.readUInt32LE(at + 4);
    if (name === 'data') {
      if (sampleRate === 0) return { type: 'malformed', reason: 'data before format' };
      return { type: 'found', sampleRate, dataAt: at + 8 };
    }
    if (name === 'fmt ') {
      if (size < 16) return { type: 'malformed', reason: 'short format chunk' };
      if (at + 24 > bytes.length) return { type: 'more' };
      const [format, channels] = [bytes.readUInt16LE(at + 8), bytes.readUInt16LE(at + 10)];
      sampleRate = bytes.readUInt32LE(at + 12);
      if (format !== 1 || channels !== 1 || bytes.readUInt16LE(at + 22) !== 16) {
        return { type: 'malformed', reason: 'not 16-bit mono PCM' };
      }
      if (sampleRate < MIN_RATE || sampleRate > MAX_RATE) {
        return { type: 'malformed', reason: 'sample rate out of range' };
      }
    }
    if (size > MAX_HEADER_BYTES) return { type: 'malformed', reason: 'oversized chunk' };
    at += 8 + size + (size & 1);
  }
  return { type: 'more' };
}
