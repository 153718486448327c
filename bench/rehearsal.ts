/**
 * Rehearsal: how many conversations a minute two cores play, and how many faults it finds in 30 mutations and in 30 unchanged
 * copies of a good agent, each on 200 calls.
 *
 * npm run bench:rehearsal -- [--seconds 20] [--calls 200]
 */
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { compare } from '../src/rehearsal/compare/compare.ts';
import { resultOf, type JudgedCall } from '../src/rehearsal/judge/tally.ts';
import { rehearse } from '../src/rehearsal/run.ts';
import { boundsText, heading, saveResult, table, type Bound } from './report.ts';
import { CALLERS, goodAgent, rehearsable, type Candidate } from './rehearsal/agent.ts';
import { MUTATIONS, UNCHANGED } from './rehearsal/mutations.ts';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '20' }, calls: { type: 'string', default: '200' } },
});
const SECONDS = Number(values.seconds);
const CALLS = Number(values.calls);
const THREADS = 2;
const TURNS = 8;
const COPIES = 30;

async function runOf(candidate: Candidate, seed: number): Promise<JudgedCall[]> {
  const agent = rehearsable(candidate);
  const parts = CALLERS.map((scenario) => ({ agent, scenario }));
  const calls: JudgedCall[] = [];
  for (let call = 0; call < CALLS; call++)
    calls.push((await rehearse({ parts, seed, timing: candidate.timing }, call)).judged);
  return calls;
}
function mutated(mutate: (agent: Candidate) => void): Candidate {
  const agent = goodAgent();
  mutate(agent);
  return agent;
}

const played = await Promise.all(
  Array.from(
    { length: THREADS },
    (_, seed) =>
      new Promise<{ calls: number; turns: number; processorMs: number }>((resolve, reject) => {
        const url = new URL('rehearsal/speed.thread.ts', import.meta.url);
        const worker = new Worker(url, { workerData: { ms: SECONDS * 1_000, seed } });
        worker.once('message', resolve).once('error', reject);
      }),
  ),
);
const calls = played.reduce((sum, each) => sum + each.calls, 0);
const turns = played.reduce((sum, each) => sum + each.turns, 0);
const processorMs = played.reduce((sum, each) => sum + each.processorMs, 0);
// Conversations of eight turns, by the turns that were played; on a shared machine the threads get only a part of the cores.
const conversations = turns / TURNS;
const perMinute = Math.round(conversations * (60 / SECONDS));
const perCores = Math.round((conversations * THREADS * 60_000) / processorMs);

const good = await runOf(goodAgent(), 1);
const passed = good.filter((call) => resultOf(call) === 'passed').length;
const found: string[][] = [];
for (const [name, mutate] of MUTATIONS) {
  const { reasons } = compare(good, await runOf(mutated(mutate), 1));
  found.push([name, reasons.join('; ') || 'not found']);
}
const alarms: string[] = [];
for (let copy = 0; copy < COPIES; copy++) {
  const [name, mutate] = UNCHANGED[copy % UNCHANGED.length]!;
  const seed = 100 + copy;
  const { reasons } = compare(await runOf(goodAgent(), seed), await runOf(mutated(mutate), seed));
  if (reasons.length > 0) alarms.push(`${name} (seed ${seed}): ${reasons.join('; ')}`);
}
const caught = found.filter(([, reason]) => reason !== 'not found').length;
const bounds: Bound[] = [
  {
    text: `at least 5,000 conversations of ${TURNS} turns a minute on two cores: ${perCores.toLocaleString('en-US')} by processor time, ${perMinute.toLocaleString('en-US')} by the clock`,
    holds: perCores >= 5_000,
  },
  {
    text: `at least 28 of ${MUTATIONS.length} mutations found at ${CALLS} calls: ${caught}`,
    holds: caught >= 28,
  },
  {
    text: `none of ${COPIES} unchanged copies taken for worse: ${alarms.length}`,
    holds: alarms.length === 0,
  },
];
const text = [
  heading(
    'Rehearsal',
    `${THREADS} threads for ${SECONDS} s, then ${MUTATIONS.length} mutations and ${COPIES} copies on ${CALLS} calls each`,
  ),
  '',
  `${calls.toLocaleString('en-US')} calls with ${(turns / calls).toFixed(1)} turns of the caller each, played and judged. The good agent passes ${passed} of ${CALLS} calls.`,
  table(['mutation', 'why it is worse'], found),
  ...alarms,
  boundsText(bounds),
].join('\n');
console.log(text);
saveResult('rehearsal', text);
process.exitCode = bounds.every(({ holds }) => holds) ? 0 : 1;
