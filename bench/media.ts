import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { percentile, runConversation } from './conversation/run.ts';
import { heading, saveResult, table } from './report.ts';

/**
 * Many concurrent conversations; measures the packet intervals at the receiver. Reference in the same run: bare
 * senders on the same wheel (bench/media-legs.ts).
 */
const { values: args } = parseArgs({
  options: {
    calls: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '30' },
    save: { type: 'boolean', default: false },
  },
});
const calls = Number(args.calls);
process.stderr.write(`${calls} calls with everything on\n`);
const run = await runConversation({
  calls,
  seconds: Number(args.seconds),
  sttMs: 100,
  llmMs: 100,
  ttsMs: 50,
  barge: false,
});
process.stderr.write('bare senders and bare legs\n');
const bare = execFileSync(
  process.execPath,
  [join(import.meta.dirname, 'media-legs.ts'), String(calls), '10'],
  { encoding: 'utf8' },
);
const ms = (p: number): string => percentile(run.intervals, p).toFixed(1);
const text = [
  heading('Media', `${calls} calls at once, ${args.seconds} s, fake models 100/100/50 ms`),
  table(
    ['', 'value'],
    [
      ['time between packets p50 / p99 / p99.9', `${ms(0.5)} / ${ms(0.99)} / ${ms(0.999)} ms`],
      ['packets lost', `${run.lost} of ${run.intervals.length}`],
      ['questions asked, answered', `${run.questions}, ${run.reactions.length}`],
      [
        'reaction p50 / p95',
        `${percentile(run.reactions, 0.5).toFixed(0)} / ${percentile(run.reactions, 0.95).toFixed(0)} ms`,
      ],
      [
        'CPU of the service',
        `${run.cpuPercent.toFixed(0)} % of a core, ${(run.cpuPercent / calls).toFixed(2)} % per call`,
      ],
      [
        'memory',
        `${run.idleRssMb.toFixed(0)} MB idle, ${run.peakRssMb.toFixed(0)} MB at the peak, ${((run.peakRssMb - run.idleRssMb) / calls).toFixed(2)} MB per call`,
      ],
    ],
  ),
  'Reference: bare senders on the same wheel, and legs without conversations, in the same run:',
  '',
  '```',
  bare.trim(),
  '```',
].join('\n');
console.log(text);
if (args.save) saveResult('media', text);
process.exit(0);
