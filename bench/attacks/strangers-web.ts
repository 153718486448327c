import { request as httpRequest } from 'node:http';
import { WebSocket } from 'ws';
import { WEB_CALL_PROTOCOL } from '../../src/telephony/web/messages.ts';
import { paced, repeated, request, sleep, type Attack, type Report, type Target } from './attack.ts';
import { PageMachine, publicKey, type PagePath } from './page.ts';
import { requests } from './strangers-http.ts';

/** A stranger opens few calls, so that the limit of new ones is not what stops the attack. */
const OPEN_EVERY_MS = 3_000;
/** Messages a second that a flood offers; its sender waits while the service does not read. */
const FLOOD = 20_000;
/** A user at an address outside the attacked /64 signs in, within the limit of one block of addresses. */
const SIGN_INS_OF_A_BLOCK = 15;
const OTHER_SIGN_IN_MS = 3_000;
const WEB_CALL = '/api/v0/calling/webcall';
const WEB_CHAT = '/api/v0/chat/web';

interface Flood {
  readonly path: PagePath;
  message(n: number): object;
  /** Messages at once, and none after them. Absent: without end, `FLOOD` a second. */
  readonly atOnce?: number;
}

/** Opens a browser call or a chat, again when its connection is closed, and sends to it. */
async function flood(target: Target, report: Report, stop: AbortSignal, what: Flood): Promise<void> {
  const machine = new PageMachine();
  const of = {
    key: await publicKey(target, target.key, target.agentId),
    agentId: target.agentId,
  };
  await repeated(OPEN_EVERY_MS, stop, async () => {
    const socket = await machine.open(target, what.path, of, report);
    if (socket === null) return;
    const over = new AbortController();
    socket.once('close', (code) => {
      report.answer(`closed ${code}`);
      over.abort();
    });
    const end = (): void => socket.terminate();
    stop.addEventListener('abort', end, { once: true });
    let n = 0;
    const send = (): void => {
      report.sent += 1;
      socket.send(JSON.stringify(what.message((n += 1))));
    };
    if (what.atOnce === undefined) await paced(FLOOD * target.floodShare, over.signal, send);
    else {
      // The conversation begins first.
      await sleep(1_000, stop);
      const from = Date.now();
      while (n < what.atOnce && socket.readyState === socket.OPEN) send();
      await sleep(10_000, AbortSignal.any([over.signal, stop]));
      report.marks.push({ from, to: Date.now() });
    }
    stop.removeEventListener('abort', end);
    socket.terminate();
  });
  await machine.close();
}

const LINE = 'I want to book a table for two at eight please';

const linesAtOnce: Attack = {
  id: '1.8',
  name: '1,000 typed lines at once on a browser call',
  longestStepMs: 20,
  run: (target, report, stop) =>
    flood(target, report, stop, {
      path: WEB_CALL,
      atOnce: 1_000,
      message: (n) => ({ type: 'text', text: `${LINE} ${n}` }),
    }),
};

const typedLines: Attack = {
  id: '1.8',
  name: 'typed lines without end on a browser call',
  run: (target, report, stop) =>
    flood(target, report, stop, { path: WEB_CALL, message: () => ({ type: 'text', text: LINE }) }),
};

const press = { path: WEB_CALL, message: () => ({ type: 'dtmf', digit: '1' }) } as const;
const keys: Attack = {
  id: '1.8',
  name: 'keys without end on a browser call',
  run: (target, report, stop) => flood(target, report, stop, press),
};

const ready: Attack = {
  id: '1.9',
  name: '`ready` in a loop on a web chat',
  run: (target, report, stop) =>
    flood(target, report, stop, { path: WEB_CHAT, message: () => ({ type: 'ready' }) }),
};

const chatLines: Attack = {
  id: '1.9',
  name: 'lines without end on a web chat',
  run: (target, report, stop) =>
    flood(target, report, stop, {
      path: WEB_CHAT,
      message: (n) => ({ type: 'text', id: `n${n}`, text: 'Hello' }),
    }),
};

