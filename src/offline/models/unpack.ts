import { rm } from 'node:fs/promises';
import { isAbsolute, join, normalize } from 'node:path';
import { ModelError } from './model-error.ts';
import { writeHashed } from './write-hashed.ts';
import { zipEntries, zipStream } from './zip.ts';

/** A model has no more files, and they are together no larger. */
const MOST_FILES = 1000;
const MOST_BYTES = 4_000_000_000;

/** Unpacks a zip file into a folder, without the one folder around its content, and deletes it. */
export async function unpack(archive: string, folder: string): Promise<void> {
  const entries = await zipEntries(archive);
  const tops = new Set(entries.map(({ name }) => name.split('/')[0]));
  const skipped = tops.size === 1 && entries.every(({ name }) => name.includes('/')) ? 1 : 0;
  const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  if (entries.length > MOST_FILES || bytes > MOST_BYTES) {
    throw new ModelError(
      'wrong',
      'the archive holds too much for a model',
      'another source or a mirror may have it',
    );
  }
  for (const entry of entries) {
    const name = normalize(entry.name.split('/').slice(skipped).join('/'));
    if (isAbsolute(name) || name.startsWith('..') || name.includes('\\')) {
      throw new ModelError('wrong', `the archive has a path outside: ${name}`, 'another source may have it');
    }
    await writeHashed([() => zipStream(archive, entry)], join(folder, name), entry.bytes);
  }
  await rm(archive);
}
