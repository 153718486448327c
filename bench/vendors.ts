import { parseArgs } from 'node:util';
import { dialoguesOf } from '../test/rigs/vendors/pairs.ts';
import { percentile } from './conversation/run.ts';
import { boundsText, heading, saveResult, table, type Bound } from './report.ts';
import { dialogueBounds, dialoguesOn, dialogueText } from './vendors/dialogues.ts';
import { startFakes } from './vendors/fakes.ts';
import { cpuOf, ms, ownOf, packetsOf, pairOf, reactionsOf, tenths } from './vendors/figures.ts';
import {
  accountOf,
  DELAYS,
  END_MS,
  holdCalls,
  pairLabel,
  recogniserLabel,
  type Pair,
  type Row,
} from './vendors/runs.ts';
import { sessionCost } from './vendors/session-cost.ts';

/**
 * How fast the agent reacts with vendors of set delays, what vendors behind sockets cost beside calls without any, and
 * whether packets leave in time: calls with and without vendors in turn in the same run. The stand-ins of the vendors run in
 * another process; callers speak in tones that they recognise.
 */
const { values: args } = parseArgs({
  options: {
    calls: { type: 'string', default: '20' },
    seconds: { type: 'string', default: '16' },
    /** Recognisers to measure; default: all. */
    vendors: { type: 'string' },
    /** Also holds calls on each recogniser with its speaker: ten minutes. */
    each: { type: 'boolean', default: false },
    /** Calls of those runs: enough that what the first replies compile does not count. */
    paired: { type: 'string', default: '100' },
    /** Calls of the runs that check the packets of many, with vendors and without in turn; 0: none. */
    many: { type: 'string', default: '100' },
    rounds: { type: 'string', default: '2' },
    /** Also holds 20 turns on every recogniser and speaker, with baresip: another two minutes. */
    dialogues: { type: 'boolean', default: false },
    profile: { type: 'string' },
    save: { type: 'boolean', default: false },
  },
});
const calls = Number(args.calls);
const seconds = Number(args.seconds);
const many = Number(args.many);
const rounds = Number(args.rounds);
const profile = args.profile ?? null;
const TURNS = 20;
const FLUX: Pair = { recogniser: 'deepgram', model: 'flux-general-en', speaker: 'elevenlabs' };

const fakes = await startFakes();
const chosen = args.vendors?.split(',');
const held = dialoguesOf(TURNS).filter(({ recogniser }) => chosen?.includes(recogniser) ?? true);
const pairs: readonly Pair[] = held;

process.stderr.write('sessions of each recogniser\n');
const frames = await sessionCost(null);
const sessions: { readonly name: string; readonly percent: number }[] = [];
for (const pair of pairs) {
  const { recogniser: name, model = null } = pair;
  await fakes.set(name, { eagerMs: END_MS, endMs: END_MS, resultMs: 0 });
  const cost = await sessionCost({ name, settings: accountOf(fakes, name, model) });
  sessions.push({ name: recogniserLabel(pair), percent: cost - frames });
}

/** Runs of the same calls with one choice of vendors. */
interface Group {
  readonly name: string;
  readonly rows: Row[];
  /** The runs without a vendor between them. */
  readonly alone: readonly Row[];
}

/** Calls with each pair, and without vendors before every third one. */
async function inTurn(tested: readonly Pair[], atOnce: number, times: number): Promise<Group[]> {
  const options = { calls: atOnce, seconds, profile };
  const alone: Row[] = [];
  const groups = new Map<string, Row[]>();
  for (let round = 0; round < times; round++) {
    for (const [i, pair] of tested.entries()) {
      if (i % 3 === 0) alone.push(await holdCalls(fakes, null, options));
      const row = await holdCalls(fakes, pair, options);
      groups.set(row.name, [...(groups.get(row.name) ?? []), row]);
    }
  }
  return [
    { name: 'no vendor', rows: alone, alone },
    ...Array.from(groups, ([name, rows]) => ({ name, rows, alone })),
  ];
}
const few = await inTurn([FLUX], calls, rounds);
const paired = args.each ? await inTurn(pairs, Number(args.paired), 1) : [];
const crowd = many === 0 ? [] : await inTurn([FLUX], many, rounds);
const dialogues = args.dialogues ? await dialoguesOn(fakes, held, TURNS) : [];
await fakes.stop();

