import { once } from 'node:events';
import { fastify } from 'fastify';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { limitBodyTime } from '../../../src/http/server/slow-bodies.ts';
import { createTenant, createTestApi, type Tenant, type TestApi } from '../../helpers/api/api.ts';
import { formBody } from '../../helpers/api/full-request.ts';

const EDGE = 'edge-of-a-part';
const type = `multipart/form-data; boundary=${EDGE}`;
let api: TestApi;
let [a, b]: Tenant[] = [];
let port: number;
const sockets: Socket[] = [];
beforeAll(async () => {
  api = await createTestApi();
  a = await createTenant(api);
  b = await createTenant(api);
  port = Number(new URL(await api.server.listen({ port: 0, host: '127.0.0.1' })).port);
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await api.close();
});

/** Opens an upload that sends only its head and the start of its body. */
function trickle(tenant: Tenant, path: string, at = port): Socket {
  const socket = connect(at, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined);
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: a\r\nX-API-KEY: ${tenant.key}\r\nContent-Type: ${type}\r\nContent-Length: 900000\r\n\r\n--${EDGE}\r\nContent-Disposition: form-data; name="x"\r\n\r\nx`,
  );
  return socket;
}
const upload = (tenant: Tenant, path: string): Promise<number> =>
  api
    .request('POST', path, {
      key: tenant.key,
      raw: formBody({ kb_name: 'Terms' }, [path.includes('kb') ? 'files' : 'file', 'a.txt', 'Text.']),
      headers: { 'content-type': type },
    })
    .then(({ status }) => status);

it.each([
  ['/api/v0/external/kb', 2],
  ['/api/v0/campaign/save', 4],
])('leaves a slot of %s to another workspace while one trickles eight uploads', async (path, slots) => {
  const refused: Buffer[] = [];
  for (let i = 0; i < 8; i += 1) trickle(a!, path).on('data', (answer: Buffer) => refused.push(answer));
  const until = performance.now() + 60_000;
  while (refused.length < 8 - slots && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  expect(await upload(a!, path)).toBe(429);
  expect(await upload(b!, path)).not.toBe(429);
});

it('closes an upload below the minimum rate, and keeps one above it', async () => {
  const app = fastify();
  limitBodyTime(app, 60_000, { bytes: 100, windowMs: 2_000 });
  app.addContentTypeParser('multipart/form-data', (_request, body, done) => {
    body.on('end', () => done(null)).resume();
  });
  app.post('/up', { config: { takesLong: true } }, () => 'ok');
  const at = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port);
  const [slow, steady] = [trickle(a!, '/up', at), trickle(a!, '/up', at)];
  let isSteadyClosed = false;
  steady.on('close', () => (isSteadyClosed = true)).resume();
  // A stall of this process that is shorter than the window starves neither.
  const feeding = setInterval(() => {
    steady.write('x'.repeat(200));
    slow.write('x');
  }, 40);
  await once(slow.resume(), 'close');
  clearInterval(feeding);
  expect(isSteadyClosed).toBe(false);
  steady.destroy();
  await app.close();
});
