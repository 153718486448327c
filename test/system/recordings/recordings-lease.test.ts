import type { KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { S3 } from '../../../src/recordings/s3.ts';
import { RecordingDesk } from '../../helpers/recordings/recordings-api.ts';
import { eventually } from '../../helpers/service/service.ts';

let desk: RecordingDesk;
beforeAll(async () => {
  desk = await RecordingDesk.create();
});
afterAll(() => desk.close());

const LEASE_MS = 60_000;

/** Executes statements, but drops the response of lease renewals while `isLosing` returns true. */
function losing(isLosing: () => boolean): { plugin: KyselyPlugin; lost: () => number } {
  let lost = 0;
  return {
    lost: () => lost,
    plugin: {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        const isRenewal = result.rows.length === 0 && result.numAffectedRows === 1n;
        if (!isRenewal || !isLosing()) return result;
        lost += 1;
        throw new Error('the connection broke');
      },
    },
  };
}

it('a lease stays valid after a renewal whose response was lost', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const [go, reached] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isLosing = false;
  const { plugin, lost } = losing(() => isLosing);
  try {
    const of = await desk.recorded();
    const slow = new S3(desk.s3.settings, desk.disk);
    slow.put = async (path, from, type) => {
      reached.resolve();
      await go.promise;
      await desk.store.put(path, from, type);
    };
    (await desk.keeper({ store: slow, db: desk.database.db.withPlugin(plugin) })).start();
    await reached.promise;
    isLosing = true;
    desk.clock.advance(15_000);
    vi.advanceTimersByTime(15_000);
    await eventually('a response to be lost', async () => (lost() > 0 ? true : null));
    expect(await desk.heldMs(of)).toBe(LEASE_MS);
    isLosing = false;
    desk.clock.advance(15_000);
    vi.advanceTimersByTime(15_000);
    await eventually('the next lease renewal', async () =>
      (await desk.heldMs(of)) === LEASE_MS ? true : null,
    );
    go.resolve();
    await eventually('the recording to be kept', () => desk.isState(of, 'kept'));
  } finally {
    go.resolve();
    vi.useRealTimers();
  }
});
