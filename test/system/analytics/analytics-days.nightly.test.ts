import * as fc from 'fast-check';
import { dayByIntl, ZONES } from '../../../packages/language/test/zones.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeWorkspaceSettings } from '../../../src/domain/workspaces/workspace-settings.ts';
import { foldEndings } from '../../../src/store/analysis/analytics.ts';
import { createCallSums, type CallSums } from '../../helpers/calls/call-sums.ts';
import { insertEnded, type EndedCall } from '../../helpers/calls/zoned-calls.ts';
import { createWorkspace, type TestWorkspace } from '../../helpers/database/workspace.ts';

let sums: CallSums;
beforeAll(async () => {
  sums = await createCallSums();
});
afterAll(() => sums.api.close());

const RESULTS = ['confirmed', 'declined'] as const;
/** Around the clock changes of spring, of Lord Howe and of autumn. */
const CHANGES = ['2026-03-08', '2026-03-29', '2026-04-05', '2026-10-04', '2026-10-25', '2026-11-01'].map(
  Date.parse,
);
const instant = fc
  .tuple(fc.constantFrom(...CHANGES), fc.integer({ min: -36 * 60, max: 60 * 60 }))
  .map(([near, minutes]) => near + minutes * 60_000);
const call: fc.Arbitrary<EndedCall> = fc
  .tuple(instant, fc.integer({ min: 0, max: 20 * 60 }), fc.boolean(), fc.constantFrom(...RESULTS))
  .map(([createdAt, minutes, isAnswered, result]) => ({
    createdAt,
    dialedAt: createdAt + minutes * 60_000,
    isAnswered,
    result,
  }));
const calls = fc.array(call, { minLength: 1, maxLength: 25 });

/** Expects of the API, for each day and for one range, what a count of the calls by Intl has. */
async function expectDays(
  world: TestWorkspace,
  key: string,
  zone: string,
  all: readonly EndedCall[],
): Promise<void> {
  const days = new Map<string, { total_calls: number; total_attempts: number; answered_attempts: number }>();
  const day = (of: string) => {
    const found = days.get(of) ?? { total_calls: 0, total_attempts: 0, answered_attempts: 0 };
    days.set(of, found);
    return found;
  };
  for (const { createdAt, dialedAt, isAnswered } of all) {
    day(dayByIntl(zone, createdAt)).total_calls += 1;
    day(dayByIntl(zone, dialedAt)).total_attempts += 1;
    if (isAnswered) day(dayByIntl(zone, dialedAt)).answered_attempts += 1;
  }
  const { daily } = await sums.ask(key, 'platform-analytics');
  expect(
    daily.map(({ date, total_calls, total_attempts, answered_attempts }: any) => ({
      date,
      total_calls,
      total_attempts,
      answered_attempts,
    })),
  ).toEqual(
    [...days].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([date, figures]) => ({ date, ...figures })),
  );
  const chosen = dayByIntl(zone, all[0]!.createdAt);
  const range = `start_date=${chosen}&end_date=${chosen}`;
  const isIn = ({ createdAt }: EndedCall): boolean => dayByIntl(zone, createdAt) === chosen;
  const total = async (query: string): Promise<number> => {
    const { body } = await sums.api.request('GET', `/api/v0/calling/history?limit=1&${range}${query}`, {
      key,
    });
    return body['total'] as number;
  };
  const inRange = all.filter(isIn);
  const confirmed = inRange.filter(({ result }) => result === 'confirmed').length;
  expect(await total('')).toBe(inRange.length);
  expect(await total(`&agent_id=${world.agentId}`)).toBe(inRange.length);
  expect(await total('&result=confirmed')).toBe(confirmed);
  const { results, total_calls } = await sums.ask(key, `classification-analytics?${range}`);
  expect([total_calls, results.find(({ result }: any) => result === 'confirmed')?.calls ?? 0]).toEqual([
    inRange.length,
    confirmed,
  ]);
  const { hours } = await sums.ask(key, `hour-analytics?${range}`);
  const dialled = all.filter(({ dialedAt }) => dayByIntl(zone, dialedAt) === chosen).length;
  expect(hours.reduce((sum: number, hour: any) => sum + hour.attempts, 0)).toBe(dialled);
}

const setZone = async ({ id }: TestWorkspace, timezone: string): Promise<void> => {
  const owner = { workspaceId: id, actor: { type: 'user', id, name: 'an owner' } } as const;
  await changeWorkspaceSettings(sums.api, owner, null, { timezone });
};
const fold = (world: TestWorkspace, take: number): Promise<void> =>
  sums.api.db.transaction().execute((tx) => foldEndings(tx, world.id, take));

describe('days', () => {
  it(
    'are those of the zone, as Intl counts them, before and after changes of the zone',
    { timeout: 300_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.constantFrom(...ZONES), { minLength: 2, maxLength: 3 }),
          fc.array(calls, { minLength: 3, maxLength: 3 }),
          fc.nat(30),
          async (zones, batches, folded) => {
            const world = await createWorkspace(sums.api.db);
            const key = await sums.keyed(world);
            const all: EndedCall[] = [];
            for (const [at, zone] of zones.entries()) {
              await setZone(world, zone);
              all.push(...batches[at]!);
              await insertEnded(sums.api.db, world, batches[at]!);
              await fold(world, folded);
              await expectDays(world, key, zone, all);
              const { total_calls } = await sums.ask(key, 'platform-analytics');
              expect(total_calls).toBe(all.length);
            }
          },
        ),
        { numRuns: 12, seed: 20_261_129 },
      );
    },
  );

  it('keep their sums while calls end and are folded beside a change of the zone', async () => {
    const world = await createWorkspace(sums.api.db);
    const key = await sums.keyed(world);
    const at = Date.parse('2026-06-01T22:00:00Z');
    const batch = Array.from({ length: 20 }, (_, n) => ({
      createdAt: at + n * 600_000,
      dialedAt: at + n * 600_000,
      isAnswered: n % 2 === 0,
      result: 'confirmed',
    }));
    await insertEnded(sums.api.db, world, batch);
    await Promise.all([
      setZone(world, 'Asia/Kolkata'),
      ...Array.from({ length: 4 }, () => insertEnded(sums.api.db, world, batch)),
      ...Array.from({ length: 6 }, () => fold(world, 15)),
    ]);
    await fold(world, 1000);
    await expectDays(world, key, 'Asia/Kolkata', Array.from({ length: 5 }, () => batch).flat());
    expect((await sums.ask(key, 'platform-analytics')).total_calls).toBe(100);
  });

  it('refuse a zone that is none', async () => {
    const world = await createWorkspace(sums.api.db);
    await expect(setZone(world, 'Asia/Nowhere')).rejects.toMatchObject({
      message: expect.stringContaining('must be an IANA time zone such as Asia/Kolkata'),
    });
  });
});
