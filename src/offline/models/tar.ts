import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

const BLOCK = 512;

/** Reads a gzipped tar file (npm packs so) and calls `take` with the content of each plain file, one after the other. */
export async function readTar(
  path: string,
  isWanted: (name: string) => boolean,
  take: (name: string, content: Readable) => Promise<void>,
): Promise<void> {
  const packed = createReadStream(path);
  const gunzip = createGunzip();
  packed.on('error', (error) => gunzip.destroy(error));
  let held: Buffer = Buffer.alloc(0);
  const chunks = packed.pipe(gunzip)[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  /** Up to `most` bytes; empty: the end. */
  const read = async (most: number): Promise<Buffer> => {
    if (held.length === 0) {
      const next = await chunks.next();
      if (next.done === true) return held;
      held = next.value;
    }
    const part = held.subarray(0, most);
    held = held.subarray(part.length);
    return part;
  };
  const exactly = async (bytes: number): Promise<Buffer> => {
    const parts: Buffer[] = [];
    for (let left = bytes; left > 0;) {
      const part = await read(left);
      if (part.length === 0) break;
      parts.push(part);
      left -= part.length;
    }
    return Buffer.concat(parts);
  };
  async function* content(bytes: number): AsyncGenerator<Buffer> {
    for (let left = bytes; left > 0;) {
      const part = await read(left);
      if (part.length === 0) return;
      left -= part.length;
      yield part;
    }
  }
  for (;;) {
    const header = await exactly(BLOCK);
    if (header.length < BLOCK || header[0] === 0) return;
    const text = (from: number, to: number): string => header.toString('utf8', from, to).split('\0')[0] ?? '';
    const prefix = text(345, 500);
    const name = prefix === '' ? text(0, 100) : `${prefix}/${text(0, 100)}`;
    const bytes = Number.parseInt(text(124, 136), 8) || 0;
    const isFile = header[156] === 0x30 || header[156] === 0;
    if (isFile && isWanted(name)) await take(name, Readable.from(content(bytes)));
    else for await (const _ of content(bytes));
    await exactly((BLOCK - (bytes % BLOCK)) % BLOCK);
  }
}
