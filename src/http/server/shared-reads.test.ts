import fastify from 'fastify';
import { beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../shared/clock.ts';
import { SEEN_HEADER, shareReads, SharedAnswers } from './shared-reads.ts';

const PAGES = 10_000;

let clock: ManualClock;
beforeEach(() => {
  clock = new ManualClock(0);
});

/** A server whose list counts its queries, each of which takes some turns of the loop. */
async function listServer(
  answer: () => { status: number; body: object } = () => ({ status: 200, body: { calls: [] } }),
) {
  const app = fastify();
  let queries = 0;
  app.decorateRequest('caller');
  app.addHook('onRequest', async (request) => {
    const { workspace = 'a', role = 'viewer' } = request.headers as Record<string, string>;
    request.caller = {
      workspaceId: workspace,
      principal: { kind: 'session', role, isOperator: false },
    } as unknown as typeof request.caller;
  });
  shareReads(app, clock);
  app.get('/calls', { schema: { operationId: 'listCalls' } }, async (_, reply) => {
    queries += 1;
    await new Promise((resolve) => setImmediate(resolve));
    const { status, body } = answer();
    return reply.code(status).send(body);
  });
  await app.ready();
  const read = (seen: string | null, more: Record<string, string> = {}, query = '') =>
    app.inject({
      url: `/calls${query}`,
      headers: { ...(seen === null ? {} : { [SEEN_HEADER]: seen }), ...more },
    });
  return { read, queries: () => queries };
}

describe('10,000 pages of one workspace', () => {
  it('that hear of one change make one answer, and all the others get it', async () => {
    const answers = new SharedAnswers(clock);
    const found = Array.from({ length: PAGES }, () => answers.find('s1'));
    const makers = found.filter((each) => 'finish' in each);
    for (const { finish } of makers) finish({ status: 200, payload: 'calls' });
    const outcomes = await Promise.all(found.flatMap((each) => ('finish' in each ? [] : [each])));
    expect([makers.length, outcomes.length]).toEqual([1, PAGES - 1]);
    expect(new Set(outcomes)).toEqual(new Set([{ status: 200, payload: 'calls' }]));
  });

  it('that hear of one change cost one query of the server', async () => {
    const { read, queries } = await listServer();
    const answers = await Promise.all(Array.from({ length: 500 }, () => read('s1')));
    expect(new Set(answers.map(({ statusCode, payload }) => `${statusCode} ${payload}`))).toEqual(
      new Set(['200 {"calls":[]}']),
    );
    expect(queries()).toBe(1);
  });

  it('that read all minute long cost one query a second, however many they are', async () => {
    const { read, queries } = await listServer();
    for (let second = 0; second < 60; second += 1) {
      await Promise.all(Array.from({ length: 5 }, () => read('s1')));
      clock.advance(500);
      await Promise.all(Array.from({ length: 5 }, () => read('s1')));
      clock.advance(500);
    }
    expect(queries()).toBe(60);
  });

  it('do not ask a database again that was away for the first of them', async () => {
    const { read, queries } = await listServer(() => ({ status: 503, body: {} }));
    const answers = await Promise.all(Array.from({ length: 200 }, () => read('s1')));
    expect(answers.every(({ statusCode }) => statusCode >= 500)).toBe(true);
    expect(queries()).toBeLessThan(5);
  });
});

describe('an answer', () => {
  it('of before a change is never given to a page that has heard of the change', async () => {
    let calls = 0;
    const { read } = await listServer(() => ({ status: 200, body: { calls } }));
    await read('before');
    calls = 1;
    expect((await read('after')).json()).toEqual({ calls: 1 });
    expect((await read(null)).json()).toEqual({ calls: 1 });
    expect((await read('before')).json()).toEqual({ calls: 0 });
  });

  it('belongs to one workspace, one role and one list', async () => {
    const { read, queries } = await listServer();
    await read('s1');
    await read('s1', { workspace: 'b' });
    await read('s1', { role: 'owner' });
    await read('s1', {}, '?status=failed');
    expect(queries()).toBe(4);
  });

  it('of a page that has gone is made again for the next one', async () => {
    const answers = new SharedAnswers(clock);
    const first = answers.find('key');
    const second = answers.find('key');
    if (!('finish' in first)) throw new Error('the first page makes the answer');
    first.finish(null);
    expect(await second).toBeNull();
    expect(answers.find('key')).toHaveProperty('finish');
  });

  it('is forgotten when there are many others', () => {
    const answers = new SharedAnswers(clock);
    for (let n = 0; n < 1_500; n += 1) void answers.find(`key ${n}`);
    expect(answers.size).toBe(1_000);
  });
});
