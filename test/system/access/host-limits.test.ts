import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SIGN_IN_WINDOW_MS, SignInThrottle } from '../../../src/domain/users/sign-in-throttle.ts';
import { FailureThrottle } from '../../../src/http/server/authenticate.ts';
import { HostLimits } from '../../../src/domain/users/host-limits.ts';
import { StreamPlaces } from '../../../src/http/live/stream-places.ts';
import { PageLimit } from '../../../src/http/web-calls/page-limit.ts';
import { ManualClock } from '../../../src/shared/clock.ts';
import { silentLog } from '../../../src/shared/log.ts';
import type { Db } from '../../../src/store/database.ts';
import { createTestApi, type TestApi } from '../../helpers/api/api.ts';
import { createTestDatabase, type TestDatabase } from '../../helpers/database/database.ts';
import { eventually } from '../../helpers/service/service.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.db.deleteFrom('limit_counts').execute();
  await database.db.deleteFrom('held_counts').execute();
});

const rows = () => database.db.selectFrom('limit_counts').selectAll().orderBy('count').execute();

/** The limits of two processes, each with the time of its own host. */
function hosts(db: Db = database.db) {
  const clock = new ManualClock();
  const [a, b] = [0, 1].map(() => new HostLimits({ db, clock, log: silentLog }));
  return { clock, a: a!, b: b! };
}