/** Floods of keys with pauses, in and after which another machine opens connections: the service resets none of them. */
const resets: Attack = {
  id: '1.8',
  name: 'new connections of others beside and after floods of keys',
  async run(target, report, stop) {
    const other = new PageMachine();
    const counts = { answered: 0, refused: 0, reset: 0 };
    const open = new Set<Promise<unknown>>();
    const probing = paced(60, stop, () => {
      if (open.size >= 60) return;
      report.sent += 1;
      const probe = other.probe(`${target.url}/healthz`).then((answer) => {
        open.delete(probe);
        counts[answer] += 1;
      });
      open.add(probe);
    });
    await repeated(0, stop, async () => {
      const burst = AbortSignal.any([stop, AbortSignal.timeout(3_000)]);
      await flood(target, report, burst, press);
      await sleep(2_000, stop);
    });
    await probing;
    await Promise.all(open);
    for (const [answer, count] of Object.entries(counts)) report.answers.set(`connections ${answer}`, count);
    if (counts.reset > 0) report.leak(`${counts.reset} new connections were reset`);
    if (counts.refused > 0) report.leak(`${counts.refused} new connections were refused`);
    await other.close();
  },
};

const upgrades: Attack = {
  id: '1.10',
  name: 'upgrades with random tokens, 300 a second',
  run: (target, report, stop) =>
    requests(300 * target.floodShare, 100, stop, report, () => {
      const token = Math.random().toString(36).slice(2).padEnd(43, 'A');
      return new Promise((resolve) => {
        const socket = new WebSocket(`${target.url.replace('http:', 'ws:')}/web-call`, [
          WEB_CALL_PROTOCOL,
          `token.${token}`,
        ]);
        socket.on('error', () => resolve({ status: 0 }));
        socket.once('unexpected-response', (_, { statusCode = 0 }) => {
          socket.terminate();
          resolve({ status: statusCode });
        });
      });
    }),
};

/** A POST whose body of 1 MB never ends. */
function trickled(target: Target, path: string, stop: AbortSignal): Promise<{ status: number }> {
  return new Promise((resolve) => {
    const headers = { 'content-type': 'application/json', 'content-length': '1000000' };
    const sent = httpRequest(`${target.url}${path}`, { method: 'POST', headers, agent: false });
    sent.on('error', () => resolve({ status: 0 }));
    sent.once('response', ({ statusCode = 0 }) => {
      sent.destroy();
      resolve({ status: statusCode });
    });
    stop.addEventListener('abort', () => sent.destroy(), { once: true });
    sent.write('x'.repeat(900_000));
  });
}

const bodies: Attack = {
  id: '1.11',
  name: '1 MB bodies without a key that do not end',
  run: (target, report, stop) =>
    requests(40 * target.floodShare, 200, stop, report, () =>
      trickled(
        target,
        Math.random() < 0.5
          ? '/dashboard-api/sign-in'
          : '/whatsapp/webhook/0195b1d0-0000-7000-8000-000000000000',
        stop,
      ),
    ),
};

const hashes: Attack = {
  id: '1.12',
  name: 'hashes: sign-ins with wrong passwords from one block, 100 a second',
  async run(target, report, stop) {
    let n = 0;
    const others: PageMachine[] = [];
    let tries = 0;
    await Promise.all([
      requests(100 * target.floodShare, 50, stop, report, () =>
        request(target, null, 'POST', '/dashboard-api/sign-in', {
          body: { email: `user${(n += 1)}@example.com`, password: 'wrong password' },
          stop,
        }),
      ),
      repeated(OTHER_SIGN_IN_MS, stop, async () => {
        if (tries % SIGN_INS_OF_A_BLOCK === 0) others.push(new PageMachine());
        tries += 1;
        const from = performance.now();
        const status = await others.at(-1)!.signIn(target.url, `other${Math.random()}@example.com`);
        const ms = performance.now() - from;
        report.answer(`sign-in of another block ${status} in ${Math.ceil(ms / 1000)} s or less`);
        if (status !== 401) report.leak(`a sign-in of another block was answered with ${status}`);
      }),
    ]);
    await Promise.all(others.map((other) => other.close()));
  },
};

export const strangersByWeb: readonly Attack[] = [
  linesAtOnce,
  typedLines,
  keys,
  resets,
  ready,
  chatLines,
  upgrades,
  bodies,
  hashes,
];
