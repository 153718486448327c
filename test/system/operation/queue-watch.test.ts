import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import { setTimeout as sleep } from 'node:timers/promises';
import { QueueWatch } from '../../../src/jobs/queue-watch.ts';
import { BLIND_AFTER_MS } from '../../../src/jobs/sweep-rule.ts';
import { newId } from '../../../src/shared/ids.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { queuesWithWork, type Queue } from '../../../src/store/due-work.ts';
import { openDatabase, type Db } from '../../../src/store/database.ts';
import { insertJob } from '../../../src/store/jobs.ts';
import { createTestDatabase, type TestDatabase } from '../../helpers/database/database.ts';
import { createWorkspace, mondayClock, MONDAY } from '../../helpers/database/workspace.ts';

let database: TestDatabase;
let workspaceId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  workspaceId = (await createWorkspace(database.db)).id;
});
afterAll(() => database.close());

const TABLES = [
  'jobs',
  'chats',
  'chat_messages',
  'calls',
  'campaigns',
  'campaign_messages',
  'delivery_queue',
  'given_up_deliveries',
  'webhook_outages',
  'erasures',
  'tombstone_queue',
] as const;
afterEach(async () => {
  for (const table of TABLES) await database.db.deleteFrom(table).execute();
});

const now = new Date(MONDAY);
const earlier = new Date(MONDAY - 1_000);
const later = new Date(MONDAY + 1_000);
const found = (): Promise<Queue[]> => queuesWithWork(database.db, now);

const putChat = (more: { state?: 'with_person'; channel?: 'test'; due?: Date; ends?: Date; leased?: Date }) =>
  sql`insert into chats (workspace_id, id, agent_id, version_id, channel, customer, state, due_at, leased_until,
      created_at, ends_at)
    values (${workspaceId}, ${newId()}, ${newId()}, ${newId()}, ${more.channel ?? 'web'}, ${newId()},
      ${more.state ?? 'open'}, ${more.due ?? null}, ${more.leased ?? new Date(0)}, ${earlier}, ${more.ends ?? later})`.execute(
    database.db,
  );
const putMessage = (state: string, due: Date) =>
  sql`insert into chat_messages (workspace_id, chat_id, id, role, text, sent_at, created_at, state, due_at)
    values (${workspaceId}, ${newId()}, ${newId()}, 'agent', 'Hello', ${earlier}, ${earlier}, ${state}, ${due})`.execute(
    database.db,
  );
const putCampaign = (state: string, more: { reported?: Date; sends?: boolean } = {}) =>
  sql`insert into campaigns (workspace_id, id, agent_id, name, state, reported_at, template, created_at, updated_at)
    values (${workspaceId}, ${newId()}, ${newId()}, 'Renewals', ${state}, ${more.reported ?? null},
      ${more.sends === true ? '{}' : null}::jsonb, ${earlier}, ${earlier})`.execute(database.db);
const putCampaignMessage = (due: Date | null) =>
  sql`insert into campaign_messages (workspace_id, campaign_id, id, contact_row, to_number, next_attempt_at, due_at,
      created_at, updated_at)
    values (${workspaceId}, ${newId()}, ${newId()}, 1, '+14155550002', ${later}, ${due}, ${earlier}, ${earlier})`.execute(
    database.db,
  );
const putDelivery = (due: string) =>
  sql`insert into delivery_queue (workspace_id, id, call_id, event_seq, target, host, due_at)
    values (${workspaceId}, ${newId()}, ${newId()}, 1, 'POST https://crm.example/', 'crm.example', ${due})`.execute(
    database.db,
  );
const putGivenUp = (state: string) =>
  sql`insert into given_up_deliveries (workspace_id, id, at, state) values (${workspaceId}, ${newId()}, ${now}, ${state})`.execute(
    database.db,
  );
const putOutage = () =>
  sql`insert into webhook_outages (workspace_id, id, target, target_key, url, method, recovers, since, last_failed_at,
      failing_from, checked_at)
    values (${workspaceId}, ${newId()}, 'POST a', 'a', 'https://crm.example/', 'POST', true, ${now}, ${now}, ${now},
      ${now})`.execute(database.db);
const putErasure = (state: string, due: Date) =>
  sql`insert into erasures (workspace_id, id, mobile_numbers, state, due_at, requested_at)
    values (${workspaceId}, ${newId()}, '{}', ${state}, ${due}, ${earlier})`.execute(database.db);
const putTombstone = () =>
  sql`insert into tombstone_queue (workspace_id, kind, subject, at)
    values (${workspaceId}, 'erased_call', ${newId()}, ${now})`.execute(database.db);
const putJobIn = (db: Db, kind: string, dueAt = now) =>
  insertJob(db, { workspaceId, kind, dedup: newId(), payload: {}, dueAt }, earlier);
const putJob = (kind: string, dueAt: Date) => putJobIn(database.db, kind, dueAt);

async function eventually(check: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 2_400; tries += 1) {
    if (await check()) return;
    await sleep(25);
  }
  throw new Error('did not come true');
}

