import { parseArgs } from 'node:util';
import { hasLivekit, runLivekit } from './conversation/livekit.ts';
import { percentile, runConversation } from './conversation/run.ts';
import { heading, saveResult, table } from './report.ts';

/**
 * Reaction, barge-in stop, CPU and memory of live calls with fake models (recognition 100 ms after the end, each word 200 ms
 * after it begins, first token 100 ms, first audio 50 ms), the whole program with SIP, RTP, G.711, Silero, recording and database on our side; beside it
 * LiveKit Agents headless, without any of those, in turn in the same sitting. See bench/reference/livekit-agents.
 */
const { values: args } = parseArgs({
  options: {
    calls: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '24' },
    rounds: { type: 'string', default: '2' },
    save: { type: 'boolean', default: false },
  },
});
const calls = Number(args.calls);
const seconds = Number(args.seconds);
const rounds = Number(args.rounds);
const delays = { sttMs: 100, llmMs: 100, ttsMs: 50, partialMs: 200 };

interface Row {
  reaction: number[];
  stop: number[];
  yield: number[];
  cpuPerCall: number;
  mbPerCall: number;
}
const empty = (): Row => ({ reaction: [], stop: [], yield: [], cpuPerCall: 0, mbPerCall: 0 });

const ours = { default: empty(), sensitive: empty() };
const theirs: Record<'default' | 'fast', { plain: any[]; barge: any[] }> = {
  default: { plain: [], barge: [] },
  fast: { plain: [], barge: [] },
};
for (let round = 0; round < rounds; round++) {
  for (const [name, row] of Object.entries(ours)) {
    const sensitivity = name === 'sensitive' ? 'high' : 'default';
    process.stderr.write(`round ${round + 1}: Callwright, ${name}\n`);
    const plain = await runConversation({ calls, seconds, ...delays, barge: false, sensitivity });
    const barge = await runConversation({
      calls,
      seconds: seconds + 12,
      ...delays,
      barge: true,
      sensitivity,
    });
    row.reaction.push(...plain.reactions);
    row.stop.push(...barge.stops);
    row.yield.push(...barge.yields);
    row.cpuPerCall += plain.cpuPercent / calls / rounds;
    row.mbPerCall += (plain.peakRssMb - plain.idleRssMb) / calls / rounds;
  }
  if (!hasLivekit) continue;
  for (const profile of ['default', 'fast'] as const) {
    process.stderr.write(`round ${round + 1}: LiveKit Agents, ${profile}\n`);
    theirs[profile].plain.push(await runLivekit({ calls, seconds, ...delays, profile, script: 'questions' }));
    theirs[profile].barge.push(
      await runLivekit({ calls, seconds, ...delays, profile, script: 'interruptions' }),
    );
  }
}

const ms = (value: number): string => (Number.isNaN(value) ? '–' : `${Math.round(value)} ms`);
const mean = (list: any[], pick: (run: any) => number): number =>
  list.reduce((sum, run) => sum + pick(run), 0) / list.length;
const rows: string[][] = [];
const add = (
  name: string,
  reaction: number[],
  gives: number[],
  stop: number[],
  cpu: number,
  mb: number,
): void => {
  rows.push([
    name,
    `${ms(reaction[0] ?? Number.NaN)} / ${ms(reaction[1] ?? Number.NaN)}`,
    `${ms(gives[0] ?? Number.NaN)} / ${ms(gives[1] ?? Number.NaN)}`,
    `${ms(stop[0] ?? Number.NaN)} / ${ms(stop[1] ?? Number.NaN)}`,
    `${cpu.toFixed(2)} %`,
    `${mb.toFixed(1)} MB`,
  ]);
};
for (const [name, row] of Object.entries(ours)) {
  add(
    `Callwright, ${name === 'default' ? 'default' : 'interruption_sensitivity high'}`,
    [percentile(row.reaction, 0.5), percentile(row.reaction, 0.95)],
    [percentile(row.yield, 0.5), percentile(row.yield, 0.95)],
    [percentile(row.stop, 0.5), percentile(row.stop, 0.95)],
    row.cpuPerCall,
    row.mbPerCall,
  );
}
if (hasLivekit) {
  for (const profile of ['default', 'fast'] as const) {
    const { plain, barge } = theirs[profile];
    add(
      `LiveKit Agents, ${profile === 'fast' ? 'tuned' : 'default'}`,
      [mean(plain, (r) => r.reaction_ms.p50), mean(plain, (r) => r.reaction_ms.p95)],
      [],
      [mean(barge, (r) => r.bargePause_ms.p50), mean(barge, (r) => r.bargePause_ms.p95)],
      mean(plain, (r) => r.cpu_pct_per_session),
      mean(plain, (r) => r.rss_per_session_MB),
    );
  }
}
const text = [
  heading(
    'Conversation',
    `${calls} calls at once, ${seconds} s, ${rounds} rounds in turn; models 100/100/50 ms, each word 200 ms after it begins`,
  ),
  table(
    [
      '',
      'reaction p50 / p95',
      'gives way p50 / p95',
      'barge-in stop p50 / p95',
      'CPU of a core per call',
      'memory per call',
    ],
    rows,
  ),
  'Reaction: last sample of the caller’s speech sent → first packet of the reply received. Stop: first interrupting',
  'sample sent → last packet of the agent’s speech received. Ours includes SIP, RTP, G.711, Silero, stereo recording,',
  'database and events; gives way: the agent is at least 12 dB quieter; the reference has none of them (frames in and out of one process).',
  ...(hasLivekit ? [] : ['Without the reference: see bench/reference/livekit-agents/README.md.']),
].join('\n');
console.log(text);
if (args.save) saveResult('conversation', text);
process.exit(0);
