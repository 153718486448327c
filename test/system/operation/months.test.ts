import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { splitMonths } from '../../../src/cli/split-months.ts';
import { keepMonths } from '../../../src/jobs/month-keeper.ts';
import { ManualClock } from '../../../src/shared/clock.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { Target } from '../../../src/store/backup/load.ts';
import { Snapshot } from '../../../src/store/backup/snapshot.ts';
import { insertFollowUp } from '../../../src/store/calls/follow-ups.ts';
import { NO_FILTER } from '../../../src/store/calls/history-filter.ts';
import { splitByDay } from '../../../src/domain/calls/whole-days.ts';
import { countCalls } from '../../../src/store/calls/history-totals.ts';
import { isCallStored } from '../../../src/store/calls/inbound.ts';
import { leastId } from '../../../src/store/months/month.ts';
import { readMigrations } from '../../../src/store/migrate.ts';
import { statementsByMonth } from '../../../src/store/months/indexes.ts';
import { SealedValues } from '../../../src/store/sealed-values.ts';
import { BIND, findWalls, WALL_ROLES } from '../../../src/store/walls.ts';
import {
  insertEvents,
  type AddressedEvent,
  type DeliveryTarget,
} from '../../../src/store/webhooks/events.ts';
import { createTestDatabase, type TestDatabase } from '../../helpers/database/database.ts';
import { createWorkspace, type TestWorkspace } from '../../helpers/database/workspace.ts';

const say = (): void => undefined;
const JANUARY = new Date('2026-01-10T12:00:00Z');
/** Rows made before the end of January, in which the database is split, stay together. */
const SPLIT_IN = new Date('2026-01-12T12:00:00Z');
const clock = new ManualClock(SPLIT_IN.getTime());

let database: TestDatabase;
let workspace: TestWorkspace;
let serial = 0;
beforeAll(async () => {
  database = await createTestDatabase();
  workspace = await createWorkspace(database.db);
});
afterAll(() => database?.close());

/** Inserts a call of that time; returns its id. */
async function insertCall(
  at: Date,
  values: { status?: 'completed' | 'registered'; callback?: string; id?: string } = {},
): Promise<string> {
  serial += 1;
  const id = values.id ?? leastId(at).replace(/0{12}$/, String(serial).padStart(12, '0'));
  await database.db
    .insertInto('calls')
    .values({
      workspace_id: workspace.id,
      id,
      agent_id: workspace.agentId,
      version_id: workspace.versionId,
      call_type: 'outbound',
      to_number: '+14155551234',
      status: values.status ?? 'completed',
      sub_status: 'USER_LEFT',
      callback: values.callback ?? null,
      created_at: at,
      updated_at: at,
    })
    .execute();
  return id;
}

/** The table that holds a call. */
async function tableOf(id: string): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`
    select tableoid::regclass::text as name from calls where id = ${id}`.execute(database.db);
  return rows[0]?.name ?? null;
}

const RECEIVER: DeliveryTarget = { url: 'https://receiver.example/', method: 'POST', headers: {} };

function eventOf(callId: string, type: string, targets: readonly DeliveryTarget[] = []): AddressedEvent {
  serial += 1;
  const eventId = leastId(SPLIT_IN).replace(/0{12}$/, String(serial).padStart(12, '0'));
  const event = {
    workspaceId: workspace.id,
    eventId,
    callId,
    dedup: type,
    eventType: type,
    body: {},
    at: SPLIT_IN,
  };
  return { event, targets };
}

const store = (addressed: AddressedEvent): Promise<Set<string>> =>
  database.db.transaction().execute((tx) => insertEvents(tx, [addressed]));

/** Inserts an event of a call; returns the table that holds it, and its place in the order of all. */
async function emit(callId: string, type: string): Promise<{ table: string; seq: number }> {
  const { event } = eventOf(callId, type);
  await store({ event, targets: [] });
  const { rows } = await sql<{ table: string; seq: number }>`
    select tableoid::regclass::text as table, seq::int as seq from events where id = ${event.eventId}`.execute(
    database.db,
  );
  return rows[0]!;
}

const keep = (at: string, months = 0): Promise<'done' | 'files'> => {
  clock.set(new Date(at).getTime());
  return keepMonths({ db: database.db, clock, log: silentLog, keepMonths: months });
};
const total = (): Promise<number> => countCalls(database.db, workspace.id, NO_FILTER, splitByDay);

