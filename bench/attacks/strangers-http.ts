import { connect, type Socket } from 'node:net';
import { paced, request, type Attack, type Report } from './attack.ts';

/** Requests at a rate, at most `most` at once. */
export async function requests(
  perSecond: number,
  most: number,
  stop: AbortSignal,
  report: Report,
  send: () => Promise<{ status: number }>,
): Promise<void> {
  let open = 0;
  await paced(perSecond, stop, () => {
    if (open >= most) return;
    open += 1;
    report.sent += 1;
    send()
      .then(({ status }) => report.answer(status))
      .catch(() => undefined)
      .finally(() => (open -= 1));
  });
}

const documents: Attack = {
  id: '1.7',
  name: '/openapi.json, /api.md and /metrics, 200 a second each',
  async run(target, report, stop) {
    const get = (path: string): Promise<void> =>
      requests(200 * target.floodShare, 50, stop, report, () => request(target, null, 'GET', path, { stop }));
    await Promise.all([get('/openapi.json'), get('/api.md'), get('/metrics')]);
  },
};

const wrongKeys: Attack = {
  id: '1.7',
  name: 'wrong API keys, 500 a second',
  async run(target, report, stop) {
    let n = 0;
    await requests(500 * target.floodShare, 100, stop, report, async () => {
      const key = `cw_live_${String((n += 1)).padStart(32, 'a')}`;
      const answer = await request(target, key, 'GET', '/api/v0/calling/history', { stop });
      if (answer.status === 200)
        report.leak(`the wrong key ${key} was accepted: ${answer.text.slice(0, 200)}`);
      return answer;
    });
  },
};

const slowHeads: Attack = {
  id: '1.7',
  name: '400 HTTP connections that trickle their heads',
  async run(target, report, stop) {
    const port = Number(new URL(target.url).port);
    const held = new Set<Socket>();
    const open = (): void => {
      const socket = connect(port, '127.0.0.1');
      held.add(socket);
      report.sent += 1;
      socket.on('error', () => undefined);
      socket.once('close', () => {
        held.delete(socket);
        report.answer('closed');
      });
      socket.write('GET /api/v0/workspace HTTP/1.1\r\nHost: a\r\n');
    };
    let turn = 0;
    await paced(200, stop, () => {
      if (held.size < 400) open();
      else [...held][(turn += 1) % held.size]?.write(`X-${turn}: 1\r\n`);
    });
    for (const socket of held) socket.destroy();
  },
};

export const strangersByHttp: readonly Attack[] = [documents, wrongKeys, slowHeads];
