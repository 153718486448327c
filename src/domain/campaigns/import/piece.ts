import { createGunzip, createGzip, type Gunzip, type Gzip } from 'node:zlib';
import { freeBytes } from '../../../shared/free-bytes.ts';

/** No piece is larger when it is whole again. */
const MAX_PIECE_BYTES = 16 * 1024 * 1024;

/** Packs one piece of a file, away from this thread. */
export const packPiece = (bytes: Buffer | string): Promise<Buffer> =>
  through(createGzip({ level: 1 }), bytes);

/** Unpacks one piece of a file. Throws RangeError where it is larger than any piece. */
export const unpackPiece = (content: Buffer): Promise<Buffer> => through(createGunzip(), content);

async function through(stream: Gzip | Gunzip, bytes: Buffer | string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  stream.end(bytes);
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_PIECE_BYTES) throw new RangeError(`a piece of more than ${MAX_PIECE_BYTES} bytes`);
    chunks.push(chunk);
  }
  const whole = Buffer.concat(chunks);
  chunks.forEach(freeBytes);
  return whole;
}
