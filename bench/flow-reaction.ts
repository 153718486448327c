import { parseArgs } from 'node:util';
import { percentile, runConversation } from './conversation/run.ts';
import { boundsText, heading, saveResult, table } from './report.ts';

/**
 * The reaction of an agent with a flow of 40 nodes over that of a single prompt, in turn in one sitting: the whole program with SIP,
 * RTP and recording, and fake models (recognition 100 ms after the end, first token 100 ms, first audio 50 ms). The model judges the
 * edges of its node in the request of its reply.
 */
const { values: args } = parseArgs({
  options: {
    calls: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '45' },
    rounds: { type: 'string', default: '3' },
    save: { type: 'boolean', default: false },
    note: { type: 'string', default: '' },
  },
});
const [calls, seconds, rounds] = [Number(args.calls), Number(args.seconds), Number(args.rounds)];
const NODES = 40;
const WHENS = 8;
const MOST = 1.05;
/** Turns of each kind, so that the ratio of two medians means something. */
const LEAST_TURNS = 60;

/** A step that a model leads, with edges to branches: by expressions, and by sentences that the model judges. */
function flowOfNodes(): object {
  const branches = Array.from({ length: NODES - 2 }, (_, at) => `b${at}`);
  return {
    start: 'lead',
    variables: [{ name: 'topic', type: 'number' }],
    nodes: [
      {
        id: 'lead',
        type: 'talk',
        prompt: 'Answer questions.',
        edges: branches.map((to, at) =>
          at < WHENS
            ? { to, when: `asks about topic ${at}`, examples: [`tell me of topic ${at}`] }
            : { to, if: `topic == ${at}` },
        ),
      },
      ...branches.map((id) => ({ id, type: 'say', text: `This is ${id}.`, edges: [{ to: 'bye' }] })),
      { id: 'bye', type: 'end', say: 'Goodbye.' },
    ],
  };
}

const flow = flowOfNodes();
const reactions: Record<'prompt' | 'flow', number[]> = { prompt: [], flow: [] };
for (let round = 0; round < rounds; round += 1) {
  for (const kind of round % 2 === 0 ? (['prompt', 'flow'] as const) : (['flow', 'prompt'] as const)) {
    process.stderr.write(`round ${round + 1}: ${kind}\n`);
    const run = await runConversation({
      calls,
      seconds,
      sttMs: 100,
      llmMs: 100,
      ttsMs: 50,
      partialMs: 200,
      barge: false,
      ...(kind === 'flow' ? { flow } : {}),
    });
    reactions[kind].push(...run.reactions);
  }
}
const row = (name: string, list: readonly number[]): string[] => [
  name,
  String(list.length),
  percentile(list, 0.5).toFixed(0),
  percentile(list, 0.95).toFixed(0),
];
const ratio = percentile(reactions.flow, 0.5) / percentile(reactions.prompt, 0.5);
const text = [
  heading(
    `Reaction with a flow of ${NODES} nodes`,
    `${calls} calls, ${rounds} rounds of ${seconds} s each in turn${args.note === '' ? '' : `. ${args.note}`}`,
  ),
  table(
    ['agent', 'turns', 'median ms', 'p95 ms'],
    [row('single prompt', reactions.prompt), row(`flow of ${NODES} nodes`, reactions.flow)],
  ),
  `The flow takes ${ratio.toFixed(3)} × the reaction of the prompt.`,
  '',
  boundsText([
    { text: `at most ${MOST} × the median reaction of a single prompt`, holds: ratio <= MOST },
    {
      text: `at least ${LEAST_TURNS} turns of each kind`,
      holds: Math.min(reactions.prompt.length, reactions.flow.length) >= LEAST_TURNS,
    },
  ]),
].join('\n');
console.log(text);
if (args.save) saveResult('flow-reaction', text);
process.exit(0);
