/**
 * Rehearsal by sound: whether calls by text and by sound judge the same, and how many calls run at once in real time.
 *
 * npm run bench:rehearsal-sound -- [--seeds 2] [--at-once 8] [--load 100] [--recognisers given,phrases] [--part agreement|load]
 * [--save]. The recogniser `words` has the models of MODELS_DIR.
 */
import { parseArgs } from 'node:util';
import { seatsOfMachine } from '../src/app/sound-rehearsal.ts';
import { AgentFinder } from '../src/cli/rehearse/agents.ts';
import { readScenarios } from '../src/cli/rehearse/files.ts';
import { panelOf, type Interaction } from '../src/rehearsal/judge/interaction.ts';
import { timingOf } from '../src/rehearsal/play/timing.ts';
import { rehearse, type RehearsedResult } from '../src/rehearsal/run.ts';
import { RECOGNISERS, type RecogniserName } from '../src/rehearsal/sound/recognisers.ts';
import { rehearseBySound } from '../src/rehearsal/sound/sound-run.ts';
import { Studio } from '../src/rehearsal/sound/studio.ts';
import { boundsText, heading, saveResult, table, type Bound } from './report.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '2' },
    'at-once': { type: 'string', default: '8' },
    load: { type: 'string', default: '100' },
    recognisers: { type: 'string', default: 'given,phrases' },
    part: { type: 'string', default: 'all' },
    save: { type: 'boolean', default: false },
  },
});
const SEEDS = Number(values.seeds);
const AT_ONCE = Number(values['at-once']);
const LOAD = Number(values.load);
const recognisers = RECOGNISERS.toReversed().filter((name) => values.recognisers.split(',').includes(name));
const MODELS_DIR = process.env['MODELS_DIR'] ?? null;
const studioOf = (recogniser: RecogniserName): Promise<Studio> =>
  Studio.open({ recogniser, modelsDir: recogniser === 'words' ? MODELS_DIR : null });
/** More callers than a recogniser of this machine can hear would be heard late. */
const seatsOf = (recogniser: RecogniserName): Promise<number> =>
  recogniser === 'words' && MODELS_DIR !== null
    ? seatsOfMachine(recogniser, MODELS_DIR)
    : Promise.resolve(AT_ONCE);
/** A frame that leaves later than this is missed by the far side, whose jitter buffer holds 60 ms. */
const LATE_MS = 60;

const finder = new AgentFinder('.');
const parts = readScenarios([]).map((scenario) => ({ scenario, agent: finder.find(scenario.agent ?? '') }));
const numbers = (count: number): number[] => Array.from({ length: count }, (_, call) => call);

interface Agreement {
  readonly recogniser: RecogniserName;
  readonly sound: readonly Interaction[];
  readonly text: readonly Interaction[];
  readonly expectations: number;
  readonly same: number;
  readonly different: readonly string[];
}

/** The expectations of every scenario, by text and by sound. */
async function agreementOf(recogniser: RecogniserName): Promise<Agreement> {
  const fit = await seatsOf(recogniser);
  const studio = await studioOf(recogniser);
  let expectations = 0;
  let same = 0;
  const different: string[] = [];
  const bySound: Interaction[] = [];
  const byText: Interaction[] = [];
  for (let seed = 1; seed <= SEEDS; seed++) {
    const run = { parts, seed, calls: numbers(parts.length), atOnce: AT_ONCE, seats: () => fit };
    for (const { judged } of await rehearseBySound(run, studio)) {
      const text = await rehearse({ parts, seed, timing: timingOf('offline') }, judged.call);
      bySound.push(judged.interaction);
      byText.push(text.judged.interaction);
      const { name, expect } = parts[judged.scenario]!.scenario;
      for (const [at, expectation] of expect.entries()) {
        expectations += 1;
        const [sound, words] = [judged.verdicts[at], text.judged.verdicts[at]];
        if (sound !== undefined && sound.result === words?.result) same += 1;
        else different.push(`${name}, ${expectation.type}: ${judged.failure ?? sound?.reason ?? ''}`);
      }
    }
  }
  await studio.close();
  return { recogniser, expectations, same, different, sound: bySound, text: byText };
}

/** The figures of tau2-bench's voice panel. */
function panelRow(name: string, calls: readonly Interaction[]): string[] {
  const { responseRate, responseMs, yieldRate, yieldMs, agentInterruptionRate, backchannelRate } =
    panelOf(calls);
  const share = (value: number | null): string => (value === null ? '-' : value.toFixed(2));
  const seconds = (ms: number | null): string => (ms === null ? '-' : `${(ms / 1_000).toFixed(2)} s`);
  return [
    name,
    share(responseRate),
    seconds(responseMs),
    share(yieldRate),
    seconds(yieldMs),
    share(agentInterruptionRate),
    share(backchannelRate),
  ];
}

