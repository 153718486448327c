import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MANIFEST, type Manifest } from '../../src/cli/backup/manifest.ts';
import { keyOfData } from '../../src/cli/doctor-key.ts';
import { loadConfig, type Config } from '../../src/config.ts';
import { sha256 } from '../../src/shared/ids.ts';
import { createSeal } from '../../src/shared/seal.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database/database.ts';
import { CLI, runToEnd } from '../helpers/service/program.ts';
import { provisionWith } from '../helpers/service/scenario.ts';
import { makeOwnerKey } from '../helpers/api/owner-key.ts';
import { startService, type Service } from '../helpers/service/service.ts';
import { emptyDatabase } from '../helpers/service/upgrade.ts';

const LIMIT_MS = 90_000;
const KEY = 'the key of the installation that is backed up';
const WRONG = 'a key of another installation, given by mistake';

let root: string;
let database: TestDatabase;
let service: Service;
let signingSecret: string;
/** The key in each way in which a service gets it. */
let ways: Readonly<Record<'credential' | 'file' | 'environment', Record<string, string>>>;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'callwright-keys-'));
  database = await createTestDatabase();
  const credentials = join(root, 'credentials');
  await mkdir(credentials);
  await writeFile(join(credentials, 'secret-key'), `${KEY}\n`);
  ways = {
    credential: { CREDENTIALS_DIRECTORY: credentials },
    file: { SECRET_KEY_FILE: join(credentials, 'secret-key') },
    environment: { SECRET_KEY: KEY },
  };
  service = await startService({
    env: { DATABASE_URL: database.url, SECRET_KEY: KEY },
    provision: provisionWith({}),
  });
  await makeOwnerKey(database.url, service.key);
  signingSecret = await secretOf(service);
});
afterAll(async () => {
  await service?.dispose();
  await database?.close();
  await rm(root, { recursive: true, force: true });
});

/** The signing secret of webhooks, which the service can only show with the key that sealed it. */
const secretOf = async (from: Service): Promise<string> =>
  (await from.request('GET', '/api/v0/webhooks/signing-secret')).body.secret;
const cli = (env: Record<string, string>, ...args: string[]): ReturnType<typeof runToEnd> =>
  runToEnd(env, LIMIT_MS, [CLI, ...args]);
const backup = (
  folder: string,
  env: Record<string, string>,
  dataDir = service.dataDir,
): ReturnType<typeof runToEnd> =>
  cli({ DATA_DIR: dataDir, DATABASE_URL: database.url, ...env }, 'backup', folder);
function configOf(env: Record<string, string>): Config {
  const loaded = loadConfig({ DATA_DIR: service.dataDir, DATABASE_URL: database.url, ...env });
  if (!loaded.ok) throw new Error(loaded.problems.join('\n'));
  return loaded.config;
}

describe('a backup with the key', () => {
  it.each(['credential', 'file', 'environment'] as const)(
    'as %s is proved by restore --verify, restored, and started',
    async (way) => {
      const [folder, scratch, dataDir] = [`backup-${way}`, `scratch-${way}`, `data-${way}`].map((name) =>
        join(root, name),
      ) as [string, string, string];
      const made = await backup(folder, ways[way]);
      expect(made).toMatchObject({ code: 0, output: expect.stringContaining('Backup complete') });
      await mkdir(scratch);
      const proved = await cli({ ...ways[way], TMPDIR: scratch }, 'restore', '--verify', folder);
      expect(proved).toMatchObject({
        code: 0,
        output: expect.stringMatching(/^The backup of .* is good: /m),
      });
      expect(proved.output).toContain('ok    the key opens the stored secrets');
      expect(await readdir(scratch)).toEqual([]);

      const target = { DATA_DIR: dataDir, DATABASE_URL: await emptyDatabase(), ...ways[way] };
      const list = ['--tombstones', join(service.dataDir, 'tombstones.jsonl')];
      expect(await cli(target, 'restore', folder, ...list)).toMatchObject({ code: 0 });
      const restored = await startService({ dataDir, env: { ...target, ROLES: 'api' } });
      try {
        expect(await secretOf(restored)).toBe(signingSecret);
      } finally {
        await restored.dispose();
      }
      expect(await readdir(dataDir)).not.toContain('secret.key');
    },
  );
});

