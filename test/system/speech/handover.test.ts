import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { Listening, LiveCalls } from '../../../src/dialer/live-calls.ts';
import { WebCalls } from '../../../src/dialer/web.ts';
import { systemClock, systemScheduler } from '../../../src/shared/clock.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { dropSocket, releaseSocket, type WebSocketHandover } from '../../../src/telephony/web/handover.ts';
import { WEB_CALL_PROTOCOL } from '../../../src/telephony/web/messages.ts';
import { WebConnections } from '../../../src/workers/web-connections.ts';
import { KeptEvents } from '../../rigs/calls/kept-events.ts';

let server: Server;
let handovers: ((socket: WebSocketHandover) => void)[] = [];
beforeAll(async () => {
  server = createServer();
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    handovers.shift()?.(releaseSocket(socket, request, head));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => void server.close());

/** The code with which a browser's connection is closed when `take` gets it. */
async function closedAs(take: (socket: WebSocketHandover) => void): Promise<number> {
  handovers = [take];
  const { port } = server.address() as AddressInfo;
  const socket = new WebSocket(`ws://127.0.0.1:${port}/web-call`, WEB_CALL_PROTOCOL);
  socket.on('error', () => undefined);
  return new Promise((resolve) => socket.once('close', resolve));
}

describe('a connection that is handed over to a call that is over', () => {
  it('is closed by the worker', async () => {
    const connections = new WebConnections({
      log: silentLog,
      main: new KeptEvents().main,
      clock: systemClock,
      scheduler: systemScheduler,
    });
    expect(await closedAs((socket) => connections.refuse(socket))).toBe(1000);
  });

  it('is closed before it reaches a worker', async () => {
    const deps = { drop: dropSocket } as unknown as ConstructorParameters<typeof WebCalls>[0];
    const calls = new WebCalls(deps);
    expect(await closedAs((socket) => calls.connect('any', socket))).toBe(1006);
  });

  it('is closed for a listener too', async () => {
    const deps = { live: new LiveCalls(), drop: dropSocket };
    const listening = new Listening(deps as unknown as ConstructorParameters<typeof Listening>[0]);
    expect(await closedAs((socket) => listening.connect('any', socket))).toBe(1006);
  });
});
