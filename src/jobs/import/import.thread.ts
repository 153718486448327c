import { parentPort, workerData } from 'node:worker_threads';
import { ListRefused } from '../../domain/campaigns/import/import-plan.ts';
import { runImport } from '../../domain/campaigns/import/run-import.ts';
import { ImportNotOurs } from '../../store/campaign-imports.ts';
import { openDatabase } from '../../store/database.ts';
import type { FromThread, ToThread } from './import-protocol.ts';

/** Reads contact lists, one at a time, so that the threads that serve requests and calls do not have to. */
const { url } = workerData as { url: string };
const PROGRESS_MS = 500;

const database = openDatabase(url, { maxConnections: 1, applicationName: 'callwright import' });
const port = parentPort;
if (port === null) throw new Error('this is a worker thread');
const send = (message: FromThread): void => port.postMessage(message);

async function run({ task }: ToThread): Promise<FromThread> {
  let said = 0;
  const progress = (readBytes: number, rows: number): void => {
    const now = performance.now();
    if (now - said < PROGRESS_MS) return;
    said = now;
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

/** What an error is, without what it may quote of a list. */
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
