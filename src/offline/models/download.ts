import { open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { ModelError } from './model-error.ts';

export interface DownloadOptions {
  /** More bytes than this are not what was asked for. */
  readonly mostBytes: number;
  readonly onBytes: (done: number, total: number | null) => void;
  readonly signal: AbortSignal;
  /** A connection without a byte for so long is over. */
  readonly stallMs: number;
}
/** A download that got further is continued this often before it fails. */
const MOST_ATTEMPTS = 5;

/**
 * Fetches a URL into a file. What an earlier attempt left is continued, if the server still has the same version of it.
 * The address comes from the catalogue or from MODELS_MIRROR, never from a user of the API.
 */
export async function download(url: string, path: string, options: DownloadOptions): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const before = await sizeOf(path);
    try {
      await fetchRest(url, path, before, options);
      await rm(versionFile(path), { force: true });
      return;
    } catch (error) {
      if (options.signal.aborted) throw new ModelError('stopped', 'the download was stopped', 'get it again');
      if (!(error instanceof ModelError)) throw error;
      const isCut = error.kind === 'unreachable' || error.kind === 'stalled';
      const gotFurther = (await sizeOf(path)) > before;
      if (!isCut || !gotFurther || attempt === MOST_ATTEMPTS) throw error;
    }
  }
}

const versionFile = (path: string): string => `${path}.version`;

async function fetchRest(url: string, path: string, have: number, options: DownloadOptions): Promise<void> {
  const { mostBytes, onBytes, signal, stallMs } = options;
  const { host } = new URL(url);
  const version = have > 0 ? await readFile(versionFile(path), 'utf8').catch(() => '') : '';
  const stalled = new AbortController();
  let timer = setTimeout(() => stalled.abort(), stallMs);
  const alive = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => stalled.abort(), stallMs);
  };
  const cut = (error: unknown): ModelError => {
    if (error instanceof ModelError) return error;
    if (stalled.signal.aborted) {
      return new ModelError(
        'stalled',
        `${host} sent nothing for ${stallMs / 1000} s`,
        'get it again: it continues',
      );
    }
    return new ModelError(
      'unreachable',
      `${host} ${reasonOf(error)}`,
      'check the network, then get it again: it continues',
    );
  };
  try {
    const response = await fetch(url, {
      signal: AbortSignal.any([signal, stalled.signal]),
      // The strong version makes the server send the whole file when it changed meanwhile.
      headers: version === '' ? {} : { range: `bytes=${have}-`, 'if-range': version },
    }).catch((error: unknown) => {
      throw cut(error);
    });
    const isRest = response.status === 206 && startOf(response) === have;
    if (!response.ok || response.body === null || (response.status === 206 && !isRest)) {
      await response.body?.cancel();
      if (version !== '') await rm(path, { force: true });
      throw new ModelError(
        'refused',
        `${host} answered with ${response.status}`,
        'another source or a mirror may have it',
      );
    }
    const length = Number(response.headers.get('content-length') ?? Number.NaN);
    const from = isRest ? have : 0;
    const total = Number.isFinite(length) ? from + length : null;
    if (total !== null && total > mostBytes) {
      await response.body.cancel();
      throw new ModelError(
        'wrong',
        `${host} has a file of ${total} bytes, which is not this one`,
        'another source or a mirror may have it',
      );
    }
    await writeFile(
      versionFile(path),
      response.headers.get('etag') ?? response.headers.get('last-modified') ?? '',
    );
    const file = await open(path, isRest ? 'a' : 'w');
    let done = from;
    try {
      const reader = response.body.getReader();
      for (;;) {
        const chunk = await reader.read().catch((error: unknown) => {
          throw cut(error);
        });
        if (chunk.done) break;
        alive();
        done += chunk.value.length;
        if (done > mostBytes) {
          await reader.cancel();
          throw new ModelError(
            'wrong',
            `${host} sends more than ${mostBytes} bytes`,
            'another source or a mirror may have it',
          );
        }
        await file.writeFile(chunk.value);
        onBytes(done, total);
      }
    } finally {
      await file.close();
    }
    if (total !== null && done < total) throw cut(new Error('closed the connection'));
  } finally {
    clearTimeout(timer);
  }
}

const startOf = (response: Response): number | null => {
  const match = /^bytes (\d+)-/.exec(response.headers.get('content-range') ?? '');
  return match === null ? null : Number(match[1]);
};

const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );

function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: NodeJS.ErrnoException };
  const code = cause?.code ?? '';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'is not found (name look-up)';
  if (code === 'ECONNREFUSED' || code === 'EHOSTUNREACH' || code === 'ENETUNREACH')
    return 'cannot be reached';
  return 'closed the connection';
}
