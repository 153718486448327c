import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readMigrations } from '../../src/store/migrate.ts';
import { makeOwnerKey } from '../helpers/api/owner-key.ts';
import { ask, withoutTokens } from '../helpers/api/upgrade-answers.ts';
import { SERVICE } from '../helpers/service/program.ts';
import { eventually, freeSipPort, freeTcpPort, type Service } from '../helpers/service/service.ts';
import { appliedMigrations, restore, type Installation } from '../helpers/service/upgrade.ts';

const root = join(import.meta.dirname, '../..');
const LIMIT_MS = 300_000;

let installation: Installation;
let child: ChildProcess | null = null;
let service: Service | null = null;
beforeAll(async () => {
  installation = await restore('installation-768efba6', { receiver: '127.0.0.1:1', carrier: '127.0.0.1:9' });
}, LIMIT_MS);
afterAll(async () => {
  child?.kill('SIGKILL');
  await service?.dispose();
  await installation?.dispose();
});

/** Starts the new version on the kept folder and database. */
async function startNew(): Promise<void> {
  child = spawn(process.execPath, [join(root, SERVICE)], {
    cwd: root,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '',
      DATA_DIR: installation.dataDir,
      DATABASE_URL: installation.databaseUrl,
      ROLES: 'api',
      MODELS_DIR: join(installation.dataDir, 'no-models'),
      MODELS_FETCH: 'off',
      PORT: String(await freeTcpPort()),
      SIP_PORT: String(await freeSipPort()),
    },
    stdio: 'ignore',
  });
}
async function kill(): Promise<void> {
  const exited = once(child!, 'exit');
  child!.kill('SIGKILL');
  await exited;
  child = null;
}

async function connect(): Promise<Client> {
  const client = new Client({ connectionString: installation.databaseUrl });
  await client.connect();
  return client;
}

/** Kills the new version while `statement` of a migration waits for a transaction that has done `hold`. */
async function killWhile(statement: string, hold: string): Promise<void> {
  const [holder, observer] = [await connect(), await connect()];
  try {
    await holder.query('begin');
    await holder.query(hold);
    await startNew();
    await eventually(
      `the wait of ${statement}`,
      async () => {
        const { rowCount } = await observer.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
           and query like '%' || $1 || '%' and pid <> pg_backend_pid()`,
          [statement],
        );
        return (rowCount ?? 0) > 0 ? true : null;
      },
      LIMIT_MS,
    );
    await kill();
    await holder.query('commit');
  } finally {
    await holder.end();
    await observer.end();
  }
}

describe('an upgrade that kill -9 interrupts', () => {
  let all: readonly string[];
  beforeAll(async () => {
    all = (await readMigrations()).map(({ name }) => name);
  });

  it(
    'while it builds an index beside the writers',
    async () => {
      await killWhile(
        'create index concurrently chats_due_by_workspace',
        'lock table chats in row exclusive mode; select pg_current_xact_id()',
      );
      expect(await appliedMigrations(installation.databaseUrl)).not.toContain(all.at(-1));
    },
    LIMIT_MS,
  );

  it(
    'while a migration changes tables in its transaction',
    async () => {
      await killWhile('alter table calls add column by_stranger', 'lock table calls in access share mode');
      expect(await appliedMigrations(installation.databaseUrl)).not.toContain('0005_admission.sql');
    },
    LIMIT_MS,
  );

  it(
    'is completed by the next start',
    async () => {
      service = await installation.start({ ROLES: 'api' });
      expect(await appliedMigrations(installation.databaseUrl)).toEqual(all);
      const client = await connect();
      try {
        const { rows } = await client.query(
          'select indexrelid::regclass::text as name from pg_index where not indisvalid',
        );
        expect(rows).toEqual([]);
      } finally {
        await client.end();
      }
    },
    LIMIT_MS,
  );

  it(
    'answers about calls, campaigns and agents as the old version did',
    async () => {
      const { answers, keys } = installation.expected;
      for (const key of Object.values(keys)) await makeOwnerKey(installation.databaseUrl, key);
      const about = answers.filter(({ ask: path }) => /\/(?:calling|campaign|agent)\//.test(path));
      expect(about.length).toBeGreaterThan(20);
      for (const { answer, status, ...question } of about) {
        const now = await ask(service!.url, keys[question.of ?? 'riverside'], question);
        expect.soft(withoutTokens(now), question.ask).toMatchObject(withoutTokens({ status, answer }));
      }
    },
    LIMIT_MS,
  );
});
