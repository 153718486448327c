import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { createResampler, resample } from '@callwright/audio';
import { Fields } from '@callwright/fields';
import { installPackages } from '../../scripts/model-servers.ts';
import { overTheLine } from '../../test/helpers/audio/speech.ts';
import { GATE_MS, type Pause } from './turns.ts';

/** What a peer says at a pause; null: its speech gate never opened, or never closed. Times are ms after the last sound. */
export interface PeerJudgement {
  readonly gateMs: number | null;
  readonly probability: number | null;
  readonly waitMs: number | null;
}

/** A peer with its judgement of each pause, or the reason why it is not in this run. */
export type Peer =
  | {
      /** With its version. */
      readonly name: string;
      readonly detail: string;
      /** Probability of the end that it takes for one. */
      readonly threshold: number;
      readonly judged: readonly PeerJudgement[];
    }
  | { readonly name: string; readonly missing: string };

const FOLDER = join(import.meta.dirname, 'peers');
const PEERS = { pipecat: 'Pipecat', livekit: 'LiveKit Agents' } as const;
const LINE_RATE = 8_000;
const PEER_RATE = 16_000;
/** Longer than the longest wait of a peer. */
const SILENCE_MS = 4_500;
const MOST_OUTPUT = 64 * 1024 * 1024;

/** Judges the pauses by the packages of Pipecat and LiveKit Agents, each in a Python environment of its own. */
export function judgedByPeers(pauses: readonly Pause[]): Peer[] {
  const folder = mkdtempSync(join(tmpdir(), 'turn-taking-'));
  try {
    const request = JSON.stringify({ folder, pauses: pauses.map((pause, at) => written(folder, pause, at)) });
    return (['pipecat', 'livekit'] as const).map((peer) => judgedBy(peer, request, pauses.length));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes a pause as the peers hear it: the same line, wideband, with silence until every detector has decided. */
function written(
  folder: string,
  { pcm }: Pause,
  at: number,
): { readonly file: string; readonly last_ms: number } {
  const silence = overTheLine(new Int16Array(0), 0, SILENCE_MS);
  const line = new Int16Array(pcm.length + silence.length);
  line.set(pcm);
  line.set(silence, pcm.length);
  const wide = resample(createResampler(LINE_RATE, PEER_RATE), line, true);
  const file = `${at}.raw`;
  writeFileSync(join(folder, file), Buffer.from(wide.buffer, wide.byteOffset, wide.byteLength));
  return { file, last_ms: Math.round((pcm.length * 1_000) / LINE_RATE) - GATE_MS };
}

function judgedBy(peer: keyof typeof PEERS, request: string, count: number): Peer {
  const list = join(FOLDER, `${peer}.txt`);
  const name = PEERS[peer];
  let python: string;
  try {
    python = join(installPackages(list), 'bin/python');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return {
      name,
      missing: `${reason}. A Python with venv and "pip install -r ${relative(process.cwd(), list)}" bring it`,
    };
  }
  process.stderr.write(`${name}: ${count} pauses\n`);
  const output = execFileSync(python, [join(FOLDER, `${peer}_turns.py`)], {
    input: request,
    maxBuffer: MOST_OUTPUT,
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [head, ...lines] = output
    .trimEnd()
    .split('\n')
    .map((line) => Fields.parse(line));
  if (head === undefined || lines.length !== count)
    throw new Error(`${name} judged ${lines.length} of ${count} pauses`);
  return {
    name: head.text('name'),
    detail: head.text('detail'),
    threshold: head.number('threshold') ?? 0,
    judged: lines.map((line) => ({
      gateMs: line.number('gate_ms'),
      probability: line.number('probability'),
      waitMs: line.number('wait_ms'),
    })),
  };
}
