import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ModelError } from './model-error.ts';

export interface Written {
  readonly bytes: number;
  readonly sha256: string;
}

/** Writes streams one after the other into a file and flushes it to the disk; more than `most` bytes are an error. */
export async function writeHashed(
  parts: readonly (() => Promise<Readable>)[],
  path: string,
  most: number,
): Promise<Written> {
  await mkdir(dirname(path), { recursive: true });
  const hash = createHash('sha256');
  let bytes = 0;
  for (const [i, part] of parts.entries()) {
    const measure = new Transform({
      transform(chunk: Buffer, _, done) {
        bytes += chunk.length;
        hash.update(chunk);
        if (bytes > most)
          done(new ModelError('wrong', `${path} has more than ${most} bytes`, 'get it again'));
        else done(null, chunk);
      },
    });
    await pipeline(
      await part(),
      measure,
      createWriteStream(path, { flags: i === 0 ? 'w' : 'a', flush: true }),
    );
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** The SHA-256 of a file; null: it cannot be read. */
export async function hashOfFile(path: string): Promise<string | null> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 }))
      hash.update(chunk as Buffer);
    return hash.digest('hex');
  } catch {
    return null;
  }
}