/** Figures that tau2-bench publishes for its airline tasks. Its yield rate is the share of interruptions at which the agent stops. */
const PUBLISHED = [
  ['tau2-bench: LiveKit cascade (nova-3, gpt-4.1, aura)', '0.77', '4.40 s', '-', '0.88 s', '0.71', '0.75'],
];

interface Load {
  readonly recogniser: RecogniserName;
  readonly results: readonly RehearsedResult[];
  readonly minutes: number;
  readonly cores: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** As many calls at once; the processor time is that of this process, whose voices are ready. */
async function loadOf(recogniser: RecogniserName): Promise<Load> {
  const studio = await studioOf(recogniser);
  const run = { parts, seed: 1, calls: numbers(LOAD), atOnce: LOAD };
  let before = process.cpuUsage();
  let begunAt = performance.now();
  const onReady = (): void => {
    studio.wheel.resetLateness();
    before = process.cpuUsage();
    begunAt = performance.now();
  };
  const results = await rehearseBySound({ ...run, onReady }, studio);
  const wallMs = performance.now() - begunAt;
  const { user, system } = process.cpuUsage(before);
  const { p50Ms, p99Ms } = studio.lateness();
  await studio.close();
  return {
    recogniser,
    results,
    minutes: wallMs / 60_000,
    cores: (user + system) / 1_000 / wallMs,
    p50Ms,
    p99Ms,
  };
}

const bounds: Bound[] = [];
const texts: string[] = [];
const percent = (part: number, of: number): string => `${((part / of) * 100).toFixed(1)} %`;

if (values.part !== 'load') {
  const found: Agreement[] = [];
  for (const recogniser of recognisers) found.push(await agreementOf(recogniser));
  texts.push(
    '## Text and sound',
    table(
      ['Recogniser', 'Expectations', 'Judged the same'],
      found.map(({ recogniser, expectations, same }) => [
        recogniser,
        String(expectations),
        `${same} (${percent(same, expectations)})`,
      ]),
    ),
    '## Turn taking, by the panel of tau2-bench',
    table(
      [
        'Calls',
        'Turns answered',
        'after',
        'Interruptions that stop the agent',
        'after',
        'Turns talked over',
        'Murmurs after which the agent goes on',
      ],
      [
        ...found.flatMap(({ recogniser, sound, text }) => [
          panelRow(`by sound, ${recogniser}`, sound),
          ...(recogniser === 'given' ? [panelRow('by text', text)] : []),
        ]),
        ...PUBLISHED,
      ],
    ),
    'The published row is of other tasks and a model in a data centre; here the built-in engine replies.',
    '',
    '## What differs',
    '',
    ...found.flatMap(({ recogniser, different }) => different.map((each) => `- ${recogniser}: ${each}`)),
    '',
  );
  // Callers by text are understood word by word: of the recognisers, only the one that is given the words is as good.
  for (const { same, expectations } of found.filter(({ recogniser }) => recogniser === 'given'))
    bounds.push({
      text: `text and sound agree on at least 95 % of the expectations: ${percent(same, expectations)}`,
      holds: same / expectations >= 0.95,
    });
}
if (values.part !== 'agreement') {
  const loads: Load[] = [];
  for (const recogniser of recognisers) loads.push(await loadOf(recogniser));
  texts.push(
    `## ${LOAD} calls at once`,
    table(
      ['Recogniser', 'Calls', 'Not played', 'Passed', 'Minutes', 'Cores', 'Frames late, median', '99 %'],
      loads.map(({ recogniser, results, minutes, cores, p50Ms, p99Ms }) => [
        recogniser,
        String(results.length),
        String(results.filter(({ judged }) => judged.failure !== null).length),
        String(
          results.filter(
            ({ judged }) =>
              judged.failure === null && judged.verdicts.every(({ result }) => result === 'held'),
          ).length,
        ),
        minutes.toFixed(1),
        cores.toFixed(2),
        `${p50Ms} ms`,
        `${p99Ms} ms`,
      ]),
    ),
  );
  for (const { results, p99Ms } of loads.filter(({ recogniser }) => recogniser === 'given'))
    bounds.push({
      text: `${LOAD} calls at once in real time: 99 % of the frames leave within ${LATE_MS} ms, and every call is played: ${p99Ms} ms`,
      holds: p99Ms <= LATE_MS && results.every(({ judged }) => judged.failure === null),
    });
}
const text = [
  heading(
    'Rehearsal by sound',
    `${parts.length} scenarios, ${SEEDS} seeds, ${AT_ONCE} calls at once for the agreement`,
  ),
  '',
  ...texts,
  boundsText(bounds),
].join('\n');
console.log(text);
if (values.save) saveResult('rehearsal-sound', text);
process.exit(bounds.every(({ holds }) => holds) ? 0 : 1);