describe('the queues that have work', () => {
  it.each<[string, Queue, () => Promise<unknown>]>([
    ['a job that is due', 'job:a.kind', () => putJob('a.kind', now)],
    ['a chat whose customer waits', 'chats', () => putChat({ due: now })],
    ['a chat whose time is over', 'chats', () => putChat({ ends: now })],
    ['a chat with a person', 'chats', () => putChat({ state: 'with_person' })],
    ['a queued message', 'chat_messages', () => putMessage('queued', now)],
    ['a message whose sender died', 'chat_messages', () => putMessage('sending', now)],
    ['a message whose confirmation did not come', 'chat_messages', () => putMessage('unsure', now)],
    ['a campaign that is paused', 'campaigns', () => putCampaign('paused')],
    ['a campaign whose end is not reported', 'campaigns', () => putCampaign('completed')],
    ['a campaign message that is unsettled', 'campaign_messages', () => putCampaignMessage(now)],
    ['a delivery', 'deliveries', () => putDelivery(now.toISOString())],
    ['a held delivery', 'deliveries', () => putDelivery('infinity')],
    ['a delivery given up', 'receivers', () => putGivenUp('new')],
    ['an outage', 'receivers', putOutage],
    ['an erasure', 'erasures', () => putErasure('due', now)],
    ['a tombstone', 'erasures', putTombstone],
  ])('include the one of %s', async (_, queue, put) => {
    await put();
    expect(await found()).toEqual([queue]);
  });

  it('include both queues of a campaign that sends messages', async () => {
    await putCampaign('scheduled', { sends: true });
    expect(await found()).toEqual(['campaigns', 'campaign_messages']);
  });

  it('are none while nothing is due', async () => {
    expect(await found()).toEqual([]);
    await putJob('a.kind', later);
    await putChat({ due: later });
    await putChat({ due: now, leased: later });
    await putChat({ due: now, channel: 'test' });
    await putMessage('queued', later);
    await putMessage('sent', earlier);
    await putCampaign('draft');
    await putCampaign('completed', { reported: now });
    await putCampaignMessage(later);
    await putCampaignMessage(null);
    await putGivenUp('kept');
    await putErasure('due', later);
    await putErasure('done', earlier);
    expect(await found()).toEqual([]);
  });

  it('name each kind of job once, whichever workspaces have it and however many wait', async () => {
    for (const kind of ['b.kind', 'a.kind', 'c.kind']) {
      for (let at = 0; at < 3; at += 1) await putJob(kind, kind === 'c.kind' ? later : now);
      const job = { workspaceId: newId(), kind, dedup: 'one', payload: {} };
      await insertJob(database.db, { ...job, dueAt: kind === 'c.kind' ? later : now }, earlier);
    }
    expect((await found()).toSorted()).toEqual(['job:a.kind', 'job:b.kind']);
  });
});

it('reads the indexes of the queues, also when they were empty at the first look', async () => {
  const own = openDatabase(database.url, { maxConnections: 1, hasIndexPlans: true });
  try {
    expect(await queuesWithWork(own.kysely, now)).toEqual([]);
    const { rows } = await sql<{ name: string; setting: string }>`select name, setting from pg_settings
      where name in ('enable_seqscan', 'enable_hashjoin', 'plan_cache_mode') order by name`.execute(
      own.kysely,
    );
    expect(rows.map(({ name, setting }) => `${name} ${setting}`)).toEqual([
      'enable_hashjoin off',
      'enable_seqscan off',
      'plan_cache_mode force_generic_plan',
    ]);
    await putJob('a.kind', now);
    expect(await queuesWithWork(own.kysely, now)).toEqual(['job:a.kind']);
  } finally {
    await own.close();
  }
});

describe('the watch of the queues', () => {
  it('wakes a poller at once when work appears, then as often as it asked, and no other one', async () => {
    const clock = mondayClock();
    const watch = new QueueWatch({ db: database.db, clock, log: silentLog });
    let wakes = 0;
    watch.watch('job:a.kind', () => (wakes += 1), 1_000);
    watch.watch('job:b.kind', () => expect.fail('nothing of this kind is due'));
    await watch.look();
    expect(wakes).toBe(0);
    await putJob('a.kind', now);
    await watch.look();
    expect(wakes).toBe(1);
    clock.advance(500);
    await watch.look();
    expect(wakes).toBe(1);
    clock.advance(500);
    await watch.look();
    expect(wakes).toBe(2);
  });

  it('wakes every poller at its first look after the connection broke, and finds what was queued meanwhile', async () => {
    const own = openDatabase(database.url, { maxConnections: 1, applicationName: 'lost queues' });
    const clock = mondayClock();
    const failures: unknown[] = [];
    const log = { ...silentLog, error: (failure: unknown) => failures.push(failure) };
    const watch = new QueueWatch({ db: own.kysely, clock, log: log as typeof silentLog });
    const woken: string[] = [];
    watch.watch('job:a.kind', () => woken.push('a.kind'));
    watch.watch('deliveries', () => woken.push('deliveries'));
    try {
      await watch.look();
      expect(woken).toEqual([]);
      // The next look fails: the connection ends during it.
      await database.db.transaction().execute(async (tx) => {
        await sql`lock table jobs in access exclusive mode`.execute(tx);
        watch.start();
        await eventually(async () => {
          const { rows } = await sql`select pg_terminate_backend(pid) from pg_stat_activity
            where application_name = 'lost queues' and wait_event_type = 'Lock'`.execute(database.db);
          return rows.length > 0;
        });
        await eventually(() => failures.length > 0);
        await putJobIn(tx, 'a.kind');
      });
      await eventually(() => woken.length > 0);
      expect(woken.slice(0, 2).toSorted()).toEqual(['a.kind', 'deliveries']);
    } finally {
      await watch.stop();
      await own.close();
    }
  });

  it('wakes every poller while its look hangs', async () => {
    const own = openDatabase(database.url, { maxConnections: 1 });
    const clock = mondayClock();
    const watch = new QueueWatch({ db: own.kysely, clock, log: silentLog });
    let wakes = 0;
    watch.watch('deliveries', () => (wakes += 1));
    try {
      await database.db.transaction().execute(async (tx) => {
        await sql`lock table jobs in access exclusive mode`.execute(tx);
        watch.start();
        clock.advance(BLIND_AFTER_MS);
        await eventually(() => wakes > 0);
      });
      expect(wakes).toBe(1);
    } finally {
      await watch.stop();
      await own.close();
    }
  });
});
