import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { limitConnections, mostConnections } from './connection-limit.ts';

it.each([
  [null, 20_000],
  [1_000, 256],
  [4_096, 1_536],
  [1_048_576, 20_000],
])('with %j open files there are %i connections', (files, most) => {
  expect(mostConnections(files)).toBe(most);
});

it.each([
  ['closes the third connection of a block of addresses', false, 2],
  ['leaves those of a proxy alone', true, 3],
])('%s', async (_, isProxy, open) => {
  let refused = 0;
  const server = createServer();
  limitConnections(server, { most: 8, isProxy: () => isProxy, onRefused: () => void (refused += 1) });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const sockets: Socket[] = [];
  let closed = 0;
  for (let n = 0; n < 3; n += 1) {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined).on('close', () => void (closed += 1));
    await new Promise<void>((resolve) => socket.once('connect', resolve));
    sockets.push(socket);
  }
  await expect.poll(() => refused).toBe(3 - open);
  await expect.poll(() => closed).toBe(3 - open);
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});
