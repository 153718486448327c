import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readFile, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

export interface Written {
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * Writes a new file that only its owner can read, through `between`; resolves with what was written. `from` opens the source
 * when its errors are awaited: the error of a file that is gone must reject, not end the process.
 */
export async function writeHashed(
  path: string,
  from: () => Readable,
  ...between: Transform[]
): Promise<Written> {
  const hash = createHash('sha256');
  let bytes = 0;
  const measure = new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await pipeline([from(), ...between, measure, createWriteStream(path, { mode: 0o600, flags: 'wx' })]);
  return { bytes, sha256: hash.digest('hex') };
}

export async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** The lines of a file, one at a time. */
export const linesOf = (path: string): AsyncIterable<string> =>
  createInterface({ input: createReadStream(path), crlfDelay: Infinity });

/** The names in a folder; none when it does not exist. */
export const namesIn = (folder: string): Promise<string[]> =>
  readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });

/** Names of a folder of recordings that hold no recording. */
export const DISK_NAME = '.disk';
const WITHOUT_RECORDINGS = new Set([DISK_NAME, '.part']);

export const hasRecordings = async (folder: string): Promise<boolean> =>
  (await namesIn(folder)).some((name) => !WITHOUT_RECORDINGS.has(name));

/** The name of a recordings folder, which the rows of its recordings refer to; null: it has none. */
export const diskNameOf = (recordings: string): Promise<string | null> =>
  readFile(join(recordings, DISK_NAME), 'utf8').then(
    (text) => text.trim(),
    () => null,
  );
