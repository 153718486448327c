import { createServer, request as httpRequest, type Server } from 'node:http';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  callEntrance,
  listenEntrance,
  receiveWebSockets,
  type Entrance,
} from '../../../src/app/web-sockets.ts';
import { WEB_SOCKET_PATHS } from '../../../src/http/server/web-socket-paths.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { LISTEN_PROTOCOL } from '../../../src/telephony/web/listener-socket.ts';
import { WEB_CALL_PROTOCOL } from '../../../src/telephony/web/messages.ts';
import { createTestDatabase, type TestDatabase } from '../../helpers/database/database.ts';

/** New connections that one block of addresses may begin at once. */
const AT_ONCE = 40;
const PATHS = [
  ['a browser call', WEB_SOCKET_PATHS.call, WEB_CALL_PROTOCOL],
  ['listening', WEB_SOCKET_PATHS.listen, LISTEN_PROTOCOL],
] as const;

let database: TestDatabase;
let server: Server;
/** What reached the call plane. */
const decided: string[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  const refusal = { refuse: 401, reason: 'no' } as const;
  const plane = {
    open: async () => (decided.push('call'), refusal),
    openListener: async () => (decided.push('listener'), refusal),
    connect: () => undefined,
    listen: () => undefined,
    carrierStatus: () => undefined,
  };
  const tokens = { db: database.db, now: () => new Date() };
  const none: Entrance = { protocol: 'none', receive: async () => refusal };
  server = createServer();
  receiveWebSockets(
    server,
    { call: callEntrance(plane, tokens), listen: listenEntrance(plane, tokens), chat: none, carrier: none },
    {
      log: silentLog,
      clock: { now: () => 0, monotonic: () => 0 },
      peerOf: ({ headers }) => String(headers['x-peer']),
    },
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  server?.closeAllConnections();
  server?.close();
  await database?.close();
});

let sent = 0;
/** Asks for an upgrade with a token that nobody was given, and resolves with the status. */
async function guess(path: string, protocol: string, peer: string): Promise<number> {
  const { port } = server.address() as { port: number };
  const token = String((sent += 1)).padStart(43, 'A');
  const asked = httpRequest({
    host: '127.0.0.1',
    port,
    path,
    headers: {
      'x-peer': peer,
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      'sec-websocket-protocol': `${protocol}, token.${token}`,
    },
  });
  asked.end();
  const [response] = (await once(asked, 'response')) as [{ statusCode: number; resume(): void }];
  response.resume();
  return response.statusCode;
}

describe('upgrades with random tokens', () => {
  it.each(PATHS)(
    'to %s are refused beyond 40 of one /24 before the token is looked at',
    async (_, path, protocol) => {
      const statuses: number[] = [];
      for (let n = 0; n < 2 * AT_ONCE; n += 1) statuses.push(await guess(path, protocol, `192.0.2.${n}`));
      expect(statuses).toEqual([...Array<number>(AT_ONCE).fill(401), ...Array<number>(AT_ONCE).fill(429)]);
      expect(await guess(path, protocol, '198.51.100.1')).toBe(401);
    },
  );

  it('reach neither the call plane nor its transactions', () => {
    expect(decided).toEqual([]);
  });
});
