import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve } from 'node:path';
import type { RecordingFile, RecordingFormat, RecordingStore } from '../../domain/calls/recordings.ts';
import { Mp3Files } from './mp3-files.ts';

/** Recordings under one folder. A path that leads out of it is treated as absent. */
export class FileRecordings implements RecordingStore {
  readonly #root: string;
  readonly #mp3s = new Mp3Files();

  constructor(root: string) {
    this.#root = resolve(root);
  }

  async open(path: string, format: RecordingFormat): Promise<RecordingFile | null> {
    const wav = this.#inside(path);
    if (wav === null || (await fileOf(wav)) === null) return null;
    return fileOf(format === 'wav' ? wav : await this.#mp3s.of(wav));
  }

  /** Ends an encoding that is under way. */
  close(): Promise<void> {
    return this.#mp3s.close();
  }

  #inside(path: string): string | null {
    const full = resolve(this.#root, path);
    const inner = relative(this.#root, full);
    return inner === '' || inner.startsWith('..') || isAbsolute(inner) ? null : full;
  }
}

async function fileOf(path: string): Promise<RecordingFile | null> {
  const stats = await stat(path).catch(() => null);
  if (stats === null || !stats.isFile()) return null;
  return {
    bytes: stats.size,
    modifiedAt: stats.mtime,
    stream: (start, end) => createReadStream(path, { start, end }),
  };
}
