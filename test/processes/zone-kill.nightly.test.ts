import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MOVED_AT_ONCE } from '../../src/domain/workspaces/zone.ts';
import { makeOwnerKey } from '../helpers/api/owner-key.ts';
import { countByDay, insertMany } from '../helpers/calls/many-calls.ts';
import { holdResults } from '../helpers/calls/held-results.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database/database.ts';
import { eventually, startService, type Service } from '../helpers/service/service.ts';

const ZONE = 'Asia/Kolkata';

let database: TestDatabase;
let dataDir: string;
let service: Service | null = null;
beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'callwright-zone-'));
});
afterAll(async () => {
  await service?.dispose();
  await database?.close();
  await rm(dataDir, { recursive: true, force: true });
});

const start = (): Promise<Service> =>
  startService({ dataDir, env: { DATABASE_URL: database.url }, ownDatabase: false });

it('a change of the zone goes on after kill -9 in its middle, and no report has days of two zones', async () => {
  service = await start();
  const key = await service.ownKey();
  await makeOwnerKey(database.url, key);
  const owner = service.as(key);
  const workspaceId = (await owner.request('GET', '/api/v0/workspace')).body.workspace_info.id as string;
  // 35 days of calls.
  await insertMany(database.db, workspaceId, {
    from: new Date('2026-05-01T00:30:00Z'),
    count: MOVED_AT_ONCE + 1,
  });
  const days = async (of: Service): Promise<Map<string, number>> => {
    const { body } = await of.as(key).request('GET', '/api/v0/analytics/platform-analytics');
    return new Map(body.data.daily.map((day: any) => [day.date, day.total_calls]));
  };
  const utc = await countByDay(database.db, workspaceId, 'UTC');
  expect(await days(service)).toEqual(utc);

  const killed = service;
  const release = await holdResults(database, workspaceId);
  try {
    const answer = await owner.request('PATCH', '/api/v0/workspace/settings', { timezone: ZONE });
    expect([answer.status, answer.body.timezone, answer.body.timezone_change?.timezone]).toEqual([
      200,
      'UTC',
      ZONE,
    ]);
    await eventually('half of the days to move', async () => {
      const { body } = await owner.request('GET', '/api/v0/workspace/settings');
      return body.timezone_change.percent >= 50 ? true : null;
    });
    const other = await owner.request('PATCH', '/api/v0/workspace/settings', { timezone: 'Europe/Berlin' });
    expect([other.status, other.body.code]).toEqual([409, 'TIMEZONE_CHANGING']);
    expect(await days(killed)).toEqual(utc);
    expect(await killed.end('SIGKILL')).toBe('SIGKILL');
  } finally {
    await release();
  }

  service = await start();
  const seen = service;
  const settled = await eventually(
    'the days to move',
    async () => {
      const { body } = await seen.as(key).request('GET', '/api/v0/workspace/settings');
      if (body.timezone_change === null) return body;
      expect(body.timezone).toBe('UTC');
      return null;
    },
    300_000,
  );
  expect(settled.timezone).toBe(ZONE);
  expect(await days(service)).toEqual(await countByDay(database.db, workspaceId, ZONE));
}, 600_000);
