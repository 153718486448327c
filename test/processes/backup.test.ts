import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backUp } from '../../src/cli/backup/backup.ts';
import { MANIFEST, type Manifest } from '../../src/cli/backup/manifest.ts';
import { restore } from '../../src/cli/backup/restore.ts';
import { PUBLIC_URL, ask, withoutTokens, type Answered } from '../helpers/api/upgrade-answers.ts';
import { CLI, runToEnd } from '../helpers/service/program.ts';
import { makeOwnerKey } from '../helpers/api/owner-key.ts';
import { startService, type Service } from '../helpers/service/service.ts';
import { emptyDatabase, restore as restoreFixture, type Installation } from '../helpers/service/upgrade.ts';

const LIMIT_MS = 200_000;
/** The API alone, so that no queued work proceeds. */
const READ_ONLY = { ROLES: 'api', PUBLIC_URL, WEBHOOK_LOG_DAYS: '3650' };
const RECORDINGS = 9;

let installation: Installation;
let root: string;
let service: Service | null = null;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'callwright-backup-'));
  installation = await restoreFixture('installation-768efba6', {
    receiver: '127.0.0.1:1',
    carrier: '127.0.0.1:9',
  });
});
afterAll(async () => {
  await service?.dispose();
  await installation?.dispose();
  await rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
});

const place = (dataDir: string, databaseUrl: string) => ({ dataDir, databaseUrl, secretKey: null, s3: null });
async function query(url: string, text: string): Promise<{ rows: unknown[] }> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await client.query(text);
  } finally {
    await client.end();
  }
}
/** Gives the database to a new role that may do nothing else; returns the URL of that role. */
async function ordinaryOwner(url: string): Promise<string> {
  const at = new URL(url);
  const name = at.pathname.slice(1);
  await query(url, `create role ${name} login password 'ordinary'`);
  await query(url, `alter database ${name} owner to ${name}`);
  [at.username, at.password] = [name, 'ordinary'];
  return at.href;
}
const quietly = (): void => undefined;
const backedUp = (name: string): Promise<Manifest> =>
  backUp(place(installation.dataDir, installation.databaseUrl), '0.1.0', join(root, name), quietly);

