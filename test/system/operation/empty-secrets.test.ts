import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCheckedSeal } from '../../../src/app/secrets.ts';
import { emptySecrets } from '../../../src/cli/empty-secrets.ts';
import { createSeal, type Seal } from '../../../src/shared/seal.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { migrate } from '../../../src/store/migrate.ts';
import { restore, type Installation } from '../../helpers/service/upgrade.ts';

let installation: Installation;
let client: Client;
let lost: Seal;
const NEXT = 'the key after the loss, in the environment';
beforeAll(async () => {
  installation = await restore('installation-768efba6', { receiver: '127.0.0.1:1', carrier: '127.0.0.1:9' });
  await migrate(installation.databaseUrl);
  client = new Client({ connectionString: installation.databaseUrl });
  await client.connect();
  const keyFile = join(installation.dataDir, 'secret.key');
  lost = createSeal(await readFile(keyFile, 'utf8'));
  await rm(keyFile);
  await client.query(`update users set totp_secret = $1, totp_enabled = true`, [lost.seal('of a user')]);
  await client.query(
    `insert into workspace_providers (workspace_id, settings, updated_at)
     select id, jsonb_build_object('vendors', jsonb_build_object('deepgram', jsonb_build_object('api_key',
       jsonb_build_object('sealed', $1::text)))), now() from workspaces`,
    [lost.seal('a key of a vendor')],
  );
  await client.query(
    `insert into installation (key, value, created_at) values ('tombstone_key', $1, now())`,
    [lost.seal('of the tombstones')],
  );
});
afterAll(async () => {
  await client?.end();
  await installation?.dispose();
});

const settings = (secretKey: string | null) => ({
  dataDir: installation.dataDir,
  databaseUrl: installation.databaseUrl,
  secretKey,
});
/** The tables whose values the key cannot open, and how many it opens. */
async function opened(seal: Seal): Promise<{ closed: string[]; count: number }> {
  const { rows } = await client.query<{ at: string; value: string }>(`
    select 'agents' as at, config::text as value from agent_versions
    union all select 'trunks', settings::text from trunks
    union all select 'users', totp_secret from users
    union all select 'webhooks', secret from webhook_secrets
    union all select 'links', secret from link_keys
    union all select 'providers', settings::text from workspace_providers
    union all select 'installation', value from installation
    union all select 'deliveries', headers::text from deliveries`);
  const found = rows.flatMap(({ at, value }) =>
    [...(value ?? '').matchAll(/sealed:v1:[\w-]+/g)].map(([sealed]) => ({
      at,
      isOpen: seal.open(sealed) !== null,
    })),
  );
  const closed = [...new Set(found.filter(({ isOpen }) => !isOpen).map(({ at }) => at))].toSorted();
  return { closed, count: found.filter(({ isOpen }) => isOpen).length };
}
async function start(secretKey: string): Promise<Seal> {
  const database = openDatabase(installation.databaseUrl);
  try {
    return await openCheckedSeal(database.kysely, secretKey, installation.dataDir, new Date());
  } finally {
    await database.close();
  }
}

describe('an installation whose SECRET_KEY is lost', () => {
  it('does not start, and is not changed while a process of the service is connected', async () => {
    await expect(start(NEXT)).rejects.toThrow(/SECRET_KEY is not the key/);
    const before = await opened(lost);
    const running = new Client({
      connectionString: installation.databaseUrl,
      application_name: 'callwright api',
    });
    await running.connect();
    await expect(emptySecrets(settings(NEXT))).rejects.toThrow(/service is running/);
    await running.end();
    expect(await opened(lost)).toEqual(before);
  });

  it('goes on with its secrets emptied, and names each that somebody has to enter again', async () => {
    const before = await opened(lost);
    expect(before).toMatchObject({ closed: [] });
    const { emptied, toEnter } = await emptySecrets(settings(NEXT));
    expect(emptied).toBeGreaterThanOrEqual(before.count);
    expect(toEnter.filter((line) => line.endsWith('providers: vendors.deepgram.api_key'))).not.toEqual([]);
    expect(toEnter.filter((line) => /^trunk \w+: password$/.test(line))).not.toEqual([]);
    expect(toEnter.filter((line) => /^user \S+@\S+: two-step sign-in$/.test(line))).not.toEqual([]);
    expect(toEnter.filter((line) => line.endsWith('webhooks: signing secret'))).not.toEqual([]);
    expect(toEnter.join('\n')).not.toContain('sealed:');

    const seal = await start(NEXT);
    const after = await opened(seal);
    expect(after.closed).toEqual([]);
    // No value is left that the lost key opens, and none that everybody knows.
    expect((await opened(lost)).count).toBe(0);
    const { rows } = await client.query<{ secret: string }>('select totp_secret as secret from users');
    const secrets = rows.map(({ secret }) => seal.open(secret) ?? '');
    expect(new Set(secrets).size).toBe(secrets.length);
    expect(secrets.every((secret) => secret.length >= 40)).toBe(true);
    // Made again when they are needed.
    const made = await client.query(`select from link_keys union all select from webhook_secrets
      union all select from installation where key = 'tombstone_key'`);
    expect(made.rowCount).toBe(0);
  });

  it('repeats without effect', async () => {
    expect(await emptySecrets(settings(NEXT))).toEqual({ emptied: 0, toEnter: [] });
  });

  it('makes a key file when SECRET_KEY is not set', async () => {
    const { emptied } = await emptySecrets(settings(null));
    expect(emptied).toBeGreaterThan(0);
    const key = await readFile(join(installation.dataDir, 'secret.key'), 'utf8');
    expect((await start(key)).check).toBe(createSeal(key).check);
  });
});
