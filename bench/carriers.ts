import { parseArgs } from 'node:util';
import { percentile, runConversation, type ConversationFigures } from './conversation/run.ts';
import { boundsText, heading, saveResult, table } from './report.ts';

/**
 * Calls over the WebSocket of a carrier (Twilio's dialect) beside as many over SIP in one process, with the fake models of the
 * conversation bench; and twice as many over SIP, for the CPU. The carrier plays what it receives by a clock of 20 ms.
 */
const { values: args } = parseArgs({
  options: {
    calls: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '30' },
    save: { type: 'boolean', default: false },
  },
});
const calls = Number(args.calls);
const seconds = Number(args.seconds);

const run = (phones: number, streamCalls: number): Promise<ConversationFigures> =>
  runConversation({
    calls: phones,
    streamCalls,
    seconds,
    sttMs: 100,
    llmMs: 100,
    ttsMs: 50,
    barge: false,
  });
const both = await run(calls, calls);
const phones = await run(2 * calls, 0);

/** The agent of a stream sends nothing while it is silent. */
const SPURT_MS = 120;
const ms = (value: number): string => (Number.isNaN(value) ? '–' : `${value.toFixed(1)} ms`);
const inSpurts = (intervals: readonly number[]): number[] =>
  intervals.filter((interval) => interval < SPURT_MS);
const row = (name: string, reactions: readonly number[], intervals: readonly number[]): string[] => [
  name,
  `${ms(percentile(reactions, 0.5))} / ${ms(percentile(reactions, 0.95))}`,
  `${ms(percentile(inSpurts(intervals), 0.5))} / ${ms(percentile(inSpurts(intervals), 0.99))}`,
  String(reactions.length),
];
const apart = percentile(both.web.reactions, 0.5) - percentile(both.reactions, 0.5);
const playedP99 = percentile(inSpurts(both.web.intervals), 0.99);
const perCall = (both.cpuPercent - phones.cpuPercent) / calls;
const text = [
  heading(
    'Carriers over WebSocket',
    `${calls} calls over SIP and ${calls} over streams at once, ${seconds} s`,
  ),
  table(
    ['calls', 'reaction p50 / p95', 'between packets p50 / p99', 'answers'],
    [
      row('SIP, where they arrive', both.reactions, both.intervals),
      row('stream, where the carrier plays them', both.web.reactions, both.web.intervals),
    ],
  ),
  boundsText([
    {
      text: `packets p99 is at most 25 ms where the carrier plays them (${ms(playedP99)})`,
      holds: playedP99 <= 25,
    },
    {
      text: `a call over a stream takes at most 0.15 % of a core more than one over SIP (${perCall.toFixed(3)} %)`,
      holds: perCall <= 0.15,
    },
    { text: `calls over streams react within 60 ms of those over SIP (${ms(apart)})`, holds: apart <= 60 },
  ]),
  `CPU of the service: ${both.cpuPercent.toFixed(0)} % of one core; with ${2 * calls} calls over SIP ${phones.cpuPercent.toFixed(0)} %.`,
].join('\n\n');
process.stdout.write(`${text}\n`);
if (args.save) saveResult('carriers', text);