describe('a database that is split by month', () => {
  const ids: Record<string, string> = {};
  /** An event from before the split. */
  let early = { table: '', seq: 0 };

  it('is split while a transaction holds a row of it, and lets other queries pass', async () => {
    ids['before'] = await insertCall(JANUARY, { callback: '"sealed:before"' });
    ids['contact'] = await insertCall(JANUARY);
    early = await emit(ids['contact'], 'call_started');
    let isOver = false;
    let split = Promise.resolve();
    await database.db.transaction().execute(async (tx) => {
      await sql`update calls set category = 'held' where id = ${ids['before']}`.execute(tx);
      split = splitMonths(database.url, SPLIT_IN, say).then(() => {
        isOver = true;
      });
      // Each of these waits behind the split at most until it gives way.
      for (let query = 0; query < 20; query += 1) await total();
      expect(isOver).toBe(false);
    });
    await split;
    expect(await tableOf(ids['before'])).toBe('calls_before');
    await splitMonths(database.url, SPLIT_IN, say);
    expect(await total()).toBe(2);
  });

  it('puts a call into the table of its month', async () => {
    ids['february'] = await insertCall(new Date('2026-02-03T10:00:00Z'), { callback: '"sealed:february"' });
    expect(await tableOf(ids['february'])).toBe('calls_2026_02');
    expect(await total()).toBe(3);
  });

  it('knows a call that is stored already, in whichever month', async () => {
    for (const name of ['before', 'february']) {
      const error = await insertCall(JANUARY, { id: ids[name]! }).catch((thrown: unknown) => thrown);
      expect([name, isCallStored(error)]).toEqual([name, true]);
    }
  });

  it('keeps the events of a call in its month, each once, and counts them on', async () => {
    const before = await emit(ids['before']!, 'call_started');
    const after = await emit(ids['february']!, 'call_started');
    expect([before.table, after.table]).toEqual(['events_before', 'events_2026_02']);
    expect(after.seq).toBe(before.seq + 1);
    expect(before.seq).toBe(early.seq + 1);
    expect(await store(eventOf(ids['february']!, 'call_started'))).toEqual(new Set());
    const keys = await sql<{ text: string }>`
      select pg_get_constraintdef(oid) as text from pg_constraint
      where conrelid = 'events'::regclass and contype in ('p', 'u') order by contype`.execute(database.db);
    expect(keys.rows.map(({ text }) => text)).toEqual([
      'PRIMARY KEY (workspace_id, id, call_id)',
      'UNIQUE (workspace_id, call_id, dedup)',
    ]);
  });

  it('lets a connection of a workspace write events of its own', async () => {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    try {
      await client.query(BIND, [WALL_ROLES.workspace, workspace.id]);
      const { rows } = await client.query(
        `insert into events (workspace_id, id, call_id, dedup, event_type, body, occurred_at)
         values ($1, $2, $2, 'bound', 'call_started', '{}', now()) returning tableoid::regclass::text as name`,
        [workspace.id, leastId(new Date('2026-02-04T10:00:00Z'))],
      );
      expect(rows).toEqual([{ name: 'events_2026_02' }]);
    } finally {
      await client.end();
    }
  });

  it('guards each month by the policies of its table', async () => {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    try {
      expect(await findWalls(client)).toEqual({ canBeRaised: true, missing: [] });
    } finally {
      await client.end();
    }
  });

  it('moves calls that came before the table of their month into it, and counts them once', async () => {
    const may = await insertCall(new Date('2026-05-06T10:00:00Z'));
    expect(await tableOf(may)).toBe('calls_other');
    const before = await total();
    expect(await keep('2026-05-07T00:00:00Z')).toBe('done');
    expect(await tableOf(may)).toBe('calls_2026_05');
    expect(await total()).toBe(before);
    ids['june'] = await insertCall(new Date('2026-06-01T10:00:00Z'));
    expect(await tableOf(ids['june'])).toBe('calls_2026_06');
  });

  it('has a rewritten secret of each of two calls at the same place of two months', async () => {
    const values = await SealedValues.open(database.url);
    try {
      const changed = await values.rewrite(
        'sealed:',
        { key: 'check_of_this_test', value: 'new' },
        () => true,
        (text) => text.replace('sealed:', 'sealed:again-'),
        say,
      );
      expect(changed).toBe(2);
    } finally {
      await values.close();
    }
    const { rows } = await sql<{ id: string; callback: string }>`
      select id, callback from calls where callback is not null order by id`.execute(database.db);
    expect(rows).toEqual([
      { id: ids['before'], callback: 'sealed:again-before' },
      { id: ids['february'], callback: 'sealed:again-february' },
    ]);
  });

  it('takes an index that a migration builds concurrently, month by month', async () => {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    try {
      const run = async (statement: string): Promise<void> => {
        for (const each of await statementsByMonth(client, statement)) await client.query(each);
      };
      await run('create index concurrently calls_of_this_test on calls (workspace_id, category)');
      const { rows } = await client.query(
        `select indisvalid as valid from pg_index where indexrelid = 'calls_of_this_test'::regclass`,
      );
      expect(rows).toEqual([{ valid: true }]);
      await run('-- Away.\ndrop index concurrently if exists calls_of_this_test');
      expect((await client.query(`select to_regclass('calls_of_this_test') as at`)).rows[0].at).toBe(null);
      const plain = 'create index concurrently x on workspaces (name)';
      expect(await statementsByMonth(client, plain)).toEqual([plain]);
    } finally {
      await client.end();
    }
  });

  it('keeps a month whose calls wait, and all after it', async () => {
    ids['waiting'] = await insertCall(new Date('2026-02-20T10:00:00Z'), { status: 'registered' });
    expect(await keep('2026-06-15T00:00:00Z', 1)).toBe('done');
    expect(await tableOf(ids['before']!)).toBe(null);
    expect(await tableOf(ids['waiting'])).toBe('calls_2026_02');
  });

  it('keeps a month of whose calls an event is still to be delivered', async () => {
    await sql`update calls set status = 'completed' where id = ${ids['waiting']}`.execute(database.db);
    await store(eventOf(ids['waiting']!, 'call_completed', [RECEIVER]));
    expect(await keep('2026-06-15T00:00:00Z', 1)).toBe('done');
    expect(await tableOf(ids['waiting']!)).toBe('calls_2026_02');
    await sql`update deliveries set state = 'delivered'`.execute(database.db);
    await sql`delete from delivery_queue`.execute(database.db);
  });

  it('deletes the recordings of a month first, and then drops it with its events and deliveries', async () => {
    await database.db
      .insertInto('recording_files')
      .values({
        workspace_id: workspace.id,
        call_id: ids['waiting']!,
        attempt: 1,
        path: 'a.wav',
        state: 'kept',
        due_at: JANUARY,
        created_at: JANUARY,
      })
      .execute();
    expect(await keep('2026-06-15T00:00:00Z', 1)).toBe('files');
    const { rows } = await sql<{ state: string }>`select state from recording_files`.execute(database.db);
    expect(rows).toEqual([{ state: 'delete' }]);
    expect(await tableOf(ids['february']!)).toBe('calls_2026_02');
    await sql`delete from recording_files`.execute(database.db);
    const done = [ids['february']!, ids['june']!];
    await database.db.transaction().execute(async (tx) => {
      for (const id of done)
        await insertFollowUp(tx, workspace.id, id, { doneBy: 'a@example.com', doneAt: JANUARY });
    });
    expect(await keep('2026-06-15T00:00:00Z', 1)).toBe('done');
    expect(await tableOf(ids['february']!)).toBe(null);
    const marks = await database.db.selectFrom('call_follow_ups').select('call_id').execute();
    expect(marks).toEqual([{ call_id: ids['june'] }]);
    const { rows: left } = await sql<{ events: number; deliveries: number }>`
      select (select count(*)::int from events) as events, (select count(*)::int from deliveries) as deliveries`.execute(
      database.db,
    );
    expect(left).toEqual([{ events: 0, deliveries: 0 }]);
  });

  it('counts in the history only the calls that are kept', async () => {
    const { rows } = await sql<{ calls: number }>`select count(*)::int as calls from calls`.execute(
      database.db,
    );
    expect(rows[0]?.calls).toBe(2);
    expect(await total()).toBe(2);
  });
});

