/**
 * Detectors: no alarm on the clean calls of the caller suite, held by whole sessions in virtual time, in four languages and with
 * each kind of recogniser; and precision and recall on 400 rehearsed calls and on
 * 400 of the suite, 240 of which have an injected fault.
 *
 * npm run bench:detectors -- [--seeds 3] [--save]
 */
import { parseArgs } from 'node:util';
import { detect } from '../src/rehearsal/detect/detect.ts';
import { storyOf } from '../src/rehearsal/detect/story.ts';
import { timingOf } from '../src/rehearsal/play/timing.ts';
import { rehearse } from '../src/rehearsal/run.ts';
import { shippedParts } from '../test/helpers/agents/rehearsed.ts';
import { ENGINES, holdSuite, type VirtualCall } from '../test/rigs/callers/virtual/suite.ts';
import { judgeInjected, precisionOf, recallOf, type Injected } from '../test/rigs/rehearsal/injected.ts';
import { boundsText, heading, saveResult, table, type Bound } from './report.ts';

const { values: args } = parseArgs({
  options: { seeds: { type: 'string', default: '3' }, save: { type: 'boolean', default: false } },
});
const REHEARSED = 400;
const FAULTY = 30;
const CLEAN_CALLS = 180;
const LEAST = 0.95;
const SEED = 3;

const begunAt = performance.now();
const held: VirtualCall[] = [];
for (const engines of ENGINES)
  for (let seed = 1; seed <= Number(args.seeds); seed++) held.push(...(await holdSuite(engines, seed)));
const seconds = Math.round((performance.now() - begunAt) / 1_000);
const alarms = held.flatMap(({ id, seed, engines, alarms: found }) =>
  found.map(
    ({ detector, at, detail }) =>
      `- ${id}, seed ${seed}, ${engines.ears} and ${engines.vad}: ${detector} at ${(at / 1_000).toFixed(1)} s, ${detail}`,
  ),
);

const parts = shippedParts();
const run = { parts, seed: SEED, timing: timingOf('usual') };
const rehearsed = await Promise.all(Array.from({ length: REHEARSED }, (_, call) => rehearse(run, call)));
const stories = rehearsed.map(({ played }) => storyOf(played.settings, played.events));
const clean = stories.filter((story) => detect(story).length === 0);
const injected = judgeInjected(clean, REHEARSED, FAULTY);
// The detector of promises reads English.
const english = held.filter(({ language }) => language === 'en-US').map(({ story }) => story);
const inSuite = judgeInjected(english, REHEARSED, FAULTY);
const counts = [injected, inSuite].flatMap((each) => [...each.counts.values()]);
const precisions = counts.map(precisionOf);
const recalls = counts.map(recallOf);
const isWhole = [injected, inSuite].every(({ calls }) => calls === REHEARSED);

const EARS = { turns: 'ends turns', words: 'words every 300 ms', utterances: 'whole utterances' } as const;
const languages = [...new Set(held.map(({ language }) => language))];
const cell = (calls: readonly VirtualCall[]): string =>
  `${calls.length}, ${calls.reduce((sum, call) => sum + call.alarms.length, 0)}`;
const rows = ENGINES.map((engines) => {
  const calls = held.filter((call) => call.engines === engines);
  const of = languages.map((language) => cell(calls.filter((call) => call.language === language)));
  return [EARS[engines.ears], engines.vad, cell(calls), ...of];
});
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
const injectedTable = ({ counts }: Injected): string =>
  table(
    ['detector', 'found', 'missed', 'wrong alarms', 'precision', 'recall'],
    [...counts].map(([name, count]) => [
      name,
      String(count.right),
      String(count.missed),
      String(count.wrong),
      percent(precisionOf(count)),
      percent(recallOf(count)),
    ]),
  );
const bounds: Bound[] = [
  {
    text: `alarms on clean calls of the caller suite: ${alarms.length} in ${held.length}; bound 0 in at least ${CLEAN_CALLS}`,
    holds: alarms.length === 0 && held.length >= CLEAN_CALLS,
  },
  {
    text: `precision on ${REHEARSED} calls of each kind: at least ${percent(Math.min(...precisions))} each; bound 95 %`,
    holds: isWhole && precisions.every((share) => share >= LEAST),
  },
  {
    text: `recall on ${REHEARSED} calls of each kind: at least ${percent(Math.min(...recalls))} each; bound 95 %`,
    holds: recalls.every((share) => share >= LEAST),
  },
];
const text = [
  heading('Detectors', `${held.length} calls of the caller suite in virtual time, held in ${seconds} s`),
  '',
  'Calls and alarms, by how the recogniser hands out words, by speech gate and by language:',
  table(['recogniser', 'speech gate', 'all', ...languages], rows),
  ...alarms,
  `Faults injected into ${clean.length} rehearsed calls in which the detectors find nothing:`,
  injectedTable(injected),
  'The same faults in the English calls of the caller suite. A caller who says "um" there asks for time, after which detectors allow a',
  'silence and the question again:',
  injectedTable(inSuite),
  boundsText(bounds),
  '',
  'Each clean call is one whole session with its speech gate, recogniser of coded words, scripted model and voice over a line',
  'without packets. `npm run suite:callers` searches the same scripts over SIP and RTP in real time.',
].join('\n');
console.log(text);
if (args.save) saveResult('detectors', text);
process.exitCode = bounds.every(({ holds }) => holds) ? 0 : 1;
