import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { TcpTransport } from '../../src/telephony/sip/tcp.ts';
import { TooLateError } from '../../src/telephony/sip/transport.ts';
import { silentLog } from '../../src/shared/log.ts';

it('bytes whose time has passed when their connection is made do not leave; later ones use the connection', async () => {
  let heard = '';
  const server = createServer((socket) => socket.on('data', (chunk) => (heard += chunk.toString())));
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
  await expect.poll(() => heard).toBe('in time');
  await tcp.close();
  server.close();
});

it('a connection that is refused is no late one', async () => {
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
