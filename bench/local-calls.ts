/**
 * Calls without a key by voices that are none of the service's: what the recogniser of this machine writes of them, whether the
 * answers are right, how soon they come, what a call costs, how well the agent is understood, and whether as many calls at once
 * as the machine promises are heard. It needs the English pack
 * and the voices of the callers: bin/callwright models get kokoro-v1. Python with venv installs the judges.
 * Run: node bench/local-calls.ts [--calls 20] [--at-once 2] [--words] [--save]
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultModelsDir } from '../src/config/models-dir.ts';
import { startSipPeer } from '../test/helpers/sip/sip-peer.ts';
import { boundsText, heading, saveResult, table } from './report.ts';
import { holdCall, type HeldCall } from './local-calls/call.ts';
import { foldedErrorRate, percentile, spokenParts } from './local-calls/figures.ts';
import { holdPromised } from './local-calls/promised.ts';
import { callerOf, linesOf } from './local-calls/script.ts';
import { OURS, startBenchService } from './local-calls/service.ts';
import { judge, kokoroFolder, synthesise } from './local-calls/voices.ts';

const option = (name: string, otherwise: number): number => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : Number(process.argv[at + 1]);
};
const calls = option('calls', 20);
const atOnce = option('at-once', 2);
const modelsDir = process.env['MODELS_DIR'] ?? defaultModelsDir(process.env, './data');
kokoroFolder(modelsDir);
const callers = Array.from({ length: calls }, (_, n) => callerOf(n));
synthesise(
  callers.flatMap((caller) => linesOf(caller).map((text) => ({ text, voice: caller.voice }))),
  modelsDir,
);

const peer = await startSipPeer();
const service = await startBenchService(peer, {
  MODELS_DIR: modelsDir,
  RECOGNISER_CALLS: String(Math.max(8, atOnce)),
});
const folder = await mkdtemp(join(tmpdir(), 'local-calls-'));
const held: HeldCall[] = [];
const use = (): { cpuMs: number; rssMb: number } => {
  const fields = readFileSync(`/proc/${service.child.pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return { cpuMs: (Number(fields[11]) + Number(fields[12])) * 10, rssMb: (Number(fields[21]) * 4096) / 1e6 };
};
try {
  // The first call loads recogniser and voice.
  await holdCall(service, peer, OURS, { caller: callerOf(0), n: 999, isNoisy: false });
  const before = use();
  const startedAt = performance.now();
  let peakMb = before.rssMb;
  const waiting = callers.map((caller, n) => ({ caller, n, isNoisy: n % 2 === 1 }));
  const line = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      held.push(await holdCall(service, peer, OURS, next));
      peakMb = Math.max(peakMb, use().rssMb);
      console.error(`${held.length} of ${calls}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, line));
  const after = use();
  const wallMs = performance.now() - startedAt;
  await service.dispose();
  console.error('as many calls as the machine promises, and one more');
  const promised = await holdPromised(peer, modelsDir);

  if (process.argv.includes('--words')) {
    for (const { isNoisy, said, endReason } of held) {
      for (const one of said) console.log(isNoisy ? 'noisy' : 'clean', JSON.stringify(one));
      console.log(endReason);
    }
  }
  const files = held.map(({ received }, n) => {
    const file = join(folder, `${n}.pcm`);
    const parts = spokenParts(received);
    writeFileSync(file, Buffer.from(parts.buffer, parts.byteOffset, parts.byteLength));
    return file;
  });
  console.error('Whisper and DNSMOS judge the agent');
  const judged = judge(files);
  const words = (isNoisy: boolean): number =>
    foldedErrorRate(
      held
        .filter((call) => call.isNoisy === isNoisy)
        .flatMap(({ said }) => said.map(({ text, heard }) => ({ said: text, heard }))),
    );
  const asked = held.flatMap(({ said, caller }) =>
    said.slice(0, caller.questions.length).map((one, n) => ({
      isHeard: foldedErrorRate([{ said: one.text, heard: one.heard }]) === 0,
      isRight: caller.questions[n]?.answer.test(one.answer) === true,
    })),
  );
  const heardWell = asked.filter(({ isHeard }) => isHeard);
  const reactions = held.flatMap(({ said }) => said.flatMap(({ reactionMs }) => reactionMs ?? []));
  const agentErrors = foldedErrorRate(
    held.map(({ agentWords }, n) => ({ said: agentWords, heard: judged[n]?.words ?? '' })),
  );
  const mos = judged.reduce((sum, one) => sum + one.mos, 0) / judged.length;
  const [p50, p95] = [percentile(reactions, 0.5), percentile(reactions, 0.95)];
  const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
  const right = heardWell.filter(({ isRight }) => isRight).length;
  const ended = held.filter(
    ({ endReason }) => endReason === 'AGENT_ENDED' || endReason === 'USER_LEFT',
  ).length;
  const rows = [
    ['words of the callers that are wrong, clean', percent(words(false))],
    ['the same with white noise at 15 dB', percent(words(true))],
    ['right answers where the words were right', `${right} of ${heardWell.length}`],
    ['right answers in all', `${asked.filter(({ isRight }) => isRight).length} of ${asked.length}`],
    ['calls that ended after the goodbyes', `${ended} of ${held.length}`],
    ['from the caller’s last sound to the agent’s first, p50', `${p50} ms`],
    ['p95', `${p95} ms`],
    ['processor of the program, a call', percent((after.cpuMs - before.cpuMs) / wallMs / atOnce)],
    ['memory of the program at its peak', `${Math.round(peakMb)} MB`],
    ['memory that a call adds', `${Math.round((peakMb - before.rssMb) / atOnce)} MB`],
    ['calls that this machine promises at once', `${promised.calls}`],
    ['of these, ended after the goodbyes', `${promised.whole}`],
    ['media ticks late, worst 99th percentile while they ran', `${promised.lateMs.toFixed(1)} ms`],
    ['words of the agent that Whisper base writes wrong', percent(agentErrors)],
    ['DNSMOS of the agent, overall', mos.toFixed(2)],
  ];
  const text = [
    heading(
      'Calls on this machine alone',
      `${calls} inbound calls, ${atOnce} at once, by voices of Kokoro; every second one with noise, without a key`,
    ),
    table(['figure', 'value'], rows),
    boundsText([
      { text: 'at most 10 % of the words are wrong, clean', holds: words(false) <= 0.1 },
      { text: 'at most 15 % with noise at 15 dB', holds: words(true) <= 0.15 },
      { text: 'every answer is right where the words were', holds: right === heardWell.length },
      { text: 'reaction p50 at most 700 ms, p95 at most 1,000 ms', holds: p50 <= 700 && p95 <= 1000 },
      { text: 'at most 8 % of the agent’s words are misheard', holds: agentErrors <= 0.08 },
      { text: 'DNSMOS is at least 3.25', holds: mos >= 3.25 },
      {
        text: 'as many calls as promised run at once, none of them a packet (20 ms) late',
        holds: promised.whole === promised.calls && promised.lateMs < 20,
      },
      { text: 'one call more hears busy', holds: promised.isRefused },
    ]),
  ].join('\n');
  console.log(text);
  if (process.argv.includes('--words')) {
    for (const [n, { agentWords }] of held.entries())
      console.log(`agent ${agentWords}\nheard ${judged[n]?.words ?? ''}`);
  }
  if (process.argv.includes('--save')) saveResult('local-calls', text);
} finally {
  await service.dispose();
  await peer.stop();
  await rm(folder, { recursive: true, force: true });
}
