/**
 * Whether a noise filter helps the recogniser: wrong words of twenty lines of callers (`--all`: forty) with hiss and a room of people behind
 * them, without a filter, with speexdsp at the default level and with DTLN, in one run.
 * Run: MODELS_DIR=… npm run bench:noise
 */
import { parseArgs } from 'node:util';
import { defaultModelsDir } from '../src/config/models-dir.ts';
import { installedModel } from '../src/offline/models/installed.ts';
import { earModels } from '../src/offline/words/models.ts';
import { openNoiseFilter } from '../src/providers/noise/speex.ts';
import { nativeModule } from '../src/offline/models/onnx-runtime.ts';
import { nativeOnnx } from '../src/shared/onnx.ts';
import { callerLines } from '../test/helpers/audio/caller-lines.ts';
import { wholeDecoder } from '../test/helpers/audio/decode-whole.ts';
import { overG711 } from '../test/helpers/audio/spoken-line.ts';
import { wordErrorRate } from '../test/helpers/audio/word-errors.ts';
import { Dtln } from './noise/dtln.ts';
import { babble, hiss, mixed } from './noise/noises.ts';
import { heading, saveResult, table } from './report.ts';

const { values: args } = parseArgs({
  options: { all: { type: 'boolean', default: false }, save: { type: 'boolean', default: false } },
});
const FRAME = 160;
/** Every other ten lines are left out without `--all`. */
const TEN = 10;
/** The default of noise_suppression_level. */
const LEVEL = 80;
const LEAD = 4_000;
const TAIL = 1_600;

const modelsDir = process.env['MODELS_DIR'] ?? defaultModelsDir(process.env, './data');
const find = (id: string) => installedModel(modelsDir, id);
const ears = earModels(find)('en-US');
const nets = find('dtln');
if (ears === null || nets === null)
  throw new Error(`${modelsDir} lacks words or DTLN: callwright models get dtln`);
const decode = wholeDecoder(ears);
const dtln = await Dtln.load(nativeOnnx(nativeModule(find)), [
  nets.file('model_1.onnx'),
  nets.file('model_2.onnx'),
]);

function speex(pcm: Int16Array): Int16Array {
  const filter = openNoiseFilter(8_000, LEVEL);
  if (filter === null) throw new Error('libspeexdsp is not installed');
  const out = pcm.slice();
  for (let at = 0; at + FRAME <= out.length; at += FRAME) filter.process(out.subarray(at, at + FRAME));
  filter.close();
  return out;
}

type Filter = (pcm: Int16Array) => Promise<Int16Array>;
const FILTERS: readonly (readonly [name: string, apply: Filter])[] = [
  ['none', (pcm) => Promise.resolve(pcm)],
  ['speexdsp', (pcm) => Promise.resolve(speex(pcm))],
  ['DTLN', (pcm) => dtln.clean(pcm)],
];

// Half a second of noise before the words, as in a call: filters learn it there.
const lines = callerLines()
  .filter((_, i) => args.all || Math.floor(i / TEN) % 2 === 0)
  .map(({ text, pcm }) => {
    const padded = new Int16Array(LEAD + pcm.length + TAIL);
    padded.set(pcm, LEAD);
    return { text, pcm: padded };
  });
const spokenIn = (pcm: Int16Array): Int16Array => pcm.subarray(LEAD, pcm.length - TAIL);
const crowd = lines.slice(0, 8).map(({ pcm }) => spokenIn(pcm));
const NOISES = [
  ['hiss', hiss],
  ['people', (length: number) => babble(length, crowd)],
] as const;

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
const rows: string[][] = [];
const seconds = new Map<string, number>();
let spoken = 0;

async function compare(name: string, noisy: (pcm: Int16Array) => Int16Array): Promise<void> {
  const heard = lines.map(({ pcm }) => overG711(noisy(pcm)));
  spoken += heard.reduce((sum, pcm) => sum + pcm.length, 0) / 8_000;
  const row = [name];
  for (const [filter, apply] of FILTERS) {
    const before = process.cpuUsage();
    const cleaned = await Promise.all(heard.map((pcm) => apply(pcm)));
    const { user, system } = process.cpuUsage(before);
    seconds.set(filter, (seconds.get(filter) ?? 0) + (user + system) / 1e6);
    const pairs = cleaned.map((pcm, i) => ({ said: lines[i]?.text ?? '', heard: decode(pcm).text }));
    row.push(percent(wordErrorRate(pairs)));
  }
  process.stderr.write(`${row.join('  ')}\n`);
  rows.push(row);
}

await compare('clean', (pcm) => pcm);
for (const [name, noise] of NOISES) {
  for (const db of [15, 5, 0]) {
    await compare(`${name} at ${db} dB`, (pcm) => mixed(pcm, spokenIn(pcm), noise(pcm.length), db));
  }
}
const text = [
  heading(
    'Noise filters and the recogniser',
    `wrong words of ${lines.length} lines of callers, Vosk small en-US 0.15, 8 kHz G.711`,
  ),
  table(['', ...FILTERS.map(([name]) => name)], rows),
  `Of a core: ${FILTERS.slice(1)
    .map(([name]) => `${name} ${percent((seconds.get(name) ?? 0) / spoken)}`)
    .join(
      ', ',
    )}. speexdsp at noise_suppression_level ${LEVEL}. The noise relative to the spoken part of the line.`,
].join('\n');
console.log(text);
if (args.save) saveResult('noise', text);
