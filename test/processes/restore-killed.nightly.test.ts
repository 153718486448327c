import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backUp } from '../../src/cli/backup/backup.ts';
import { TombstoneFile } from '../../src/recordings/tombstone-lists.ts';
import { openDatabase, type Db } from '../../src/store/database.ts';
import { PERSON } from '../helpers/calls/complete-call.ts';
import { createErasures, OTHER, type Erasures } from '../helpers/privacy/erasures.ts';
import { writeTombstones } from '../helpers/privacy/tombstones.ts';
import { insertWaitingCall } from '../helpers/privacy/waiting-call.ts';
import { CLI, runToEnd } from '../helpers/service/program.ts';
import { eventually } from '../helpers/service/service.ts';
import { emptyDatabase } from '../helpers/service/upgrade.ts';

const SECRET_KEY = 'a key for tests, of no use elsewhere';
const LIMIT_MS = 300_000;
const UNFINISHED = sql<{ value: string }>`select value from installation where key = 'restore_unfinished'`;

let lived: Erasures;
let root: string;
let list: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'callwright-killed-'));
  list = join(root, 'tombstones.jsonl');
  lived = await createErasures();
  const { api, tenant } = lived;
  // The times of the tombstones are compared with that of the backup.
  api.clock.advance(Date.now() - api.clock.now());
  await writeTombstones(api, new TombstoneFile(list));
  await lived.made();
  await lived.made({ number: '+14155557003' });
  await insertWaitingCall(lived, OTHER);
  for (const { path } of await api.db.selectFrom('recording_files').select('path').execute()) {
    const file = join(root, 'recordings', path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, `the sound of ${path}`);
  }
  const place = { dataDir: root, databaseUrl: api.url, secretKey: SECRET_KEY, s3: null };
  await backUp(place, '0.1.0', join(root, 'backup'), () => undefined);
  await lived.eraseNumbers([PERSON]);
  const body = { mobile_numbers: [OTHER] };
  const optedOut = await api.request('POST', '/api/v0/dnc', { key: tenant.key, body });
  if (optedOut.status !== 200) throw new Error(`the opt-out was not stored: ${optedOut.text}`);
  await writeTombstones(api, new TombstoneFile(list));
}, 600_000);
afterAll(async () => {
  await lived?.api.close();
  await rm(root, { recursive: true, force: true });
});

interface Target {
  readonly dataDir: string;
  readonly url: string;
}
const target = async (name: string): Promise<Target> => ({
  dataDir: join(root, name),
  url: await emptyDatabase(),
});
function restored({ dataDir, url }: Target, args: readonly string[], killAt: string | null = null) {
  const env = { DATA_DIR: dataDir, DATABASE_URL: url, SECRET_KEY };
  const command = [CLI, 'restore', join(root, 'backup'), ...args] as const;
  return runToEnd(env, LIMIT_MS, [...command], killAt);
}
async function withDatabase<T>(url: string, read: (db: Db) => Promise<T>): Promise<T> {
  const database = openDatabase(url);
  try {
    return await read(database.kysely);
  } finally {
    await database.close();
  }
}

/** What must be the same however often the restore was interrupted. */
const endOf = ({ dataDir, url }: Target): Promise<object> =>
  withDatabase(url, async (db) => ({
    calls: await db
      .selectFrom('calls')
      .select(['id', 'status', 'to_number', 'callee_name', 'args'])
      .orderBy('id')
      .execute(),
    erased: await db
      .selectFrom('call_records')
      .select('call_id')
      .where('erased_at', 'is not', null)
      .orderBy('call_id')
      .execute(),
    files: await db.selectFrom('recording_files').select(['path', 'state']).orderBy('path').execute(),
    optOuts: await db.selectFrom('do_not_call').select('number').orderBy('number').execute(),
    erasures: await db.selectFrom('erasures').select(['mobile_numbers', 'walked']).execute(),
    keys: await db.selectFrom('api_keys').select('key_hash').orderBy('key_hash').execute(),
    sessions: await db.selectFrom('sessions').select('id').execute(),
    unfinished: (await UNFINISHED.execute(db)).rows,
    recordings: (await readdir(join(dataDir, 'recordings'), { recursive: true })).toSorted(),
    tombstones: await subjectsOf(dataDir),
  }));

