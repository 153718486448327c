import { parseArgs } from 'node:util';
import { percentile, runConversation } from './conversation/run.ts';
import { boundsText, heading, saveResult, table } from './report.ts';

/**
 * Browser calls beside phone calls of one process, with the fake models of the conversation bench: what the callers of
 * either kind hear. The callers of browser calls are plain WebSockets.
 */
const { values: args } = parseArgs({
  options: {
    calls: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '30' },
    save: { type: 'boolean', default: false },
  },
});
const calls = Number(args.calls);
const seconds = Number(args.seconds);

const run = await runConversation({
  calls,
  webCalls: calls,
  seconds,
  sttMs: 100,
  llmMs: 100,
  ttsMs: 50,
  barge: false,
});
/** The agent of a browser call sends nothing while it is silent. */
const SPURT_MS = 120;
const ms = (value: number): string => (Number.isNaN(value) ? '–' : `${value.toFixed(1)} ms`);
const halfAnd99 = (intervals: readonly number[]): string => {
  const gaps = inSpurts(intervals);
  return `${ms(percentile(gaps, 0.5))} / ${ms(percentile(gaps, 0.99))}`;
};
const row = (
  name: string,
  reactions: readonly number[],
  sent: readonly number[],
  arrived: readonly number[],
): string[] => [
  name,
  `${ms(percentile(reactions, 0.5))} / ${ms(percentile(reactions, 0.95))}`,
  halfAnd99(sent),
  halfAnd99(arrived),
  String(reactions.length),
];
const apart = percentile(run.web.reactions, 0.5) - percentile(run.reactions, 0.5);
const inSpurts = (intervals: readonly number[]): number[] =>
  intervals.filter((interval) => interval < SPURT_MS);
const p99Of = (...kinds: readonly (readonly number[])[]): number =>
  Math.max(...kinds.map((intervals) => percentile(inSpurts(intervals), 0.99)));
/** What the service does, and what the callers of the bench see, which share the machine with it. */
const sentP99 = p99Of(run.sends.intervals, run.sends.browserIntervals);
const arrivedP99 = p99Of(run.intervals, run.web.intervals);
const text = [
  heading('Browser calls', `${calls} phone calls and ${calls} browser calls at once, ${seconds} s`),
  table(
    ['calls', 'reaction p50 / p95', 'sent p50 / p99', 'arrived p50 / p99', 'answers'],
    [
      row('phone, RTP at 8 kHz', run.reactions, run.sends.intervals, run.intervals),
      row('browser, WebSocket at 16 kHz', run.web.reactions, run.sends.browserIntervals, run.web.intervals),
    ],
  ),
  boundsText([
    { text: `browser calls react within 60 ms of phone calls (${ms(apart)})`, holds: apart <= 60 },
    {
      text: `between packets p99 is at most 25 ms where they arrive (${ms(arrivedP99)}; where they are sent ${ms(sentP99)})`,
      holds: arrivedP99 <= 25,
    },
  ]),
  `CPU of the service: ${run.cpuPercent.toFixed(0)} % of one core.`,
].join('\n\n');
process.stdout.write(`${text}\n`);
if (args.save) saveResult('browser-calls', text);