async function expectAnswers(from: Service, which: (answered: Answered) => boolean): Promise<void> {
  const { answers, keys } = installation.expected;
  const asked = answers.filter(which);
  expect(asked.length).toBeGreaterThan(0);
  for (const { status, answer, ...question } of asked) {
    const now = await ask(from.url, keys[question.of ?? 'riverside'], question);
    expect.soft(withoutTokens(now), question.ask).toMatchObject(withoutTokens({ status, answer }));
  }
}
/** Every answer about analytics, as the running service gives it. */
async function analyticsOf(from: Service | null): Promise<unknown[]> {
  if (from === null) throw new Error('no service runs');
  const { keys, answers } = installation.expected;
  const questions = answers.filter((one) => /analytics\//.test(one.ask));
  expect(questions.length).toBeGreaterThan(3);
  const now = [];
  for (const { status: _, answer: __, ...question } of questions)
    now.push(await ask(from.url, keys[question.of ?? 'riverside'], question));
  return now;
}

/** A secret that retires disappears with time. */
const isLasting = ({ ask: asked }: Answered): boolean => !asked.endsWith('signing-secret');

describe('a backup', () => {
  let older: Manifest;
  let target: { dataDir: string; databaseUrl: string };
  beforeAll(async () => {
    older = await backedUp('older');
    target = { dataDir: join(root, 'restored'), databaseUrl: await ordinaryOwner(await emptyDatabase()) };
  });

  it('of an earlier version is restored and migrated by an ordinary role, and complete', async () => {
    expect(older.recordings).toMatchObject({ files: RECORDINGS, missing: 0, in_store: 0 });
    await restore(
      place(target.dataDir, target.databaseUrl),
      join(root, 'older'),
      { replace: false },
      quietly,
    );
    service = await startService({
      dataDir: target.dataDir,
      key: installation.expected.keys.riverside,
      env: { ...READ_ONLY, DATABASE_URL: target.databaseUrl },
    });
    await makeOwnerKey(target.databaseUrl, service.key);
    await expectAnswers(service, isLasting);
    // Unsealed with the key of the backup.
    const { body } = await service.request('GET', '/api/v0/webhooks/signing-secret');
    const before = installation.expected.answers.find((one) => !isLasting(one))?.answer as { secret: string };
    expect(body.secret).toBe(before.secret);
  });

  it('of the running service is restored into an embedded database by the command line', async () => {
    const [folder, dataDir] = [join(root, 'newer'), join(root, 'embedded')];
    const made = await runToEnd({ DATA_DIR: target.dataDir, DATABASE_URL: target.databaseUrl }, LIMIT_MS, [
      CLI,
      'backup',
      folder,
    ]);
    expect(made.output).toContain('Backup complete');
    expect(made.code).toBe(0);
    const figures = await analyticsOf(service);
    await service?.end();
    const restored = await runToEnd({ DATA_DIR: dataDir }, LIMIT_MS, [CLI, 'restore', folder]);
    expect(restored.output).toContain('Restored');
    expect(restored.code).toBe(0);
    service = await startService({
      dataDir,
      key: installation.expected.keys.riverside,
      env: READ_ONLY,
    });
    await expectAnswers(service, ({ ask: asked }) => /recordings|call-details|\/kb\/|agent\//.test(asked));
    expect(await analyticsOf(service)).toEqual(figures);
    // The service holds the embedded database.
    const again = await runToEnd({ DATA_DIR: dataDir }, LIMIT_MS, [CLI, 'restore', folder, '--replace']);
    expect(again).toMatchObject({ code: 1, output: expect.stringContaining('The service is running') });
  });
});

describe('a restore', () => {
  let target: { dataDir: string; databaseUrl: string };
  beforeAll(async () => {
    await backedUp('good');
    target = { dataDir: join(root, 'refused'), databaseUrl: await emptyDatabase() };
  });
  const restored = (
    folder: string,
    change: { replace?: boolean; secretKey?: string } = {},
  ): Promise<unknown> =>
    restore(
      { ...place(target.dataDir, target.databaseUrl), secretKey: change.secretKey ?? null },
      folder,
      { replace: change.replace ?? false },
      quietly,
    );
  /** A copy of the good backup with a change. */
  async function changed(name: string, change: (folder: string) => Promise<void>): Promise<string> {
    const folder = join(root, name);
    await cp(join(root, 'good'), folder, { recursive: true });
    await change(folder);
    return folder;
  }
  const withManifest = (name: string, change: (manifest: Manifest) => void): Promise<string> =>
    changed(name, async (folder) => {
      const path = join(folder, MANIFEST);
      const manifest = JSON.parse(await readFile(path, 'utf8')) as Manifest;
      change(manifest);
      await writeFile(path, JSON.stringify(manifest));
    });

  it('refuses damaged, interrupted and newer backups and those of another key, and changes nothing', async () => {
    const damaged = await changed('damaged', async (folder) => {
      const path = join(folder, 'database', 'calls.copy.gz');
      const bytes = await readFile(path);
      bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
      await writeFile(path, bytes);
    });
    const lost = await changed('lost', async (folder) => {
      const recordings = join(folder, 'recordings');
      const [first = ''] = await readdir(recordings);
      await rm(join(recordings, first), { recursive: true });
    });
    const newer = await withManifest('with-migration', ({ database }) => {
      database.migrations = [{ name: '9999_later.sql', checksum: '0'.repeat(64) }];
    });
    const unfinished = await withManifest('unfinished', ({ database }) => {
      database.migrations.pop();
    });
    const format = await withManifest('format', (manifest) => Object.assign(manifest, { format: 2 }));
    const traversing = await withManifest('traversing', ({ database }) => {
      Object.assign(database.tables[0] ?? {}, { name: '../../secret.key' });
    });
    const interrupted = await changed('interrupted', (folder) => rm(join(folder, MANIFEST)));
    await expect(restored(damaged)).rejects.toThrow(/calls\.copy\.gz does not have the checksum/);
    await expect(restored(lost)).rejects.toThrow(/\.wav is missing/);
    await expect(restored(newer)).rejects.toThrow(
      /migration 9999_later\.sql, which this version does not know/,
    );
    await expect(restored(unfinished)).rejects.toThrow(/Start commit 768efba6 on it once/);
    await expect(restored(format)).rejects.toThrow(/newer version of the program made this backup/);
    await expect(restored(traversing)).rejects.toThrow(/is missing/);
    await expect(restored(interrupted)).rejects.toThrow(/it is no backup, or the backup was interrupted/);
    await expect(
      restored(join(root, 'good'), { secretKey: 'another key, which was set by mistake' }),
    ).rejects.toThrow(/SECRET_KEY is not the key of this backup/);
    await expect(readdir(target.dataDir)).rejects.toThrow(/ENOENT/);
    await expect(backedUp('good')).rejects.toThrow(/is not empty/);
  });

  it('replaces an installation with data only when told, and keeps its recordings', async () => {
    await restored(join(root, 'good'));
    await expect(restored(join(root, 'good'))).rejects.toThrow(/has recordings.*--replace/);
    await rm(join(target.dataDir, 'recordings'), { recursive: true });
    await expect(restored(join(root, 'good'))).rejects.toThrow(/The database has data.*--replace/);
    await restored(join(root, 'good'), { replace: true });
    // A recording that was uploaded while the backup ran.
    const { rows: before } = await query(target.databaseUrl, `select path from recording_files limit 1`);
    const { path } = before[0] as { path: string };
    const uploaded = await withManifest('uploaded', ({ recordings }) => {
      recordings.moved_to_store.push(path);
    });
    await restored(uploaded, { replace: true });
    const { rows: inStore } = await query(
      target.databaseUrl,
      `select path from recording_files where place = 'store'`,
    );
    expect(inStore).toEqual([{ path }]);
    const folders = await readdir(target.dataDir);
    expect(folders.filter((name) => name.startsWith('recordings.replaced-'))).toHaveLength(1);
    expect(folders).toContain('recordings');
  });
});
