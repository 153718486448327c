import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { OFFLINE_PROVIDERS } from '../src/providers/choose/installation.ts';
import { percentile } from './conversation/run.ts';
import { heading, saveResult, table } from './report.ts';

/**
 * Answer to first audio of calls that are answered in the same second and whose first message was never spoken: the
 * whole program with the offline voices and the built-in carrier, beside one such call alone. `--ring 0` leaves no time to
 * synthesise ahead of the answer.
 */
const { values: args } = parseArgs({
  options: {
    calls: { type: 'string', default: '16' },
    rounds: { type: 'string', default: '3' },
    ring: { type: 'string', default: '1200' },
    voice: { type: 'string', default: 'Grace' },
    save: { type: 'boolean', default: false },
  },
});
const calls = Number(args.calls);
const rounds = Number(args.rounds);
const KEY = 'cw_live_benchbenchbenchbenchbenchbench';
const NAMES = [
  'Anna',
  'Bela',
  'Carla',
  'David',
  'Edith',
  'Fiona',
  'Gustav',
  'Hanna',
  'Ivan',
  'Julia',
  'Karl',
];
/** As long as a first message may be, so that one call's message can hold up the others. */
const MESSAGE =
  'Hello {{callee_name}}, this is Maya from the Riverside Dental Clinic on Main Street. I am calling about your check-up ' +
  'next week. The doctor has moved to the second floor, so please take the lift on the left side of the hall, and ' +
  'bring your insurance card and the letter that we have sent to you. If you cannot come, we have other times on ' +
  'Thursday and on Friday in the morning. Can you still come on Tuesday at half past ten?';

const dir = mkdtempSync(join(tmpdir(), 'callwright-bench-'));
writeFileSync(
  join(dir, 'provision.json'),
  JSON.stringify({
    workspaces: [
      {
        name: 'Bench',
        api_key: KEY,
        credits: 'unlimited',
        call_limit: 10_000,
        numbers: [{ number: '+14155550100', trunk: 'test' }],
      },
    ],
  }),
);
const child = spawn(process.execPath, [join(import.meta.dirname, 'conversation/service.ts')], {
  env: {
    ...process.env,
    PORT: '0',
    SIP_PORT: '0',
    DATA_DIR: dir,
    LOG_LEVEL: 'warn',
    PROVISION_FILE: join(dir, 'provision.json'),
    BENCH_RING_MS: args.ring,
    BENCH_PROVIDERS: JSON.stringify(OFFLINE_PROVIDERS),
  },
  stdio: ['ignore', 'pipe', 'inherit'],
});
process.once('exit', () => child.kill('SIGKILL'));
const url = await new Promise<string>((resolve, reject) => {
  child.once('exit', (code) => reject(new Error(`the service ended with ${code}`)));
  child.stdout.on('data', (chunk: Buffer) => {
    const match = /ready (\S+)/.exec(chunk.toString());
    if (match !== null) resolve(match[1]!);
  });
});

async function api(method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown): Promise<any> {
  const answer = await fetch(`${url}/api/v0${path}`, {
    method,
    headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const json: any = await answer.json();
  if (!answer.ok) throw new Error(json.message);
  return json;
}

const { voices } = await api('GET', '/agent/voices?language=en-US');
const voice = voices.find(({ name }: { name: string }) => name === args.voice);
if (voice === undefined) throw new Error(`no voice ${args.voice}`);
const agent = await api('POST', '/public/agent', {
  agent_name: 'Bench',
  introduction_and_objective: 'You help callers.',
  response_guidelines: 'Be brief.',
  task: 'Answer questions.',
  primary_language: 'en-US',
  voice_id: voice.id,
  intro_message: MESSAGE,
  call_config: {
    call_time: { call_start_time: '00:00', call_end_time: '00:00', timezone: 'Etc/UTC' },
    max_call_length: 10,
  },
});

let called = 0;
/** Places calls in one go and returns the seconds from answer to first packet of each. */
async function firstAudio(names: readonly string[]): Promise<number[]> {
  const placed = await Promise.all(
    names.map((name) =>
      api('POST', '/calling/outbound/individual', {
        name,
        mobile_number: `+1415555${String(1000 + (called++ % 8000)).padStart(4, '0')}`,
        agent_id: agent.data.id,
        from_number: '+14155550100',
      }),
    ),
  );
  const waits: number[] = [];
  for (const { data } of placed) {
    for (;;) {
      const { data: call } = await api('GET', `/calling/call-details?id=${data.call_id}`);
      if (['completed', 'failed', 'error'].includes(call.call_status)) {
        // Without any sound in its whole length the call counts as endless silence.
        waits.push(call.first_utterance_seconds ?? Number.POSITIVE_INFINITY);
        break;
      }
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
  return waits;
}

const fresh = (count: number, round: number): string[] =>
  Array.from({ length: count }, (_, i) => `${NAMES[i % NAMES.length]} ${NAMES[round % NAMES.length]} ${i}`);
const seen = { alone: [] as number[], distinct: [] as number[], same: [] as number[] };
for (let round = 0; round < rounds; round++) {
  process.stderr.write(`round ${round + 1} of ${rounds}\n`);
  seen.alone.push(...(await firstAudio([`Alone ${round}`])));
  seen.distinct.push(...(await firstAudio(fresh(calls, round))));
  seen.same.push(...(await firstAudio(Array.from({ length: calls }, () => `Same ${round}`))));
}
child.kill('SIGTERM');
await new Promise((resolve) => child.once('exit', resolve));
rmSync(dir, { recursive: true, force: true });

const alone = percentile(seen.alone, 0.5);
const row = (name: string, waits: readonly number[]): string[] => [
  name,
  ...[percentile(waits, 0.5), percentile(waits, 0.99), Math.max(...waits)].map((seconds) =>
    Number.isFinite(seconds) ? `${Math.round(seconds * 1000)} ms` : 'never',
  ),
  (percentile(waits, 0.99) / alone).toFixed(1),
  String(waits.filter((seconds) => !(seconds <= 1)).length),
];
const text = [
  heading(
    'Greetings',
    `${calls} calls at once, ${rounds} rounds, voice ${args.voice}, built-in carrier rings ${args.ring} ms`,
  ),
  table(
    ['first message', 'p50', 'p99', 'max', 'p99 / one call alone', 'calls over 1 s'],
    [row('one call alone', seen.alone), row('one per call', seen.distinct), row('the same', seen.same)],
  ),
  'From the answer to the first packet of the first message, which was never spoken before.',
].join('\n');
console.log(text);
if (args.save) saveResult('greetings', text);
process.exit(0);
