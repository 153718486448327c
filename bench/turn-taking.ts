/**
 * Turn taking by the method of eot-bench: how many pauses inside a turn a detector cuts off at a mean delay of 300 ms, and its
 * delay at 5 % cut-offs. Silence only, smart-turn alone, the packages of Pipecat and LiveKit Agents, which it installs into Python
 * environments, and ours with words, pitch, pause and smart-turn, in one run; then tau2-bench's voice panel of the caller suite.
 * Run: MODELS_DIR=… npm run bench:turn-taking. `--numbers` adds numbers of unknown length by Kokoro (callwright models get
 * kokoro-v1); `--recogniser` leaves out the net that reads utterances again, and `--without-peers` the packages. `--fit` fits the weights; docs/turns.md says what `--audio folder` holds.
 */
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { END_WEIGHTS } from '@callwright/turns';
import { defaultModelsDir } from '../src/config/models-dir.ts';
import { installedModel } from '../src/offline/models/installed.ts';
import { nativeModule } from '../src/offline/models/onnx-runtime.ts';
import { earModels } from '../src/offline/words/models.ts';
import { smartTurn } from '../src/providers/turn/smart-turn.ts';
import { wholeDecoder } from '../test/helpers/audio/decode-whole.ts';
import { readAgain } from '../test/helpers/audio/read-again.ts';
import { heading, saveResult, table } from './report.ts';
import {
  cutOffsAt,
  delayAt,
  modelAlone,
  peerPoints,
  pointOf,
  silenceOnly,
  voted,
  votedAt,
  wordsAlone,
  type Point,
} from './turn-taking/curve.ts';
import { fitWeights, numberWeight } from './turn-taking/fit.ts';
import { numberPauses } from './turn-taking/numbers.ts';
import { judgedByPeers, type Peer } from './turn-taking/peers.ts';
import { loaded, observe, type Observation } from './turn-taking/observe.ts';
import { panelText } from './turn-taking/panel.ts';
import { fittedRecordings, heldOutRecordings } from './turn-taking/spoken.ts';
import { pausesOf, recordingsOf, type Pause, type Recording } from './turn-taking/turns.ts';

const { values: args } = parseArgs({
  options: {
    audio: { type: 'string', multiple: true, default: [] },
    fit: { type: 'boolean', default: false },
    words: { type: 'boolean', default: false },
    numbers: { type: 'boolean', default: false },
    recogniser: { type: 'boolean', default: false },
    'without-peers': { type: 'boolean', default: false },
    save: { type: 'boolean', default: false },
  },
});
/** Cut-offs on the audio of the fit. */
const FITTED_CUT_OFFS = 0.06;
const NUMBER_CUT_OFFS = 0.05;

const modelsDir = process.env['MODELS_DIR'] ?? defaultModelsDir(process.env, './data');
const find = (id: string) => installedModel(modelsDir, id);
const ears = earModels(find)('en-US');
const net = find('smart-turn-v3.2');
if (ears === null || net === null)
  throw new Error(`${modelsDir} lacks words or smart-turn: callwright models get smart-turn-v3.2`);
const keepAlive = setInterval(() => undefined, 1000);
const decode = wholeDecoder(ears);
const model = smartTurn({
  path: net.file('smart-turn-v3.2-cpu.onnx'),
  module: nativeModule(find),
  deadlineMs: 10_000,
});
await loaded(model);
const read = ears.reader === null || args.recogniser ? null : await readAgain(ears.reader);

/** Pauses as we and the peers see them. */
interface Observed {
  readonly observations: readonly Observation[];
  readonly peers: readonly Peer[];
}

const pausesIn = (recordings: readonly Recording[]): Pause[] =>
  recordings.flatMap((recording) => pausesOf(recording, decode));

async function compared(name: string, pauses: readonly Pause[]): Promise<Observed> {
  const observations = await observedPauses(name, pauses);
  return { observations, peers: args['without-peers'] ? [] : judgedByPeers(pauses) };
}

async function observedPauses(name: string, pauses: readonly Pause[]): Promise<Observation[]> {
  process.stderr.write(`${name}: ${pauses.length} pauses\n`);
  const observations = await observe(pauses, model, read);
  for (const { words, sound, text, lengthsMs } of args.words ? observations : []) {
    const { probability, pitch } = sound;
    const kind = lengthsMs === null ? 'end ' : 'more';
    console.log(`${kind} ${words.padEnd(10)} ${probability.toFixed(2)} ${pitch?.toFixed(1) ?? '-'} ${text}`);
  }
  return observations;
}

const percent = (share: number | null): string =>
  share === null ? 'never' : `${(share * 100).toFixed(1)} %`;
const ms = (delay: number | null): string => (delay === null ? 'never' : `${Math.round(delay)} ms`);
const row = (name: string, points: readonly Point[]): string[] => [
  name,
  percent(cutOffsAt(points, 300)),
  percent(cutOffsAt(points, 600)),
  ms(delayAt(points, 0.05)),
];