describe('a command without the right key', () => {
  it('backup refuses, says how to give the key, and makes neither a key nor a folder', async () => {
    const folder = join(root, 'never');
    const without = await backup(folder, {});
    expect(without.code).toBe(2);
    expect(without.output).toMatch(/SECRET_KEY is not the key .* it is not set, and .* has no secret\.key/);
    expect(without.output).toContain('SECRET_KEY_FILE');
    expect(without.output).toContain('the systemd credential secret-key');
    const wrong = await backup(folder, { SECRET_KEY: WRONG });
    expect(wrong.code).toBe(2);
    expect(wrong.output).toContain('SECRET_KEY is not the key that this database was set up with');
    // An empty DATA_DIR, as in the shell of an administrator.
    const elsewhere = join(root, 'empty-data');
    expect((await backup(folder, {}, elsewhere)).code).toBe(2);
    await expect(readdir(folder)).rejects.toThrow('ENOENT');
    await expect(readdir(elsewhere)).rejects.toThrow('ENOENT');
    expect(await readdir(service.dataDir)).not.toContain('secret.key');
  });

  it('a backup of a folder without a database is refused and creates nothing', async () => {
    const nothing = join(root, 'no-installation');
    const { code, output } = await cli({ DATA_DIR: nothing }, 'backup', join(root, 'of-nothing'));
    expect(code).toBe(1);
    expect(output).toContain(`DATA_DIR ${nothing} has no database`);
    await expect(readdir(nothing)).rejects.toThrow('ENOENT');
  });

  it('doctor fails the key of the data, and passes it with the right key', async () => {
    const found = async (env: Record<string, string>): Promise<unknown> => keyOfData(configOf(env));
    expect(await found({ SECRET_KEY: WRONG })).toMatchObject({ ok: false });
    expect(await found({})).toMatchObject({ ok: false, detail: expect.stringContaining('it is not set') });
    expect(await found(ways.credential)).toMatchObject({ ok: true, detail: 'opens the stored secrets' });
    expect(await readdir(service.dataDir)).not.toContain('secret.key');
  });

  it('a start with a database of another key makes no key file', async () => {
    const dataDir = join(root, 'second');
    const { code } = await runToEnd(
      { DATA_DIR: dataDir, DATABASE_URL: database.url, PORT: '0', SIP_PORT: '0' },
      LIMIT_MS,
    );
    expect(code).toBe(2);
    expect(await readdir(dataDir)).not.toContain('secret.key');
  });
});

describe('restore --verify', () => {
  const folder = (): string => join(root, 'backup-of-file');
  beforeAll(async () => {
    const { code, output } = await backup(folder(), ways.file);
    if (code !== 0) throw new Error(output);
  });
  const verify = async (env: Record<string, string>, path = folder()): Promise<string> => {
    const scratch = await mkdtemp(join(root, 'scratch-'));
    const { code, output } = await cli({ ...env, TMPDIR: scratch }, 'restore', '--verify', path);
    expect(code).toBe(1);
    expect(await readdir(scratch)).toEqual([]);
    return output;
  };

  it('does not prove a backup with another key, or without one', async () => {
    expect(await verify({ SECRET_KEY: WRONG })).toMatch(
      /^The backup is not proved: SECRET_KEY is not the key/m,
    );
    expect(await verify({})).toMatch(/^The backup is not proved: The backup was made with SECRET_KEY set/m);
  });

  it('proves a backup with its own key file, and not one whose key file is that of no secret in it', async () => {
    const [path, dataDir] = [join(root, 'with-key-file'), join(root, 'data-with-key-file')];
    const url = await emptyDatabase();
    const started = await startService({ dataDir, env: { DATABASE_URL: url, ROLES: 'api' } });
    await started.dispose();
    const made = await cli({ DATA_DIR: dataDir, DATABASE_URL: url }, 'backup', path);
    expect(made.code).toBe(0);
    expect((await cli({}, 'restore', '--verify', path)).code).toBe(0);
    // What an earlier version wrote without the key of the service: a new key, with a manifest that agrees with it.
    await writeFile(join(path, 'secret.key'), WRONG);
    const manifest = JSON.parse(await readFile(join(path, MANIFEST), 'utf8')) as Manifest;
    manifest.secret_key = { check: createSeal(WRONG).check, sha256: sha256(WRONG) };
    await writeFile(join(path, MANIFEST), JSON.stringify(manifest));
    expect(await verify({}, path)).toContain('not the key that sealed the secrets of its database');
  });

  it('does not prove a backup with a damaged file', async () => {
    const path = join(root, 'damaged');
    expect((await backup(path, ways.file)).code).toBe(0);
    const file = join(path, 'database', 'workspaces.copy.gz');
    const bytes = await readFile(file);
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
    await writeFile(file, bytes);
    expect(await verify(ways.file, path)).toContain('workspaces.copy.gz does not have the checksum');
  });
});
