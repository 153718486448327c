import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Block } from '../../domain/knowledge/blocks.ts';
import type { DocumentFormat } from '../../domain/knowledge/document-format.ts';
import { setProcessPriority } from '../../shared/thread-priority.ts';
import type { NewChunk } from '../../store/knowledge/chunks.ts';
import { JsonLines } from './json-lines.ts';
import { UnreadableDocument } from './zip-entries.ts';

export interface ExtractionLimits {
  readonly timeMs: number;
  /** Resident memory of the whole process. */
  readonly memoryBytes: number;
  /** Size of the extracted text. */
  readonly outputBytes: number;
}
const LIMITS: ExtractionLimits = {
  // On a busy machine, calls and requests go first.
  timeMs: 60_000,
  memoryBytes: 512 * 1024 * 1024,
  outputBytes: 16 * 1024 * 1024,
};
const WATCH_MS = 25;

const program = fileURLToPath(new URL('./extract.process.ts', import.meta.url));
const code = resolve(import.meta.dirname, '../..');
const root = resolve(code, '..');

/** The folders in which Node looks for the packages of a program: npm may put them above the program's own folder. */
function packageFolders(folder: string): string[] {
  const parent = dirname(folder);
  const own = join(folder, 'node_modules');
  return parent === folder ? [own] : [own, ...packageFolders(parent)];
}

/** Node's permission model: the process may read the program and its packages, and may not write or spawn. */
export const CONFINED: readonly string[] = [
  '--permission',
  `--allow-fs-read=${code}/*`,
  ...packageFolders(root).map((folder) => `--allow-fs-read=${folder}/*`),
  `--allow-fs-read=${root}/package.json`,
  '--no-warnings',
];

/**
 * Extracts the text blocks of a document in a sandboxed child process. Throws UnreadableDocument with a reason that may
 * be shown to the user; any other error is internal.
 */
export async function extractBlocks(
  format: DocumentFormat,
  bytes: Buffer,
  limits: Partial<ExtractionLimits> = {},
): Promise<Block[]> {
  const [answer] = await read<{ blocks: Block[] }>('blocks', format, bytes, limits);
  return answer?.blocks ?? [];
}

/** Extracts a document's text like `extractBlocks` and cuts it into stored chunks, in the same child process. */
export const extractChunks = (format: DocumentFormat, bytes: Buffer): Promise<readonly NewChunk[]> =>
  read<NewChunk>('chunks', format, bytes, {});

/** Reads the first sheet of an Excel workbook as CSV, in such a process. Throws UnreadableDocument. */
export async function extractTable(bytes: Buffer, limits: Partial<ExtractionLimits> = {}): Promise<string> {
  const [answer] = await read<{ csv: string }>('csv', 'xlsx', bytes, limits);
  return answer?.csv ?? '';
}

async function read<T extends object>(
  form: 'blocks' | 'chunks' | 'csv',
  format: DocumentFormat | 'xlsx',
  bytes: Buffer,
  limits: Partial<ExtractionLimits>,
): Promise<readonly T[]> {
  const answers = (await run([format, form], bytes, { ...LIMITS, ...limits })) as readonly (
    | T
    | { unreadable: string }
  )[];
  const [first] = answers;
  if (first !== undefined && 'unreadable' in first) throw new UnreadableDocument(first.unreadable);
  return answers as readonly T[];
}

function run(args: readonly string[], bytes: Buffer, limits: ExtractionLimits): Promise<readonly unknown[]> {
  return new Promise((done, fail) => {
    const heapMb = Math.max(64, Math.floor(limits.memoryBytes / 2 / 1024 / 1024));
    const child = spawn(process.execPath, [`--max-old-space-size=${heapMb}`, ...CONFINED, program, ...args], {
      cwd: root,
      env: {},
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    setProcessPriority(child.pid, 'bulk');
    const lines = new JsonLines();
    let size = 0;
    let refusal: string | null = null;
    const refuse = (reason: string): void => {
      refusal ??= reason;
      child.kill('SIGKILL');
    };
    const timer = setTimeout(() => refuse('takes too long to read'), limits.timeMs);
    const watch = setInterval(() => {
      void residentBytes(child.pid).then((used) => {
        if (used > limits.memoryBytes) refuse('needs more memory to read than is allowed');
      });
    }, WATCH_MS);
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limits.outputBytes) refuse('holds more text than is allowed');
      else lines.add(chunk);
    });
    // EPIPE: the child ended before it read all input.
    child.stdin.on('error', () => undefined);
    child.stdin.end(bytes);
    child.once('error', fail);
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      clearInterval(watch);
      if (refusal !== null) fail(new UnreadableDocument(refusal));
      else if (code === 0) done(Promise.resolve().then(() => lines.values()));
      // V8 aborts with SIGABRT when the heap is exhausted. Any other crash of a parser is caused by the document too.
      else if (signal === 'SIGABRT') {
        fail(new UnreadableDocument('needs more memory to read than is allowed'));
      } else if (signal === null || signal === 'SIGSEGV') fail(new UnreadableDocument('cannot be read'));
      // Killed from outside: a retry may succeed.
      else fail(new Error(`the document reader was killed by ${signal}`));
    });
  });
}

/** Resident memory of a process; 0 without /proc, where only the heap limit applies. */
async function residentBytes(pid: number | undefined): Promise<number> {
  const text = await readFile(`/proc/${pid ?? 0}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0) * 1024;
}
