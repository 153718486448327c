import { fastify } from 'fastify';
import { expect, it } from 'vitest';
import { handleErrors } from './error-handler.ts';
import { limitLargeBodies } from './large-bodies.ts';
import { KnownPaths } from './known-paths.ts';
import { silentLog } from '../../shared/log.ts';
import { readJsonBodies } from './json-body.ts';

const large = (fill: string): string => JSON.stringify({ text: fill.repeat(200_000) });

/** A server whose parsing of a body takes 20 ms of its clock; each request is held until `answer`. */
function server() {
  let ms = 0;
  const timers: { readonly at: number; readonly run: () => void }[] = [];
  const scheduler = {
    now: () => ms,
    after: (delayMs: number, run: () => void) => {
      const timer = { at: ms + delayMs, run };
      timers.push(timer);
      return () => void timers.splice(timers.indexOf(timer), 1);
    },
  };
  const app = fastify({ bodyLimit: 1_048_576 });
  handleErrors(app, silentLog, new KnownPaths(''));
  readJsonBodies(app);
  app.decorateRequest('caller');
  app.addHook('onRequest', async (request) => {
    request.caller = { workspaceId: request.headers['x-of'] } as never;
  });
  limitLargeBodies(app, 1_048_576, { scheduler, now: () => ms });
  app.addHook('preValidation', async () => void (ms += 20));
  const begun: string[] = [];
  const waiting: (() => void)[] = [];
  app.post('/', async (request) => {
    begun.push(String(request.headers['x-of']));
    await new Promise<void>((resolve) => void waiting.push(resolve));
    return {};
  });
  const post = (of: string, body = large('x')): Promise<number> =>
    app
      .inject({
        method: 'POST',
        url: '/',
        headers: { 'x-of': of, 'content-type': 'application/json' },
        payload: body,
      })
      .then(({ statusCode }) => statusCode);
  const run = (forMs: number): void => {
    ms += forMs;
    for (const timer of timers.filter(({ at }) => at <= ms)) {
      timers.splice(timers.indexOf(timer), 1);
      timer.run();
    }
  };
  return { app, post, run, begun, timers, answer: () => waiting.shift()?.() };
}

it('a workspace has one large body read at a time, and the others read theirs and its small ones', async () => {
  const { app, post, run, begun, answer, timers } = server();
  const first = post('a');
  await expect.poll(() => begun).toEqual(['a']);
  const second = post('a');
  const others = [post('b'), post('a', '{}')];
  await expect.poll(() => begun.toSorted()).toEqual(['a', 'a', 'b']);
  for (let n = 0; n < 3; n += 1) answer();
  expect(await Promise.all([first, ...others])).toEqual([200, 200, 200]);
  // It took 20 ms: the next one is read 60 ms after it, not before. Beside them, the second body's wait has a timer.
  await expect.poll(() => timers.length).toBe(3);
  run(59);
  expect(timers).toHaveLength(3);
  run(1);
  await expect.poll(() => begun.length).toBe(4);
  answer();
  expect(await second).toBe(200);
  await app.close();
});

it('a body that is refused gives its place back, and one that waits for ten seconds gets 429', async () => {
  const { app, post, run, begun, answer, timers } = server();
  expect(await post('a', `${large('x')}x`)).toBe(400);
  await expect.poll(() => timers.length).toBe(1);
  run(0);
  const first = post('a');
  await expect.poll(() => begun).toEqual(['a']);
  const late = post('a');
  await expect.poll(() => timers.length).toBe(1);
  run(10_000);
  expect(await late).toBe(429);
  answer();
  expect(await first).toBe(200);
  await app.close();
});
