import { parentPort, workerData } from 'node:worker_threads';
import { ListRefused } from '../../domain/campaigns/import/import-plan.ts';
import { runImport } from '../../domain/campaigns/import/run-import.ts';
import { ImportNotOurs } from '../../store/campaigns/imports.ts';
import { setThreadPriority } from '../../shared/thread-priority.ts';
import { link } from '../../shared/threads/remote.ts';
import { openDatabase } from '../../store/database.ts';
import type { ImportResult } from '../../domain/campaigns/import/run-import.ts';
import type { ImportTask } from '../../domain/campaigns/import/run-import.ts';

/** A thread that reads contact lists. */
export interface ImportApi {
  /** Rejects with an error whose message quotes nothing of the list. */
  run(task: ImportTask): Promise<ImportResult>;
}
export interface ImportEvents {
  progress(readBytes: number, rows: number): void;
}

/** Worker thread that reads contact lists, one at a time, off the threads that serve requests and calls. */
const { url } = workerData as { url: string };
const PROGRESS_MS = 500;

const database = openDatabase(url, { maxConnections: 1, applicationName: 'callwright import' });
setThreadPriority('bulk');
const port = parentPort;
if (port === null) throw new Error('this is a worker thread');
const ends = link<ImportEvents, never, ImportApi>(port);

async function run(task: ImportTask): Promise<ImportResult> {
  let sentAt = 0;
  const progress = (readBytes: number, rows: number): void => {
    const now = performance.now();
    if (now - sentAt < PROGRESS_MS) return;
    sentAt = now;
    ends.remote.send.progress(readBytes, rows);
  };
  try {
    return { kind: 'done', outcome: await runImport({ db: database.kysely, url }, task, progress) };
  } catch (error) {
    if (error instanceof ListRefused) return { kind: 'refused', problems: error.problems };
    if (error instanceof ImportNotOurs) return { kind: 'not_ours' };
    throw plain(error);
  }
}

/** An error without its message if that could quote the contact list. */
function plain(error: unknown): Error {
  if (!(error instanceof Error)) {
    return Object.assign(new Error(''), { name: typeof error, code: '', stack: '' });
  }
  const code: unknown = (error as NodeJS.ErrnoException).code;
  const isSql = typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code);
  const stack = (error.stack ?? '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 8)
    .join('\n');
  return Object.assign(new Error(isSql ? `SQLSTATE ${code}` : error.message), {
    name: error.name,
    code: typeof code === 'string' ? code : '',
    stack,
  });
}

ends.serve({ api: { run } });