it('a backup has a split table as one, and replaces another installation that is split', async () => {
  const target = await createTestDatabase();
  const snapshot = await Snapshot.open(database.url);
  const replaced = await Target.open(target.url);
  try {
    await splitMonths(target.url, SPLIT_IN, say);
    const tables = await snapshot.tables();
    const names = tables
      .map(({ name }) => name)
      .filter((name) => /^calls|^call_(attempts|records)|^events/.test(name));
    expect(names).toEqual(['call_attempts', 'call_records', 'calls', 'events']);
    const rows = new Map<string, string>();
    for (const table of tables) {
      rows.set(table.name, (await snapshot.rows(table).setEncoding('utf8').toArray()).join(''));
    }
    const plan = { migrations: await readMigrations(), tables, sequences: [], movedToStore: [] };
    const loaded = await replaced.load(plan, (name) => [Readable.from([rows.get(name) ?? ''])], say);
    expect(loaded.get('calls')).toBe(2);
    const { rows: kinds } = await sql<{ kind: string }>`
      select relkind::text as kind from pg_class where oid = to_regclass('calls')`.execute(target.db);
    expect(kinds).toEqual([{ kind: 'r' }]);
  } finally {
    await snapshot.close();
    await replaced.close();
    await target.close();
  }
});

it('a database without a split is left as it is', async () => {
  const other = await createTestDatabase();
  try {
    const deps = { db: other.db, clock, log: silentLog, keepMonths: 1 };
    expect(await keepMonths(deps)).toBe('done');
    const { rows } = await sql`select from pg_inherits`.execute(other.db);
    expect(rows).toEqual([]);
  } finally {
    await other.close();
  }
});
