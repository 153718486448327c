import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freeTcpPort, startService, type Service } from '../helpers/service/service.ts';

const OWN_HOST = '127.0.0.2';
let service: Service;
let port = 0;
beforeAll(async () => {
  port = await freeTcpPort();
  service = await startService({ env: { AUDIOSOCKET_PORT: String(port), AUDIOSOCKET_HOST: OWN_HOST } });
});
afterAll(() => service?.dispose());

/** Null: the connection was accepted. */
async function refusal(host: string): Promise<string | null> {
  const socket = connect({ host, port });
  try {
    await once(socket, 'connect');
    return null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'failed';
  } finally {
    socket.destroy();
  }
}

it('AudioSocket listens at AUDIOSOCKET_HOST alone', async () => {
  expect(await refusal(OWN_HOST)).toBe(null);
  expect(await refusal('127.0.0.1')).toBe('ECONNREFUSED');
});
