import { fastify } from 'fastify';
import { expect, it } from 'vitest';
import { StrangerBodies } from './stranger-bodies.ts';

/** A server that holds every request until it is let go. */
function held() {
  const refused: string[] = [];
  const go = Promise.withResolvers<void>();
  const app = fastify({ bodyLimit: 10_000_000, trustProxy: true });
  new StrangerBodies(() => refused.push('refused')).guard(app, 10_000_000);
  app.post('/', async () => {
    await go.promise;
    return 'ok';
  });
  const post = (from: string, bytes: number): Promise<number> =>
    app
      .inject({
        method: 'POST',
        url: '/',
        headers: { 'x-forwarded-for': from, 'content-type': 'text/plain' },
        payload: 'x'.repeat(bytes),
      })
      .then(({ statusCode }) => statusCode);
  return { app, post, refused, go };
}

it('bodies of one block of addresses hold a part of the memory, and small ones are taken meanwhile', async () => {
  const { app, post, refused, go } = held();
  const first = [post('192.0.2.1', 8_000_000), post('192.0.2.2', 8_000_000)];
  await expect.poll(() => post('192.0.2.3', 8_000_000)).toBe(429);
  const others = [post('192.0.2.3', 2_000), post('198.51.100.1', 8_000_000)];
  go.resolve();
  expect(await Promise.all([...first, ...others])).toEqual([200, 200, 200, 200]);
  expect(await post('192.0.2.3', 8_000_000)).toBe(200);
  expect(refused.length).toBeGreaterThan(0);
  await app.close();
});
