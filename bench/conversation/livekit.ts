import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../reference/livekit-agents');

/** LiveKit Agents is installed beside the bench (reference/livekit-agents/README.md). */
export const hasLivekit = existsSync(join(FOLDER, 'node_modules/@livekit/agents'));

export interface LivekitOptions {
  readonly calls: number;
  readonly seconds: number;
  readonly sttMs: number;
  readonly llmMs: number;
  readonly ttsMs: number;
  readonly profile: 'default' | 'fast';
  readonly script: 'questions' | 'interruptions' | 'backchannels';
  /** The recogniser has each word this long after it begins. */
  readonly partialMs: number;
}

const SCRIPTS = {
  questions: [],
  interruptions: ['--barge', '1', '--cycle', '12000'],
  backchannels: ['--backchannels', '1', '--cycle', '34000'],
} as const;

/** Runs the same script through LiveKit Agents, headless, in its own process; its last line is the figures. */
export async function runLivekit(options: LivekitOptions): Promise<any> {
  const { calls, seconds, sttMs, llmMs, ttsMs, profile, script, partialMs } = options;
  const numbers = { sessions: calls, seconds, stt: sttMs, llm: llmMs, tts: ttsMs, partial: partialMs };
  const flags = Object.entries(numbers).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const child = spawn(
    process.execPath,
    ['lk_bench.mjs', '--profile', profile, ...flags, ...SCRIPTS[script]],
    {
      cwd: FOLDER,
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  await new Promise((resolve) => child.once('exit', resolve));
  return JSON.parse(out.trim().split('\n').at(-1) ?? '{}');
}
