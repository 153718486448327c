import { readdirSync, readFileSync } from 'node:fs';
import { repeated, request, sleep, type Attack, type Target } from './attack.ts';

/** Ids of the processes below `root`, by the kernel's table. */
export function processesBelow(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const parent = Number(
        readFileSync(`/proc/${name}/stat`, 'utf8')
          .replace(/^.*\) /, '')
          .split(' ')[1],
      );
      children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
    } catch {
      // The process has ended.
    }
  }
  const found: number[] = [];
  for (const queue = [root]; queue.length > 0;) {
    const below = children.get(queue.pop() ?? 0) ?? [];
    found.push(...below);
    queue.push(...below);
  }
  return found;
}

/** Null: the process has ended. */
function environmentOf(pid: number): { text: string; program: string; command: string } | null {
  const read = (name: string): string => readFileSync(`/proc/${pid}/${name}`, 'latin1');
  try {
    return {
      text: read('environ'),
      program: read('comm').trim(),
      command: read('cmdline').replaceAll('\0', ' ').trim().slice(0, 120),
    };
  } catch {
    return null;
  }
}

/** Engine processes live for tens of milliseconds. */
const SCAN_MS = 25;
/**
 * In the soak: reading a process's environment locks its memory map and so delays its page faults, which only a program on
 * the same machine can do.
 */
const SOAK_SCAN_MS = 500;

let names = 0;
/** A call whose greeting has a new name, so that a speech engine has to say it. */
async function speak(target: Target, stop: AbortSignal): Promise<void> {
  const placed = await request(target, target.key, 'POST', '/api/v0/calling/outbound/individual', {
    body: {
      name: `Sam ${'abcdefghij'[(names += 1) % 10]}ora ${names}`,
      mobile_number: '+14155550006',
      agent_id: target.agentId,
      from_number: target.testNumber,
    },
    stop,
  });
  await sleep(3_000, stop);
  const callId = String(placed.body?.data?.call_id);
  await request(target, target.key, 'POST', `/api/v0/calling/${callId}/hangup`, { body: {} });
}

const environments: Attack = {
  id: '2.13',
  name: 'secrets in the environment of child processes',
  async run(target, report, stop) {
    const speaking = repeated(1_500, stop, () => speak(target, stop));
    await repeated(target.floodShare < 1 ? SOAK_SCAN_MS : SCAN_MS, stop, async () => {
      for (const pid of processesBelow(target.pid)) {
        const seen = environmentOf(pid);
        if (seen === null) continue;
        report.answer(seen.program);
        report.sent += 1;
        if (!target.secrets.some((secret) => seen.text.includes(secret))) continue;
        // Between fork and exec a child still has its parent's memory, and ours to the kernel's table.
        await sleep(200);
        const later = environmentOf(pid);
        if (later !== null && target.secrets.some((secret) => later.text.includes(secret)))
          report.leak(`a secret in the environment of ${later.program} (${later.command})`);
      }
    });
    await speaking;
  },
};

const links: Attack = {
  id: '2.11',
  name: 'forged recording links, and calls of another workspace',
  async run(target, report, stop) {
    const own = await request(target, null, 'GET', new URL(target.recorded.url).pathname);
    report.answer(`own recording ${own.status}`);
    const { body } = await request(target, target.otherKey, 'GET', '/api/v0/calling/history?limit=1');
    const foreign = String(body?.calls?.[0]?.id ?? '00000000-0000-4000-8000-000000000000');
    const token = new URL(target.recorded.url).pathname.replace(/^\/recordings\/|\.wav$/g, '');
    const flipped = (at: number): string =>
      `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`;
    let turn = 0;
    await repeated(20, stop, async () => {
      turn += 1;
      const paths = [
        `/recordings/${flipped(turn % token.length)}.wav`,
        `/recordings/${token.slice(1)}x.wav`,
        '/recordings/..%2f..%2f..%2fetc%2fpasswd.wav',
        `/api/v0/calling/call-details?id=${foreign}`,
        `/api/v0/calling/${foreign}/recording/peaks`,
        `/api/v0/calling/${foreign}/live`,
      ];
      const path = paths[turn % paths.length] ?? '';
      const { status, text } = await request(target, target.key, 'GET', path, { stop });
      report.answer(status);
      report.sent += 1;
      if (status === 200 && !path.includes(token)) report.leak(`${path} returned ${text.length} characters`);
    });
  },
};

export const secrets: readonly Attack[] = [links, environments];