/** Rows of the curves and of the defaults of the peers that are here, and a line for each that is not. */
function peerRows({ observations, peers }: Observed): {
  readonly curves: string[][];
  readonly defaults: string[][];
  readonly notes: string[];
} {
  const [curves, defaults, notes]: [string[][], string[][], string[]] = [[], [], []];
  for (const peer of peers) {
    if ('missing' in peer) {
      notes.push(`${peer.name} is not in this run: ${peer.missing}.`, '');
      continue;
    }
    const { name, detail, threshold, judged } = peer;
    const { curve, defaults: point, unheard } = peerPoints(observations, judged);
    curves.push(row(`${name}: ${detail}`, curve));
    defaults.push([`${name}, probability ${threshold}`, percent(point.cutOffs), ms(point.delayMs)]);
    if (unheard > 0) notes.push(`${name} heard no end in ${unheard} of ${judged.length} pauses.`, '');
  }
  return { curves, defaults, notes };
}

function report(name: string, observed: Observed): string {
  const { observations } = observed;
  const ends = observations.filter(({ lengthsMs }) => lengthsMs === null).length;
  const shipped = votedAt(observations, END_WEIGHTS);
  const words = wordsAlone(observations);
  const peers = peerRows(observed);
  return [
    `## ${name}: ${ends} turns, ${observations.length - ends} pauses inside them`,
    table(
      ['', 'cut-offs at 300 ms', 'cut-offs at 600 ms', 'delay at 5 % cut-offs'],
      [
        row('silence only', silenceOnly(observations)),
        row('smart-turn alone', modelAlone(observations)),
        ...peers.curves,
        row('ours: words, pitch, pause and smart-turn', voted(observations, END_WEIGHTS)),
      ],
    ),
    'With their defaults:',
    '',
    table(
      ['', 'cut-offs', 'mean delay'],
      [
        ['ours, as calls use it', percent(shipped.cutOffs), ms(shipped.delayMs)],
        ['ours without smart-turn: the words alone', percent(words.cutOffs), ms(words.delayMs)],
        ...peers.defaults,
      ],
    ),
    ...peers.notes,
  ].join('\n');
}

/** How calls end numbers of unknown length, beside fixed silences. */
function reportNumbers(observed: Observed): string {
  const { observations } = observed;
  const peers = peerRows(observed);
  const ends = observations.filter(({ lengthsMs }) => lengthsMs === null).length;
  const rows = [
    ['as calls use it', votedAt(observations, END_WEIGHTS)],
    ['the words alone', wordsAlone(observations)],
    ['800 ms of silence', pointOf(observations, () => 800)],
    ['2,300 ms of silence', pointOf(observations, () => 2_300)],
  ] as const;
  return [
    `## Numbers of unknown length by ten voices that no weight was fitted on: ${ends} numbers, ${observations.length - ends} pauses between their groups`,
    table(
      ['', 'cut-offs', 'mean delay'],
      [...rows.map(([who, { cutOffs, delayMs }]) => [who, percent(cutOffs), ms(delayMs)]), ...peers.defaults],
    ),
    ...peers.notes,
  ].join('\n');
}

/** Of a folder, every second recording serves the fit, and the others the report. */
const halfOf = (recordings: readonly Recording[], isFit: boolean): Recording[] =>
  recordings.filter((_, i) => (i % 2 === 0) === isFit);

async function fit(): Promise<void> {
  const sets = [await observedPauses('the natural voice', pausesIn(await fittedRecordings(modelsDir)))];
  for (const folder of args.audio)
    sets.push(await observedPauses(folder, pausesIn(halfOf(recordingsOf(folder), true))));
  const weights = fitWeights(sets, FITTED_CUT_OFFS);
  console.log(weights);
  if (args.numbers) {
    const numbers = await observedPauses('numbers', numberPauses(true, modelsDir));
    console.log('number', numberWeight(numbers, END_WEIGHTS, NUMBER_CUT_OFFS));
  }
}

async function evaluate(): Promise<void> {
  const parts = [
    report(
      'Ten voices that no weight was fitted on',
      await compared('held out', pausesIn(heldOutRecordings())),
    ),
  ];
  for (const folder of args.audio) {
    const pauses = pausesIn(halfOf(recordingsOf(folder), false));
    parts.push(report(basename(folder), await compared(folder, pauses)));
  }
  if (args.numbers) parts.push(reportNumbers(await compared('numbers', numberPauses(false, modelsDir))));
  parts.push(await panelText());
  const readBy = read === null ? '' : ' and Moonshine tiny';
  const text = [
    heading('Turn taking', `smart-turn v3.2, words by Vosk small en-US 0.15${readBy}, 8 kHz G.711`),
    '',
    ...parts,
    'Whole sentences end turns; cut at the end of a word they are pauses inside turns, whose lengths follow the curve that',
    'eot-bench publishes for silence. No agent’s question is known, but that for a number. Each detector decides 200 ms after the last sound at the',
    'earliest; thresholds and silences are those that serve a detector best at each point. Pipecat and LiveKit Agents are their packages',
    'from PyPI: their own classes hear the same line at 16 kHz in frames of 20 ms, with their defaults, and their delays are those that',
    'they took. LiveKit’s detector judges inside LiveKit Agents, for which alone it is licensed; no weight of ours was fitted on its answers.',
  ].join('\n');
  console.log(text);
  if (args.save) saveResult('turn-taking', text);
}

await (args.fit ? fit() : evaluate());
await model.close();
clearInterval(keepAlive);
