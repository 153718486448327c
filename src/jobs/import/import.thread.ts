import { parentPort, workerData } from 'node:worker_threads';
import { ListRefused } from '../../domain/campaigns/import/import-plan.ts';
import { runImport } from '../../domain/campaigns/import/run-import.ts';
import { ImportNotOurs } from '../../store/campaigns/imports.ts';
import { setThreadPriority } from '../../shared/thread-priority.ts';
import { openDatabase } from '../../store/database.ts';
import type { ImportResult } from '../../domain/campaigns/import/run-import.ts';
import type { ImportTask } from '../../domain/campaigns/import/run-import.ts';

export interface ToThread {
  readonly task: ImportTask;
}

export type FromThread =
  | { readonly kind: 'progress'; readonly readBytes: number; readonly rows: number }
  | { readonly kind: 'ended'; readonly result: ImportResult }
  | {
      readonly kind: 'failed';
      readonly error: {
        readonly name: string;
        readonly code: string;
        readonly message: string;
        readonly trace: string;
      };
    };

/** Worker thread that reads contact lists, one at a time, off the threads that serve requests and calls. */
const { url } = workerData as { url: string };
const PROGRESS_MS = 500;

const database = openDatabase(url, { maxConnections: 1, applicationName: 'callwright import' });
setThreadPriority('bulk');
const port = parentPort;
if (port === null) throw new Error('this is a worker thread');
const send = (message: FromThread): void => port.postMessage(message);

async function run({ task }: ToThread): Promise<FromThread> {
  let sentAt = 0;
  const progress = (readBytes: number, rows: number): void => {
    const now = performance.now();
    if (now - sentAt < PROGRESS_MS) return;
    sentAt = now;
    send({ kind: 'progress', readBytes, rows });
  };
  try {
    const outcome = await runImport({ db: database.kysely, url }, task, progress);
    return { kind: 'ended', result: { kind: 'done', outcome } };
  } catch (error) {
    if (error instanceof ListRefused) {
      return { kind: 'ended', result: { kind: 'refused', problems: error.problems } };
    }
    if (error instanceof ImportNotOurs) return { kind: 'ended', result: { kind: 'not_ours' } };
    return { kind: 'failed', error: asPlain(error) };
  }
}

/** An error without its message if that could quote the contact list. */
function asPlain(error: unknown): { name: string; code: string; message: string; trace: string } {
  if (!(error instanceof Error)) return { name: typeof error, code: '', message: '', trace: '' };
  const code: unknown = (error as NodeJS.ErrnoException).code;
  const isSql = typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code);
  return {
    name: error.name,
    code: typeof code === 'string' ? code : '',
    message: isSql ? `SQLSTATE ${code}` : error.message,
    trace: (error.stack ?? '')
      .split('\n')
      .filter((line) => /^\s+at /.test(line))
      .slice(0, 8)
      .join('\n'),
  };
}

port.on('message', (message: ToThread) => void run(message).then(send));