const callsOf = ({ rows }: Group): number => rows[0]?.figures.calls ?? 0;
const extraOf = ({ rows, alone }: Group): number => cpuOf(rows) - cpuOf(alone);
const percent = (value: number): string => `${value.toFixed(3)} %`;
const [aloneMany, vendorsMany] = crowd;
const flux = few.filter(({ name }) => name === pairLabel(FLUX)).flatMap(({ rows }) => rows);
const own = ownOf(flux);
const reactions = reactionsOf(flux);

const packetBounds = (vendors: Group, alone: Group): Bound[] => {
  const [held, reference] = [packetsOf(vendors.rows), packetsOf(alone.rows)];
  const ratio = (held.arrivedMs / reference.arrivedMs).toFixed(2);
  return [
    {
      text: `${many} calls with sockets to vendors: packets leave p99 ${tenths(held.sentMs)} apart; bound 25 ms`,
      holds: held.sentMs <= 25,
    },
    {
      text: `${many} calls with sockets to vendors: packets arrive p99 ${tenths(held.arrivedMs)} apart, ${ratio} times those of the same calls without vendors; bound 25 ms`,
      holds: held.arrivedMs <= 25,
    },
  ];
};

const bounds: Bound[] = [
  {
    text: `reaction phone to phone where the vendor ends turns: ${pairOf(reactions)}; bound 620 / 800 ms`,
    holds: percentile(reactions, 0.5) <= 620 && percentile(reactions, 0.95) <= 800,
  },
  {
    text: `our own share over vendors and chosen silence: p95 ${ms(percentile(own, 0.95))}; bound 40 ms`,
    holds: percentile(own, 0.95) <= 40,
  },
  ...sessions.map(({ name, percent: cost }): Bound => ({
    text: `a session of ${name} costs ${percent(cost)} of a core; bound 0.1 %`,
    holds: cost <= 0.1,
  })),
  ...[...paired.slice(1), ...crowd.slice(1)].map((group): Bound => ({
    text: `a call of ${callsOf(group)} with ${group.name} costs ${percent(extraOf(group))} of a core more than one without vendors; bound 0.1 %`,
    holds: extraOf(group) <= 0.1,
  })),
  ...(aloneMany === undefined || vendorsMany === undefined ? [] : packetBounds(vendorsMany, aloneMany)),
  ...dialogueBounds(dialogues),
];

const row = (group: Group): string[] => {
  const { rows } = group;
  const packets = packetsOf(rows);
  const questions = rows.reduce((sum, { figures }) => sum + figures.questions, 0);
  return [
    group.name,
    String(callsOf(group)),
    `${reactionsOf(rows).length} of ${questions}`,
    pairOf(reactionsOf(rows)),
    pairOf(ownOf(rows)),
    `${cpuOf(rows).toFixed(2)} %`,
    `${tenths(packets.sentMs)}, ${tenths(packets.lateMs)}`,
    tenths(packets.arrivedMs),
  ];
};
const { sttMs, llmMs, ttsMs } = DELAYS;
const text = [
  heading('Vendors', `${calls} calls at once, ${seconds} s; vendors ${sttMs}/${llmMs}/${ttsMs} ms`),
  table(
    [
      'recogniser; speaker; Anthropic',
      'calls',
      'turns',
      'reaction p50 / p95',
      'own share p50 / p95',
      'CPU of a core per call',
      'packets p99: sent apart, late',
      'arrived apart',
    ],
    [...few, ...paired, ...crowd].map(row),
  ),
  ...dialogueText(dialogues),
  boundsText(bounds),
  '',
  'Reaction: last sample of the caller’s speech sent → first packet of the reply received. Own share: the record’s total',
  'beyond the silence until the turn ended, or beyond the request of the reply with the delays of model and speaker.',
  'The calls without a vendor have fakes in the service’s process that compute next to nothing. Processor time is that of the whole service, after 10 s of calls;',
  'a session of a recogniser is measured with 40 of them at the pace of calls, in a process of its own without the rest of a call.',
  'Packets are timed while all calls are up: where the service hands them to the system (apart; late after the schedule of',
  'their RTP timestamps), and where the phones receive them. Service, phones and stand-ins share the cores of this machine. Where the',
  'system permits it the phones have the priority of the service’s media threads, so that their own lateness does not count.',
].join('\n');
console.log(text);
if (args.save) saveResult('vendors', text);
process.exit(0);
