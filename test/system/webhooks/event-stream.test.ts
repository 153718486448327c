import { once } from 'node:events';
import { connect } from 'node:net';
import Fastify from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { LiveAccess } from '../../../src/domain/access/live-access.ts';
import { systemClock } from '../../../src/shared/clock.ts';
import { closingOf, streamEvents } from '../../../src/http/live/event-stream.ts';

const app = Fastify();
afterEach(() => app.close());

it('ends at once, without an error, when the client left before the handler ran', async () => {
  const ends = { closing: closingOf(app), live: new LiveAccess({ db: {} as never, clock: systemClock }) };
  const errors: unknown[] = [];
  const ended = Promise.withResolvers<boolean>();
  const arrived = Promise.withResolvers<void>();
  app.addHook('onRequest', async (_, reply) => {
    const left = once(reply.raw, 'close');
    arrived.resolve();
    await left;
  });
  app.get('/stream', async (request, reply) => {
    reply.raw.on('error', (error) => errors.push(error));
    request.caller = { credential: { kind: 'call' } } as typeof request.caller;
    await streamEvents(request, reply, ends, async (signal, send) => {
      const wasAborted = signal.aborted;
      for (let each = 0; each < 3; each++) send({ each });
      ended.resolve(wasAborted);
    });
    return reply;
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as { port: number };
  const client = connect(port, '127.0.0.1');
  client.write('GET /stream HTTP/1.1\r\nHost: x\r\n\r\n');
  await arrived.promise;
  client.destroy();
  expect(await ended.promise).toBe(true);
  await new Promise((resolve) => setImmediate(resolve));
  expect(errors).toEqual([]);
});
