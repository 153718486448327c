import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Block } from '../../domain/knowledge/blocks.ts';
import type { DocumentFormat } from '../../domain/knowledge/document-format.ts';
import { UnreadableDocument } from './zip-entries.ts';

export interface ExtractionLimits {
  readonly timeMs: number;
  /** Of the whole process, code included. */
  readonly memoryBytes: number;
  /** Of the text that comes out. */
  readonly outputBytes: number;
}
const LIMITS: ExtractionLimits = {
  timeMs: 30_000,
  memoryBytes: 512 * 1024 * 1024,
  outputBytes: 16 * 1024 * 1024,
};
const WATCH_MS = 25;

const program = join(import.meta.dirname, `extract.process${import.meta.filename.slice(-3)}`);
const code = resolve(import.meta.dirname, '../..');
const root = resolve(code, '..');

/** What takes a process its rights: it reads the program and its packages, starts nothing and writes nothing. */
export const CONFINED: readonly string[] = [
  '--permission',
  `--allow-fs-read=${code}/*`,
  `--allow-fs-read=${root}/node_modules/*`,
  `--allow-fs-read=${root}/package.json`,
  '--no-warnings',
];

/**
 * Reads a document in a process of its own that can do nothing else. Throws UnreadableDocument with a reason fit to
 * be shown; other errors are ours.
 */
export async function extractBlocks(
  format: DocumentFormat,
  bytes: Buffer,
  limits: Partial<ExtractionLimits> = {},
): Promise<Block[]> {
  const output = await run(format, bytes, { ...LIMITS, ...limits });
  const answer = JSON.parse(output) as { blocks: Block[] } | { unreadable: string };
  if ('unreadable' in answer) throw new UnreadableDocument(answer.unreadable);
  return answer.blocks;
}

function run(format: DocumentFormat, bytes: Buffer, limits: ExtractionLimits): Promise<string> {
  return new Promise((done, fail) => {
    const heapMb = Math.max(64, Math.floor(limits.memoryBytes / 2 / 1024 / 1024));
    const child = spawn(process.execPath, [`--max-old-space-size=${heapMb}`, ...CONFINED, program, format], {
      cwd: root,
      env: {},
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const chunks: Buffer[] = [];
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
      else chunks.push(chunk);
    });
    // A child that ends early does not read the rest.
    child.stdin.on('error', () => undefined);
    child.stdin.end(bytes);
    child.once('error', fail);
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      clearInterval(watch);
      if (refusal !== null) fail(new UnreadableDocument(refusal));
      else if (code === 0) done(Buffer.concat(chunks).toString('utf8'));
      // Out of heap ends in SIGABRT; what else a parser dies of is the document's doing as well.
      else if (signal === 'SIGABRT') {
        fail(new UnreadableDocument('needs more memory to read than is allowed'));
      } else if (signal === null || signal === 'SIGSEGV') fail(new UnreadableDocument('cannot be read'));
      // Ended from outside: another attempt may be left in peace.
      else fail(new Error(`the reader was ended by ${signal}`));
    });
  });
}

/** Memory a process holds; 0 where the system does not tell, and its heap limit alone counts. */
async function residentBytes(pid: number | undefined): Promise<number> {
  const text = await readFile(`/proc/${pid ?? 0}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0) * 1024;
}
