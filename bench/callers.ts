import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeWav } from '@callwright/audio';
import { readLog } from '@callwright/turns';
import { detect } from '../src/rehearsal/detect/detect.ts';
import { storyOf } from '../src/rehearsal/detect/story.ts';
import type { Service } from '../test/helpers/service/service.ts';
import { holdCalls, type HeldCall } from '../test/rigs/callers/hold-calls.ts';
import { planCall, type Plan } from '../test/rigs/callers/plan.ts';
import { scoreCall } from '../test/rigs/callers/score.ts';
import { lexiconOf, repliesOf, SCRIPTS } from '../test/rigs/callers/scripts.ts';
import { badness, boundsOf, rowsOf, totalsOf, type ScoredCall } from '../test/rigs/callers/totals.ts';
import { boundsText, heading, saveResult, table } from './report.ts';
import { startFakes } from './vendors/fakes.ts';

/**
 * The caller suite: phones that are not ours play prepared callers to the whole program, and every figure comes from what
 * the phone sent and received. The worst calls, with `--only` all, are kept with their audio and event log.
 */
const { values: args } = parseArgs({
  options: {
    seeds: { type: 'string', default: '3' },
    lines: { type: 'string', default: '10' },
    /** Ids of scripts, separated by commas; default: all. */
    only: { type: 'string' },
    keep: { type: 'string', default: join(tmpdir(), 'callwright-callers') },
    save: { type: 'boolean', default: false },
  },
});
const MODEL_MS = 300;
const SPEAKER_MS = 120;
/** Languages of Flux, whose words come within 150 ms; Nova-3 has the others, with words every 300 ms. */
const EARLY_WORDS = new Set(['en-US', 'hi-IN']);
/** Chunks of audio make the stand-in hear the end of speech later than it could, by half a chunk in the mean: 150 ms. */
const END_MS = 110;
/** Flux waits longer where a sentence is not finished. */
const OPEN_END_MS = 900;
const only = args.only?.split(',');
const KEPT = only === undefined ? 5 : Infinity;

const scripts = SCRIPTS.filter(({ id }) => only?.includes(id) ?? true);
const seeds = Array.from({ length: Number(args.seeds) }, (_, i) => i + 1);
const plans = seeds.flatMap((seed) => scripts.map((script) => planCall(script, seed)));

const fakes = await startFakes();
await fakes.set('deepgram', {
  eagerMs: END_MS,
  endMs: END_MS,
  openEndMs: OPEN_END_MS,
  lexicon: lexiconOf(SCRIPTS),
});
await fakes.set('anthropic', { firstByteMs: MODEL_MS, replies: repliesOf(SCRIPTS) });
await fakes.set('elevenlabs', { speechMs: SPEAKER_MS });

interface Kept extends ScoredCall {
  readonly plan: Plan;
  readonly phone: HeldCall;
}
const calls: ScoredCall[] = [];
let worst: Kept[] = [];
const scored = (plan: Plan, phone: HeldCall): Kept => {
  const { id, language } = plan.script;
  const call = { id, language, seed: plan.seed, score: scoreCall(plan, phone), plan, phone };
  process.stderr.write(`${id} ${plan.seed} ${JSON.stringify(call.score)}\n`);
  return call;
};
/** What the detectors of docs/rehearsal.md find in calls of a good agent. */
const alarms: string[] = [];
const searched = new Set<string>();
async function searchCalls(service: Service): Promise<void> {
  for (const { id, seed, callId } of held) {
    const { body } = await service.request('GET', `/api/v0/calling/replay?id=${callId}&send_log=true`);
    const { settings, entries } = readLog(body.data.log);
    const story = storyOf(
      settings,
      entries.map(({ event }) => event),
    );
    searched.add(callId);
    for (const { detector, at, detail } of detect(story))
      alarms.push(`${id}, seed ${seed}: ${detector} at ${(at / 1_000).toFixed(1)} s, ${detail}`);
  }
}
const held: { readonly id: string; readonly seed: number; readonly callId: string }[] = [];
const vendors = { baseUrls: fakes.baseUrls, lines: Number(args.lines), ownDatabase: true };
/** `callwright replay` reads the logs. */
async function keepLogs(service: Service): Promise<void> {
  mkdirSync(args.keep, { recursive: true });
  for (const { id, seed, phone } of worst) {
    const { body } = await service.request('GET', `/api/v0/calling/replay?id=${phone.callId}&send_log=true`);
    writeFileSync(`${join(args.keep, `${id}-${seed}`)}.jsonl`, body.data.log);
  }
}
const begunAt = performance.now();
const { duplicateRuns, rejected, replays } = await holdCalls(
  plans,
  {
    ...vendors,
    onEnded: async (service) => {
      await searchCalls(service);
      await keepLogs(service);
    },
  },
  (plan, phone) => {
    const call = scored(plan, phone);
    held.push({ id: call.id, seed: call.seed, callId: phone.callId });
    calls.push({ id: call.id, language: call.language, seed: call.seed, score: call.score });
    worst = [...worst, call].sort((one, other) => badness(other) - badness(one)).slice(0, KEPT);
  },
);
const minutes = (performance.now() - begunAt) / 60_000;
// The calls with interruptions and murmurs again, with a recogniser that has words only when they have ended.
await fakes.set('deepgram', { lexicon: [] });
const late: ScoredCall[] = [];
const overlapping = plans.filter(({ seed, cues }) => seed === 1 && cues.some(({ into }) => into !== null));
await holdCalls(overlapping, vendors, (plan, phone) => late.push(scored(plan, phone)));
await fakes.stop();