/** Lines of the list without their times; a restore that ran twice may have a line twice. */
async function subjectsOf(dataDir: string): Promise<string[]> {
  const text = await readFile(join(dataDir, 'tombstones.jsonl'), 'utf8');
  const subjects = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { kind: string; subject: string })
    .map(({ kind, subject }) => `${kind} ${subject}`);
  return [...new Set(subjects)].toSorted();
}

/** The service must not start with people who were erased: it exits and names the command. */
async function mustNotStart({ dataDir, url }: Target): Promise<void> {
  const { code, output } = await runToEnd({ DATA_DIR: dataDir, DATABASE_URL: url, SECRET_KEY }, LIMIT_MS);
  expect([code, output]).toEqual([
    expect.any(Number),
    expect.stringContaining('callwright restore with --replace'),
  ]);
  expect(code).not.toBe(0);
}

/** The server has noticed that the killed process is gone. */
const whenFree = (url: string): Promise<unknown> =>
  eventually('the connections of the killed restore to end', async () => {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      const { rowCount } = await client.query(`select from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`);
      return rowCount === 0 || null;
    } finally {
      await client.end();
    }
  });

describe('a restore that is killed', () => {
  it.each([
    ['while it checks the backup', 'checking the backup', null],
    ['while it loads the rows', 'table calls:', null],
    ['after the rows are loaded, before the erasures', 'erasing what was erased', 'true'],
  ])(
    '%s ends as one that is not, when it runs again',
    async (when, line, unfinished) => {
      const name = when.replaceAll(/\W/g, '-');
      const whole = await target(`whole-${name}`);
      const once = await restored(whole, ['--tombstones', list]);
      expect([once.code, once.output]).toEqual([0, expect.stringContaining('Restored')]);

      const killed = await target(`killed-${name}`);
      const cut = await restored(killed, ['--tombstones', list], line);
      expect([cut.code, cut.output]).toEqual([null, expect.stringContaining(line)]);
      expect(cut.output).not.toContain('Restored');
      await whenFree(killed.url);
      const mark = await withDatabase(killed.url, async (db) => {
        const { rows } = await sql<{ has: boolean }>`
        select to_regclass('installation') is not null as has`.execute(db);
        return rows[0]?.has === true ? ((await UNFINISHED.execute(db)).rows[0]?.value ?? null) : null;
      });
      expect(mark).toBe(unfinished);
      if (unfinished !== null) await mustNotStart(killed);

      const again = await restored(killed, ['--replace', '--tombstones', list]);
      expect([again.code, again.output]).toEqual([0, expect.stringContaining('Restored')]);
      const end = await endOf(killed);
      expect(end).toEqual(await endOf(whole));
      expect(end).toMatchObject({ unfinished: [], sessions: [], optOuts: [{ number: OTHER }] });
      expect(JSON.stringify(end)).not.toContain(PERSON);
    },
    600_000,
  );
});

describe('--without-tombstones', () => {
  const WARNING = 'warn  without a list of tombstones';

  it('warns that erased people come back and opt-outs are lost, and revokes every key', async () => {
    const lost = await target('lost');
    const { code, output } = await restored(lost, ['--without-tombstones']);
    expect([code, output]).toEqual([0, expect.stringContaining(WARNING)]);
    expect(output).toContain('people who were erased since the backup come back');
    expect(output).toContain('those who opted out may be called');
    const [numbers, keys] = await withDatabase(lost.url, async (db) => [
      await db.selectFrom('calls').select('to_number').execute(),
      await db.selectFrom('api_keys').select('id').execute(),
    ]);
    expect(numbers.map((row) => row.to_number)).toContain(PERSON);
    expect(keys).toEqual([]);
  });

  it('warns of nothing when there is a list', async () => {
    const found = await target('found');
    const { code, output } = await restored(found, ['--without-tombstones', '--tombstones', list]);
    expect([code, output]).toEqual([0, expect.not.stringContaining(WARNING)]);
    const numbers = await withDatabase(found.url, (db) =>
      db.selectFrom('calls').select('to_number').execute(),
    );
    expect(numbers.map((row) => row.to_number)).not.toContain(PERSON);
  });
});
