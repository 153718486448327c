import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { TcpTransport, TooLateError } from '@callwright/sip';
import { silentLog } from '../../../src/shared/log.ts';

it('does not send bytes whose permit expired during connect; later ones use the connection', async () => {
  let received = '';
  const server = createServer((socket) => socket.on('data', (chunk) => (received += chunk.toString())));
  server.listen({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const tcp = new TcpTransport(() => undefined, silentLog);
  const peer = { transport: 'tcp', address: '127.0.0.1', port } as const;
  const send = (text: string, mayLeave: () => boolean): Promise<Error | null> =>
    new Promise((resolve) => tcp.send(Buffer.from(text), peer, resolve, mayLeave));
  expect(await send('late', () => false)).toBeInstanceOf(TooLateError);
  expect(await send('in time', () => true)).toBeNull();
  await expect.poll(() => received).toBe('in time');
  await tcp.close();
  server.close();
});

it('reports a refused connection as an error, not as too late', async () => {
  const tcp = new TcpTransport(() => undefined, silentLog);
  const server = createServer();
  server.listen({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  server.close();
  await once(server, 'close');
  const peer = { transport: 'tcp', address: '127.0.0.1', port } as const;
  const error = await new Promise((resolve) => tcp.send(Buffer.from('x'), peer, resolve, () => true));
  expect(error).toBeInstanceOf(Error);
  expect(error).not.toBeInstanceOf(TooLateError);
});

it('closes the connection of an unknown source after its time limit, unless the source proved itself', async () => {
  let trusted = '';
  const tcp = new TcpTransport(() => undefined, silentLog, {
    isTrusted: (address) => address === trusted,
    untrustedMs: 300,
  });
  const { port } = await tcp.start('127.0.0.1', 0);
  const open = async (localAddress: string): Promise<{ closed: () => boolean }> => {
    const socket = connect({ host: '127.0.0.1', port, localAddress });
    let closed = false;
    socket.on('close', () => (closed = true));
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return { closed: () => closed };
  };
  const [proven, unknown] = [await open('127.0.0.2'), await open('127.0.0.3')];
  trusted = '127.0.0.2';
  await expect.poll(unknown.closed, { timeout: 60_000 }).toBe(true);
  expect(proven.closed()).toBe(false);
  await tcp.close();
});