describe('two API processes on one database', () => {
  it('share the limit of failed sign-ins for an account, and what succeeds is taken back in both', async () => {
    const { clock, a, b } = hosts();
    const [first, second] = [a, b].map(
      (host) => new SignInThrottle(host.counts('sign_in', SIGN_IN_WINDOW_MS)),
    );
    for (let n = 0; n < 6; n += 1)
      first!.begin({ address: `198.51.${n}.1`, email: 'ann@example.com', device: null });
    await a.share();
    for (let n = 0; n < 4; n += 1)
      second!.begin({ address: `203.0.${n}.1`, email: 'ann@example.com', device: null });
    expect(second!.begin({ address: '203.0.99.1', email: 'ann@example.com', device: null })).toBe(0);
    await b.share();
    expect(second!.begin({ address: '203.0.98.1', email: 'ann@example.com', device: null })).toBe(900);
    expect(second!.begin({ address: '203.0.98.1', email: 'bob@example.com', device: null })).toBe(0);
    clock.advance(SIGN_IN_WINDOW_MS);
    expect(second!.begin({ address: '203.0.97.1', email: 'ann@example.com', device: null })).toBe(0);
    second!.succeeded({ address: '203.0.97.1', email: 'ann@example.com', device: null });
    await b.share();
    expect((await rows()).map(({ count }) => count)).not.toContain(11);
  });

  it('share the limits of wrong keys and of the calls of a page', async () => {
    const { a, b } = hosts();
    const keys = [a, b].map((host) => new FailureThrottle(10, host.counts('wrong_key', 60_000)));
    const pages = [a, b].map((host) => new PageLimit(10, host.counts('page_address', 60_000)));
    for (let n = 0; n < 9; n += 1) {
      keys[0]!.failed('192.0.2.1');
      expect(pages[0]!.take('192.0.2.1')).toBe(0);
    }
    await a.share();
    keys[1]!.failed('192.0.2.1');
    expect([keys[1]!.waitSeconds('192.0.2.1', null), pages[1]!.take('192.0.2.1')]).toEqual([0, 0]);
    await b.share();
    expect(keys[1]!.waitSeconds('192.0.2.1', null)).toBe(60);
    expect(pages[1]!.take('192.0.2.1')).toBe(60);
    expect(keys[1]!.waitSeconds('192.0.2.2', null)).toBe(0);
  });

  it('share the open streams of a workspace, and those of a process that died are forgotten', async () => {
    const { clock, a, b } = hosts();
    const [first, second] = [a, b].map(
      (host) => new StreamPlaces({ places: 80, parts: 20 }, { clock }, host.held('workspace_stream')),
    );
    const open = (places: StreamPlaces, workspaceId: string) => {
      const stop = new AbortController();
      const ended = Promise.withResolvers<string>();
      const stream = places
        .within(workspaceId, stop.signal, () => ended.promise)
        .catch((error: { code: string }) => error.code);
      return {
        stream,
        close: () => {
          ended.resolve('ended');
          return stream;
        },
      };
    };
    const begins = async (places: StreamPlaces, workspaceId: string): Promise<string> =>
      places
        .within(workspaceId, new AbortController().signal, async () => 'began')
        .catch((error: { code: string }) => error.code);

    const opened = [1, 2, 3].map(() => open(first!, 'loud'));
    await a.share();
    const last = open(second!, 'loud');
    await b.share();
    expect(await begins(second!, 'loud')).toBe('TOO_MANY_STREAMS');
    expect(await begins(second!, 'quiet')).toBe('began');

    expect(await opened[0]!.close()).toBe('ended');
    await a.share();
    clock.advance(10_000);
    await b.share();
    expect(await begins(second!, 'loud')).toBe('began');

    // The first process dies: it renews nothing.
    clock.advance(30_000);
    await b.share();
    expect(b.held('workspace_stream').count('loud')).toBe(1);
    await last.close();
    await a.stop();
    expect(await database.db.selectFrom('held_counts').select('process').distinct().execute()).toHaveLength(
      1,
    );
  });

  it('write one statement for a thousand addresses, none while nobody fails, and no address as it is', async () => {
    let statements = 0;
    const db = database.db.withPlugin({
      transformQuery: ({ node }) => {
        statements += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const { a } = hosts(db);
    const counts = a.counts('wrong_key', 60_000);
    await a.share();
    expect(statements).toBe(0);
    for (let n = 0; n < 1_000; n += 1) counts.add(`192.0.${n >> 8}.${n & 255}`);
    await a.share();
    await a.share();
    expect(statements).toBe(1);
    expect((await rows()).some(({ key }) => key.includes('192.0'))).toBe(false);
  });

  it('share the first count after a rest at once', async () => {
    const { a } = hosts();
    const counts = a.counts('wrong_key', 60_000);
    const held = a.held('streams');
    a.start();
    try {
      counts.add('192.0.2.1');
      await eventually('the first count', async () => ((await rows()).length === 1 ? true : null));
      await eventually('a rest', () => Promise.resolve(a.isResting ? true : null));
      counts.add('192.0.2.1');
      expect(a.isResting).toBe(false);
      await eventually('the next count', async () => ((await rows())[0]?.count === 2 ? true : null));
      await eventually('a rest', () => Promise.resolve(a.isResting ? true : null));
      held.add('192.0.2.1');
      await eventually('the held count', async () =>
        (await database.db.selectFrom('held_counts').selectAll().execute()).length === 1 ? true : null,
      );
    } finally {
      await a.stop();
    }
  });

  it('count alone while the database is away, and together again afterwards', async () => {
    const { clock, a } = hosts();
    const gone = hosts(
      new Proxy({} as Db, {
        get() {
          throw new Error('connect ECONNREFUSED');
        },
      }),
    );
    const counts = gone.a.counts('wrong_key', 60_000);
    counts.add('192.0.2.1');
    await expect(gone.a.share()).rejects.toThrow('ECONNREFUSED');
    expect([counts.count('192.0.2.1'), counts.takeUnshared(10)]).toEqual([
      1,
      [{ key: '192.0.2.1', count: 1 }],
    ]);
    a.counts('wrong_key', 60_000).add('192.0.2.1');
    await a.share();
    clock.advance(3_600_000);
    a.counts('wrong_key', 60_000).add('192.0.2.1');
    await a.share();
    expect(await rows()).toMatchObject([{ count: 1 }]);
  });
});

it('two servers refuse a stranger whose wrong keys went to both of them', async () => {
  const rateLimits = { read: 0, write: 0, dial: 0, authFailures: 10 };
  const shared = { ...database, close: () => Promise.resolve() };
  const apis: TestApi[] = [
    await createTestApi({ rateLimits }, shared),
    await createTestApi({ rateLimits }, shared),
  ];
  const wrong = async (api: TestApi): Promise<number> =>
    (await api.request('GET', '/api/v0/workspace', { key: 'cw_live_wrong' })).status;
  const [first, second] = apis;
  for (let n = 0; n < 9; n += 1) expect(await wrong(first!)).toBe(401);
  const status = await eventually('the other server to refuse', async () => {
    const answered = await wrong(second!);
    return answered === 429 ? answered : null;
  });
  expect(status).toBe(429);
  for (const api of apis) await api.close();
});
