import { request as httpRequest } from 'node:http';
import { WebSocket } from 'ws';
import { WEB_CHAT_PROTOCOL } from '../../src/chat/web/messages.ts';
import { WEB_CALL_PROTOCOL } from '../../src/telephony/web/messages.ts';
import { paced, repeated, request, type Attack, type Report, type Target } from './attack.ts';
import { requests } from './strangers-http.ts';

/** The public key of the hostile agent's widget, which every page shows. */
async function publicKey(target: Target): Promise<string> {
  const { body } = await request(target, target.key, 'GET', `/api/v0/agent/${target.agentId}`);
  return String(body.agents.webcall_public_key);
}

/** A connection as a page opens it; resolves with null when it is refused. */
function connect(url: string, protocol: string, token: string, origin: string): Promise<WebSocket | null> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url, [protocol, `token.${token}`], { origin });
    socket.on('error', () => resolve(null));
    socket.once('open', () => resolve(socket));
  });
}

/** Opens a browser call or a chat, again when its connection is closed, and sends to it without end. */
async function flood(
  target: Target,
  report: Report,
  stop: AbortSignal,
  path: '/api/v0/calling/webcall' | '/api/v0/chat/web',
  message: (n: number) => object,
): Promise<void> {
  const [key, protocol] = [
    await publicKey(target),
    path === '/api/v0/chat/web' ? WEB_CHAT_PROTOCOL : WEB_CALL_PROTOCOL,
  ];
  const origin = target.url;
  await repeated(500, stop, async () => {
    const body = { agent_id: target.agentId, custom_args_values: { callee_name: 'Eve' } };
    const opened = await request(target, key, 'POST', path, { body, headers: { origin }, stop });
    if (opened.status !== 200) return report.answer(opened.status);
    const socket = await connect(String(opened.body.ws_url), protocol, String(opened.body.token), origin);
    if (socket === null) return report.answer('refused');
    const closed = new Promise<void>((resolve) => {
      socket.once('close', (code) => {
        report.answer(code);
        resolve();
      });
    });
    const sending = new AbortController();
    void closed.then(() => sending.abort());
    stop.addEventListener('abort', () => socket.terminate(), { once: true });
    let n = 0;
    await paced(20_000 * target.floodShare, sending.signal, () => {
      report.sent += 1;
      socket.send(JSON.stringify(message((n += 1))));
    });
    await closed;
    return undefined;
  });
}

const typedLines: Attack = {
  id: '1.8',
  name: 'typed lines without end on a browser call',
  run: (target, report, stop) =>
    flood(target, report, stop, '/api/v0/calling/webcall', () => ({
      type: 'text',
      text: 'I want to book a table for two at eight please',
    })),
};

const keys: Attack = {
  id: '1.8',
  name: 'keys without end on a browser call',
  run: (target, report, stop) =>
    flood(target, report, stop, '/api/v0/calling/webcall', () => ({ type: 'dtmf', digit: '1' })),
};

const ready: Attack = {
  id: '1.9',
  name: '`ready` in a loop on a web chat',
  run: (target, report, stop) => flood(target, report, stop, '/api/v0/chat/web', () => ({ type: 'ready' })),
};

const chatLines: Attack = {
  id: '1.9',
  name: 'lines without end on a web chat',
  run: (target, report, stop) =>
    flood(target, report, stop, '/api/v0/chat/web', (n) => ({ type: 'text', id: `n${n}`, text: 'Hello' })),
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
  id: '1.11',
  name: 'sign-ins with wrong passwords, 100 a second',
  run: (target, report, stop) => {
    let n = 0;
    return requests(100 * target.floodShare, 50, stop, report, () =>
      request(target, null, 'POST', '/dashboard-api/sign-in', {
        body: { email: `user${(n += 1)}@example.com`, password: 'wrong password' },
        stop,
      }),
    );
  },
};

export const strangersByWeb: readonly Attack[] = [
  typedLines,
  keys,
  ready,
  chatLines,
  upgrades,
  bodies,
  hashes,
];
