import { parentPort, workerData } from 'node:worker_threads';
import { judgeCall } from '../../src/rehearsal/judge/judge-call.ts';
import { playCall } from '../../src/rehearsal/play/play-call.ts';
import { seedOf } from '../../src/rehearsal/draw.ts';
import { CALLERS, goodAgent, rehearsable } from './agent.ts';

/** Plays one kind of caller for a time; answers the conversations, their turns and the processor time. */
const { ms, seed } = workerData as { ms: number; seed: number };
const candidate = goodAgent();
const agent = rehearsable(candidate);
const scenario = CALLERS.find(({ name }) => name === 'Looks at the calendar')!;
let calls = 0;
let turns = 0;
const before = process.threadCpuUsage();
const until = performance.now() + ms;
while (performance.now() < until) {
  const played = await playCall({ agent, scenario, seed: seedOf(seed, calls), timing: candidate.timing });
  judgeCall(scenario.expect, played, []);
  calls += 1;
  turns += played.caller.filter(({ kind }) => kind !== 'greeting').length;
}
const { user, system } = process.threadCpuUsage(before);
parentPort?.postMessage({ calls, turns, processorMs: (user + system) / 1_000 });
