import { spawn } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { childEnvironment } from '../../shared/child-environment.ts';
import { wavStream } from './wav-stream.ts';

/** Events of one engine run. Exactly one of done, missing or failed ends it; after `stop` there are none. */
export type EngineEvent =
  | { readonly type: 'samples'; readonly pcm: Int16Array; readonly sampleRate: number }
  | { readonly type: 'done' }
  /** The program is not installed. */
  | { readonly type: 'missing' }
  | { readonly type: 'failed'; readonly message: string };

/** `stop` kills the engine's process and suppresses further events. */
export interface EngineRun {
  stop(): void;
}

/** Time limit of one engine process. */
export const ENGINE_TIMEOUT_MS = 10_000;
/** Longest audio accepted for one utterance, seconds. */
export const MAX_UTTERANCE_SECONDS = 180;

/** Words per minute at speed 1: a little under espeak-ng's own 175, for telephone lines. */
const WORDS_PER_MINUTE = 160;

/** espeak-ng's arguments; the text is passed on stdin, never through a shell. */
export const espeakArguments = (voice: string, speed: number): string[] => [
  '-v',
  voice,
  '-s',
  String(Math.round(Math.min(450, Math.max(80, WORDS_PER_MINUTE * speed)))),
  // Below full scale, so that resampling cannot overshoot; the level is set afterwards.
  '-a',
  '80',
  '-b',
  '1',
  '-z',
  '--stdin',
  '--stdout',
];

/** Speaks `text` in an espeak-ng process; streams samples at 22050 Hz. */
export function runEspeak(
  options: { voice: string; speed: number; text: string; command?: string },
  onEvent: (event: EngineEvent) => void,
): EngineRun {
  const child = spawn(options.command ?? 'espeak-ng', espeakArguments(options.voice, options.speed), {
    env: childEnvironment(),
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const parse = wavStream();
  let over = false;
  let left = MAX_UTTERANCE_SECONDS * 22_050;
  const timer = setTimeout(
    () => finish({ type: 'failed', message: 'espeak-ng timed out' }),
    ENGINE_TIMEOUT_MS,
  );

  const finish = (event: EngineEvent | null): void => {
    if (over) return;
    over = true;
    clearTimeout(timer);
    child.kill('SIGKILL');
    if (event !== null) onEvent(event);
  };

  child.on('error', (error) => {
    const missing = 'code' in error && error.code === 'ENOENT';
    finish(missing ? { type: 'missing' } : { type: 'failed', message: 'espeak-ng did not start' });
  });
  child.stdin.on('error', () => undefined);
  child.stdout.on('error', () => undefined);
  child.stdout.on('data', (chunk: Buffer) => {
    if (over) return;
    const piece = parse(chunk);
    if (piece.type === 'malformed') finish({ type: 'failed', message: 'espeak-ng produced malformed audio' });
    else if (piece.type === 'samples') {
      left -= piece.pcm.length;
      onEvent({ type: 'samples', pcm: piece.pcm, sampleRate: piece.sampleRate });
      if (left <= 0) finish({ type: 'done' });
    }
  });
  child.on('close', (code) => {
    finish(code === 0 ? { type: 'done' } : { type: 'failed', message: 'espeak-ng exited with an error' });
  });
  child.stdin.end(`${options.text}\n`);
  return { stop: () => finish(null) };
}

/** flite's arguments. flite seeks in its output, so text and sound are files. */
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
 * Speaks `text` with flite, which writes no sound before the whole text is synthesised. `directory` returns a private
 * scratch folder, in which `name` is unique; each file is removed after it is read.
 */
export function runFlite(
  options: {
    voice: string;
    speed: number;
    text: string;
    directory: () => string;
    name: string;
    command?: string;
  },
  onEvent: (event: EngineEvent) => void,
): EngineRun {
  const stopping = new AbortController();
  const { signal } = stopping;

  const synthesise = (textFile: string, wavFile: string): Promise<'ok' | 'missing' | 'failed'> =>
    new Promise((resolve) => {
      const child = spawn(
        options.command ?? 'flite',
        fliteArguments(options.voice, options.speed, textFile, wavFile),
        { env: childEnvironment(), stdio: 'ignore', timeout: ENGINE_TIMEOUT_MS, killSignal: 'SIGKILL' },
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

  const files: string[] = [];
  const speak = async (): Promise<EngineEvent> => {
    const directory = options.directory();
    const textFile = join(directory, `${options.name}.txt`);
    const wavFile = join(directory, `${options.name}.wav`);
    files.push(textFile, wavFile);
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await writeFile(textFile, `${options.text}\n`);
    if (signal.aborted) return { type: 'done' };
    const result = await synthesise(textFile, wavFile);
    if (signal.aborted) return { type: 'done' };
    if (result === 'missing') return { type: 'missing' };
    if (result === 'failed') return { type: 'failed', message: 'flite exited with an error' };
    const piece = wavStream()(await readFile(wavFile));
    if (piece.type === 'malformed') return { type: 'failed', message: 'flite produced malformed audio' };
    if (piece.type === 'samples' && !signal.aborted) onEvent(piece);
    return { type: 'done' };
  };

  const run = async (): Promise<void> => {
    const event = await speak().catch((): EngineEvent => {
      return { type: 'failed', message: 'cannot read or write the files of flite' };
    });
    if (!signal.aborted) onEvent(event);
    await Promise.allSettled(files.map((file) => rm(file, { force: true })));
  };
  void run();
  return { stop: () => stopping.abort() };
}
