import { createGunzip, createGzip, type Gunzip, type Gzip } from 'node:zlib';
import { freeBytes } from '../../../shared/free-bytes.ts';

/** Largest unpacked size of a piece, bytes. */
const MAX_PIECE_BYTES = 16 * 1024 * 1024;

/** Compresses one piece of a file on the thread pool. */
export const packPiece = (bytes: Buffer | string): Promise<Buffer> =>
  through(createGzip({ level: 1 }), bytes);

/** Decompresses one piece. Throws RangeError when it exceeds the largest size. */
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
