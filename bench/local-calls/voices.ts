import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createResampler, resample } from '@callwright/audio';
import { createHash } from 'node:crypto';
import { installModelServers } from '../../scripts/model-servers.ts';
import { installedModel } from '../../src/offline/models/installed.ts';

const SERVERS = join(import.meta.dirname, '../../test/model-servers/servers');
const RATE = 8000;

export interface SpokenLine {
  readonly text: string;
  readonly voice: string;
}

/** The folder of Kokoro's net and voices. Throws with the command that brings them. */
export function kokoroFolder(modelsDir: string): string {
  const model = installedModel(modelsDir, 'kokoro-v1');
  if (model === null) {
    throw new Error(`${modelsDir} holds no voices of callers: run bin/callwright models get kokoro-v1`);
  }
  return model.folder;
}

const fileOf = ({ text, voice }: SpokenLine): string => {
  const name = createHash('sha256').update(`${voice} ${text}`).digest('hex').slice(0, 24);
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  return join(cache, 'callwright', 'caller-lines', `${name}.pcm`);
};

/** Has Kokoro speak the lines that an earlier run did not; the cache of the user keeps them. */
export function synthesise(lines: readonly SpokenLine[], modelsDir: string): void {
  const folder = kokoroFolder(modelsDir);
  const missing = lines
    .map((line) => ({ ...line, file: fileOf(line) }))
    .filter(({ file }) => !existsSync(file));
  const [first] = missing;
  if (first === undefined) return;
  mkdirSync(join(first.file, '..'), { recursive: true });
  const python = join(installModelServers('callers'), 'bin/python');
  execFileSync(python, [join(SERVERS, 'caller_voices.py'), folder], {
    input: JSON.stringify(missing),
    stdio: ['pipe', 'inherit', 'inherit'],
  });
}

/** The line at 8 kHz, from its first to its last sound. */
export function onTheLine(line: SpokenLine): Int16Array {
  const bytes = readFileSync(fileOf(line));
  const wide = new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  const narrow = resample(createResampler(24_000, RATE), wide, true);
  const isLoud = (sample: number): boolean => Math.abs(sample) >= 300;
  return narrow.slice(narrow.findIndex(isLoud), narrow.findLastIndex(isLoud) + 1);
}

export interface Judgement {
  readonly words: string;
  /** DNSMOS, overall. */
  readonly mos: number;
}

/** What Whisper base hears in the recordings, and how DNSMOS rates their sound. */
export function judge(files: readonly string[]): Judgement[] {
  const python = join(installModelServers('callers'), 'bin/python');
  const answer = execFileSync(python, [join(SERVERS, 'caller_judges.py')], {
    input: JSON.stringify(files),
    stdio: ['pipe', 'pipe', 'inherit'],
    maxBuffer: 1e8,
  });
  return JSON.parse(answer.toString()) as Judgement[];
}
