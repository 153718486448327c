/** Starts threads that call native code and ends them in the middle of their calls: by themselves, and from above. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { expectedGrammar } from '../../../src/offline/recogniser/grammar.ts';
import { SPHINX_MODEL } from '../../../src/offline/recogniser/stt.ts';
import { RecogniserPool } from '../../../src/offline/recogniser/pocketsphinx.ts';
import { sherpaLocalStt } from '../../../src/offline/sherpa/recogniser.ts';
import { smartTurn } from '../../../src/providers/turn/smart-turn.ts';
import { createLog } from '../../../src/shared/log.ts';
import { HostThread } from '../../../src/shared/native-threads.ts';

const STAND_IN = join(import.meta.dirname, '../audio/native-stand-in.cjs');
const ROUNDS = 6;
const SPHINX_ROUNDS = 2;
const log = createLog({ level: 'warn', pretty: false });
const rest = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const sound = (): Int16Array<ArrayBuffer> =>
  Int16Array.from({ length: 8_000 }, (_, i) => ((i * 7_919) % 4_001) - 2_000);

type End = () => Promise<void>;

/** A recogniser pool that decodes. */
function busyPool(): End {
  const commands = { fliteCommand: '/bin/false', espeakCommand: '/bin/false' };
  const pool = new RecogniserPool({ modelDirectory: SPHINX_MODEL, ...commands, threads: 1, log });
  const grammar = expectedGrammar({ kinds: ['yes_no'], phrases: [] }, []);
  for (let n = 0; n < 20; n++) pool.decode(grammar, sound(), 8000, () => undefined);
  return () => pool.close();
}

/** A streaming recogniser and a turn model that compute. */
function busyModels(folder: string): End {
  const stt = sherpaLocalStt({ modelDir: folder, languages: ['en'] }, log, STAND_IN);
  const words = { language: 'en-US', secondaryLanguage: null, sampleRate: 8000, vocab: [] } as const;
  const session = stt.open({ ...words, onEvent: () => undefined });
  const turn = smartTurn({ path: join(folder, 'model.onnx'), module: STAND_IN, log });
  const timer = setInterval(() => {
    for (let frame = 0; frame < 20; frame++) session.write(new Int16Array(160), performance.now());
    void turn.finished({ pcm: sound(), sampleRate: 8000, text: '' });
  }, 5);
  return async () => {
    clearInterval(timer);
    await Promise.all([stt.close(), turn.close()]);
  };
}

interface Round {
  readonly folder: string;
  readonly hasPool: boolean;
}
const busy = ({ folder, hasPool }: Round): readonly End[] =>
  hasPool ? [busyModels(folder), busyPool()] : [busyModels(folder)];

if (isMainThread) {
  const folder = mkdtempSync(join(tmpdir(), 'native-threads-'));
  for (const name of ['tokens.txt', 'model.onnx']) writeFileSync(join(folder, name), '');
  for (let n = 0; n < ROUNDS; n++) {
    const round: Round = { folder, hasPool: n < SPHINX_ROUNDS };
    const ends = busy(round);
    const host = new HostThread(new URL(import.meta.url), { workerData: round }, log);
    await new Promise((resolve) => host.once('message', resolve));
    await rest(60 + 40 * (n % 4));
    await Promise.all([host.terminate(), ...ends.map((end) => end())]);
  }
  rmSync(folder, { recursive: true });
} else {
  busy(workerData as Round);
  parentPort?.postMessage('busy');
}
