import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type FakeVendor,
  fakeAnthropic,
  fakeDeepgram,
  fakeElevenlabs,
  startFakeVendor,
} from '@callwright/stand-ins';
import { holdCalls } from '../rigs/callers/hold-calls.ts';
import { planCall } from '../rigs/callers/plan.ts';
import { scoreCall } from '../rigs/callers/score.ts';
import { lexiconOf, repliesOf, SCRIPTS } from '../rigs/callers/scripts.ts';
import { totalsOf, type ScoredCall, type Totals } from '../rigs/callers/totals.ts';

const IDS = ['tool-slots', 'card', 'pause-and', 'stop-early', 'hi-haan', 'cough'];
const vendors: FakeVendor[] = [];
const calls: ScoredCall[] = [];
let totals: Totals;

// Six calls at once by baresip, in real time: about 20 s. `npm run suite:callers` holds all of them.
beforeAll(async () => {
  const scripts = SCRIPTS.filter(({ id }) => IDS.includes(id));
  vendors.push(
    await startFakeVendor(fakeDeepgram, {
      settings: { eagerMs: 110, endMs: 110, openEndMs: 900, lexicon: lexiconOf(scripts) },
    }),
    await startFakeVendor(fakeAnthropic, { settings: { firstByteMs: 300, replies: repliesOf(scripts) } }),
    await startFakeVendor(fakeElevenlabs, { settings: { speechMs: 120 } }),
  );
  const { duplicateRuns } = await holdCalls(
    scripts.map((script) => planCall(script, 1)),
    { baseUrls: new Map(vendors.map(({ name, baseUrl }) => [name, baseUrl])), lines: scripts.length },
    (plan, phone) => {
      const { id, language } = plan.script;
      calls.push({ id, language, seed: plan.seed, score: scoreCall(plan, phone) });
    },
  );
  totals = totalsOf(calls, duplicateRuns);
}, 240_000);
afterAll(async () => {
  await Promise.all(vendors.map((vendor) => vendor.close()));
});

it('callers get the reply that belongs to their words, each once', () => {
  expect(calls.flatMap(({ score }) => score.faults)).toEqual([]);
  expect(totals.responses).toMatchObject({ none: 0 });
  expect(totals.duplicateRuns).toBe(0);
});

it('an interruption stops the agent, whose history has no word that the phone did not hear', () => {
  expect(totals.stops).toMatchObject({ count: 2, missed: 0 });
  expect(totals.ghostWords).toBe(0);
});

it('murmurs and coughs leave no hole in the agent’s speech', () => {
  expect(totals.holes.count).toBeGreaterThanOrEqual(4);
  expect(totals.holes.cut).toBe(0);
});

it('pauses inside sentences and numbers end no turn', () => {
  expect(totals.pauses).toBeGreaterThanOrEqual(4);
  expect(totals.cutIns).toBe(0);
  expect([totals.dictations, totals.wholeDictations]).toEqual([1, 1]);
});