/** Caller left, agent right. */
function keep({ plan, phone, id, seed, score }: Kept): string {
  mkdirSync(args.keep, { recursive: true });
  const file = join(args.keep, `${id}-${seed}`);
  const later = Math.round(phone.receivedLaterMs * 8);
  const stereo = new Int16Array(2 * phone.sent.length);
  for (let i = 0; i < phone.sent.length; i++) {
    stereo[2 * i] = phone.sent[i] ?? 0;
    stereo[2 * i + 1] = phone.received[i - later] ?? 0;
  }
  writeFileSync(`${file}.wav`, writeWav({ sampleRate: 8000, channels: 2 }, stereo));
  writeFileSync(`${file}.json`, JSON.stringify({ script: plan.script, cues: plan.cues, score }, null, 2));
  return file;
}
for (const call of worst) process.stderr.write(`kept ${keep(call)}.wav\n`);

const languages = [...new Set(calls.map(({ language }) => language))];
const of = (language: string) =>
  totalsOf(
    calls.filter((call) => call.language === language),
    0,
  );
const totals = totalsOf(calls, duplicateRuns);
const bounds = [
  ...boundsOf(
    totals,
    totalsOf(
      calls.filter(({ language }) => EARLY_WORDS.has(language)),
      0,
    ),
  ),
  {
    text: `calls whose replay decides otherwise: ${replays.different.length} of ${replays.calls}; bound 0`,
    holds: replays.different.length === 0 && replays.calls >= calls.length,
  },
  {
    text: `alarms of detectors: ${alarms.length} in ${searched.size} calls; bound 0`,
    holds: alarms.length === 0 && searched.size === calls.length,
  },
];
const slow = totalsOf(late, 0);
const times = (list: readonly (number | null)[]): string =>
  list.map((ms) => (ms === null ? 'none' : Math.round(ms))).join(', ');
const detail = ({ id, seed, score }: ScoredCall): string => {
  const parts = [
    `responses ${times(score.responses)}`,
    ...(score.stops.length === 0 ? [] : [`stops ${times(score.stops)}`]),
    ...score.holes.map(({ text, ms }) => `hole of ${ms} over ${text}`),
    ...score.faults,
  ];
  return `- ${id}, seed ${seed}: ${parts.join('; ')}`;
};
const text = [
  heading(
    'Callers',
    `${calls.length} calls of ${scripts.length} scripts by baresip, ${args.lines} at once, in ${minutes.toFixed(1)} minutes; vendors 150/${MODEL_MS}/${SPEAKER_MS} ms`,
  ),
  table(['', 'all', ...languages, 'words late'], rowsOf([totals, ...languages.map(of), slow])),
  boundsText(bounds),
  '',
  `Held again because the phone sent its own audio more than 60 ms late: ${rejected} calls.`,
  '',
  ...alarms.map((alarm) => `- ${alarm}`),
  'The worst calls:',
  '',
  ...worst.map(detail),
  '',
  'All figures come from the recordings of the phone: what it sent, and what it received when it arrived. Words are coded in',
  'tones that the stand-ins of the vendors recognise in the audio, and so does the score. English and Hindi: a recogniser that',
  'ends turns (Flux), whose first words reach the service 150 ms after they begin in the mean, guessed from a list of words;',
  'Malay and Tamil: one that does not (Nova-3), with words every 300 ms. Stop: first sample of the interruption → last sound of',
  'the agent. Words late: the calls with interruptions again, where the first words come when they have ended. Hole: silence of',
  'the agent over a murmur or noise beyond the 60 ms between its words; a lowered voice is none.',
].join('\n');
console.log(text);
if (args.save) saveResult('callers', text);
process.exit(bounds.every(({ holds }) => holds) ? 0 : 1);
