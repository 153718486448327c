import { spawn } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ENGINE_TIMEOUT_MS, type EngineEvent, type EngineRun } from './engine.ts';
import { speechClauses } from './spoken-text.ts';
import { wavStream } from './wav-stream.ts';

/** flite's arguments: it seeks in its output, so both text and sound go through files. */
export const fliteArguments = (voice: string, speed: number, textFile: string, wavFile: string): string[] => [
  '-voice',
  voice,
  '--setf',
  `duration_stretch=${(1 / speed).toFixed(3)}`,
  '-f',
  textFile,
  '-o',
  wavFile,
];

/**
 * Speaks `text` with flite, clause by clause, so that the first sound does not wait for the whole. `directory`
 * is the caller's own scratch folder and `name` unique in it; files are removed as soon as they are read.
 */
export function runFlite(
  options: { voice: string; speed: number; text: string; directory: string; name: string; command?: string },
  onEvent: (event: EngineEvent) => void,
): EngineRun {
  const textFile = join(options.directory, `${options.name}.txt`);
  const wavFile = join(options.directory, `${options.name}.wav`);
  const stopping = new AbortController();
  const { signal } = stopping;

  const speakClause = (): Promise<'ok' | 'missing' | 'failed'> =>
    new Promise((resolve) => {
      const child = spawn(
        options.command ?? 'flite',
        fliteArguments(options.voice, options.speed, textFile, wavFile),
        { stdio: 'ignore', timeout: ENGINE_TIMEOUT_MS, killSignal: 'SIGKILL' },
      );
      const kill = (): void => void child.kill('SIGKILL');
      signal.addEventListener('abort', kill, { once: true });
      child.on('error', (error) =>
        resolve('code' in error && error.code === 'ENOENT' ? 'missing' : 'failed'),
      );
      child.on('close', (code) => {
        signal.removeEventListener('abort', kill);
        resolve(code === 0 ? 'ok' : 'failed');
      });
    });

  const speak = async (): Promise<EngineEvent> => {
    for (const clause of speechClauses(options.text)) {
      await writeFile(textFile, `${clause}\n`);
      const result = await speakClause();
      if (signal.aborted) break;
      if (result === 'missing') return { type: 'missing' };
      if (result === 'failed') return { type: 'failed', message: 'flite ended with an error' };
      const piece = wavStream()(await readFile(wavFile));
      if (signal.aborted) break;
      if (piece.type === 'malformed') return { type: 'failed', message: 'flite gave no usable audio' };
      if (piece.type === 'samples') onEvent(piece);
    }
    return { type: 'done' };
  };

  const run = async (): Promise<void> => {
    const event = await speak().catch((): EngineEvent => {
      return { type: 'failed', message: 'flite files could not be used' };
    });
    await Promise.allSettled([rm(textFile, { force: true }), rm(wavFile, { force: true })]);
    if (!signal.aborted) onEvent(event);
  };
  void run();
  return { stop: () => stopping.abort() };
}
