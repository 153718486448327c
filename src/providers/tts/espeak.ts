import { spawn } from 'node:child_process';
import { ENGINE_TIMEOUT_MS, MAX_UTTERANCE_SECONDS, type EngineEvent, type EngineRun } from './engine.ts';
import { wavStream } from './wav-stream.ts';

/** Words per minute at speed 1: a little under espeak-ng's own 175, for telephone lines. */
const WORDS_PER_MINUTE = 160;

/** espeak-ng's arguments; the text goes in by stdin, never through a shell. */
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

/** Speaks `text` with espeak-ng as its own process; samples come as they are made, at 22050 Hz. */
export function runEspeak(
  options: { voice: string; speed: number; text: string; command?: string },
  onEvent: (event: EngineEvent) => void,
): EngineRun {
  const child = spawn(options.command ?? 'espeak-ng', espeakArguments(options.voice, options.speed), {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const parse = wavStream();
  let over = false;
  let left = MAX_UTTERANCE_SECONDS * 22_050;
  const timer = setTimeout(
    () => finish({ type: 'failed', message: 'espeak-ng took too long' }),
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
    finish(missing ? { type: 'missing' } : { type: 'failed', message: 'espeak-ng could not be started' });
  });
  child.stdin.on('error', () => undefined);
  child.stdout.on('error', () => undefined);
  child.stdout.on('data', (chunk: Buffer) => {
    if (over) return;
    const piece = parse(chunk);
    if (piece.type === 'malformed') finish({ type: 'failed', message: 'espeak-ng gave no usable audio' });
    else if (piece.type === 'samples') {
      left -= piece.pcm.length;
      onEvent({ type: 'samples', pcm: piece.pcm, sampleRate: piece.sampleRate });
      if (left <= 0) finish({ type: 'done' });
    }
  });
  child.on('close', (code) => {
    finish(code === 0 ? { type: 'done' } : { type: 'failed', message: 'espeak-ng ended with an error' });
  });
  child.stdin.end(`${options.text}\n`);
  return { stop: () => finish(null) };
}
