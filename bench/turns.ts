import { parseArgs } from 'node:util';
import { hasLivekit, runLivekit } from './conversation/livekit.ts';
import { BACKCHANNEL, percentile, runConversation } from './conversation/run.ts';
import { boundsText, heading, saveResult, table, type Bound } from './report.ts';

/**
 * Taking turns beside LiveKit Agents, in one run: the same script and the same scripted models (recognition 100 ms after the
 * end, each word 200 ms after it begins, first token 100 ms, first audio 50 ms), default settings of each. Ours is the
 * whole program with SIP, RTP, G.711, Silero, recording and database; the reference has none of them
 * (bench/reference/livekit-agents).
 */
const { values: args } = parseArgs({
  options: {
    calls: { type: 'string', default: '10,40' },
    seconds: { type: 'string', default: '40' },
    save: { type: 'boolean', default: false },
  },
});
const seconds = Number(args.seconds);
const models = { sttMs: 100, llmMs: 100, ttsMs: 50, partialMs: 200 };
if (!hasLivekit) {
  console.error('LiveKit Agents is not installed: see bench/reference/livekit-agents/README.md');
  process.exit(1);
}

/** p50 and p95 of a reaction, a stop and (ours alone) of giving way; backchannels that stopped the agent. */
interface Figures {
  readonly reaction: readonly [number, number];
  readonly stop: readonly [number, number];
  readonly yield: readonly [number, number] | null;
  readonly backchannels: number;
  readonly falseStops: number;
}

const both = (values: readonly number[]): [number, number] => [
  percentile(values, 0.5),
  percentile(values, 0.95),
];

async function ours(calls: number): Promise<Figures> {
  const run = { ...models, calls, seconds, barge: false };
  const plain = await runConversation(run);
  const barge = await runConversation({ ...run, barge: true });
  const back = await runConversation({ ...run, backchannels: true });
  return {
    reaction: both(plain.reactions),
    stop: both(barge.stops),
    yield: both(barge.yields),
    backchannels: back.backchannels,
    falseStops: back.falseStops,
  };
}

async function theirs(calls: number): Promise<Figures> {
  const run = { ...models, calls, seconds, profile: 'default' } as const;
  const plain = await runLivekit({ ...run, script: 'questions' });
  const barge = await runLivekit({ ...run, script: 'interruptions' });
  const back = await runLivekit({ ...run, script: 'backchannels' });
  return {
    reaction: [plain.reaction_ms.p50, plain.reaction_ms.p95],
    stop: [barge.bargePause_ms.p50, barge.bargePause_ms.p95],
    yield: null,
    backchannels: back.backchannels.n,
    falseStops: back.backchannels.falseStops,
  };
}

const ms = (pair: readonly [number, number] | null): string =>
  pair === null
    ? 'as its stop'
    : pair.map((value) => (Number.isNaN(value) ? '–' : Math.round(value))).join(' / ');
const share = ({ falseStops, backchannels }: Figures): string =>
  `${falseStops} of ${backchannels}${backchannels === 0 ? '' : ` (${Math.round((100 * falseStops) / backchannels)} %)`}`;
const times = (a: number, b: number): string => (b > 0 && a > 0 ? `${(a / b).toFixed(2)} ×` : '–');
const shareOf = ({ falseStops, backchannels }: Figures): number => falseStops / backchannels;

const rows: string[][] = [];
const bounds: Bound[] = [];
for (const calls of args.calls.split(',').map(Number)) {
  process.stderr.write(`${calls} calls: Callwright\n`);
  const own = await ours(calls);
  process.stderr.write(`${calls} calls: LiveKit Agents\n`);
  const peer = await theirs(calls);
  for (const [name, figures] of [
    ['Callwright', own],
    ['LiveKit Agents', peer],
  ] as const) {
    const { reaction, stop, yield: gives } = figures;
    rows.push([`${calls}`, name, ms(reaction), ms(gives), ms(stop), share(figures)]);
  }
  rows.push([
    `${calls}`,
    'ratio of the medians',
    times(peer.reaction[0], own.reaction[0]),
    times(peer.stop[0], own.yield?.[0] ?? 0),
    times(peer.stop[0], own.stop[0]),
    '',
  ]);
  const bound = (name: string, peers: number, ours: number, factor: number): Bound => ({
    text: `${calls} calls: ${name} ${times(peers, ours)} as quick, at least ${factor} ×`,
    holds: peers / ours >= factor,
  });
  bounds.push(
    bound('reaction', peer.reaction[0], own.reaction[0], 1.5),
    bound('gives way', peer.stop[0], own.yield?.[0] ?? Infinity, 4),
    bound('stop', peer.stop[0], own.stop[0], 4),
    {
      text: `${calls} calls: fewer false stops, ${share(own)} for ${share(peer)}`,
      holds: own.backchannels > 0 && shareOf(own) < shareOf(peer),
    },
  );
}
const text = [
  heading(
    'Turns',
    `${seconds} s a script; models 100/100/50 ms, each word 200 ms after it begins; default settings`,
  ),
  table(
    ['calls', '', 'reaction p50 / p95, ms', 'gives way p50 / p95, ms', 'stop p50 / p95, ms', 'false stops'],
    rows,
  ),
  boundsText(bounds),
  '',
  'Reaction: last sample of the caller’s speech sent → first packet of the reply received. Stop: first interrupting sample',
  'sent → last packet of the agent’s speech received. Gives way: the agent is at least 12 dB quieter, which only ours does',
  `before it stops: until its first words, a sound may be a backchannel. False stop: “${BACKCHANNEL}” over the agent’s speech, and it paused for 120 ms or more, or stopped. Ours`,
  'includes SIP, RTP, G.711, Silero, stereo recording, database and events; the reference has none of them.',
].join('\n');
console.log(text);
if (args.save) saveResult('turns', text);
process.exit(0);
