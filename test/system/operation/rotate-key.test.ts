import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCheckedSeal } from '../../../src/app/secrets.ts';
import { rotateKey } from '../../../src/cli/rotate-key.ts';
import { createSeal, resealAll, type Seal } from '../../../src/shared/seal.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { migrate } from '../../../src/store/migrate.ts';
import { restore, type Installation } from '../../helpers/service/upgrade.ts';

const THIRD = 'a third key, which nobody uses for anything';
let installation: Installation;
let client: Client;
let keyFile: string;
beforeAll(async () => {
  // Every kind of secret, of an earlier version.
  installation = await restore('installation-768efba6', { receiver: '127.0.0.1:1', carrier: '127.0.0.1:9' });
  await migrate(installation.databaseUrl);
  keyFile = join(installation.dataDir, 'secret.key');
  client = new Client({ connectionString: installation.databaseUrl });
  await client.connect();
  const seal = createSeal(await readFile(keyFile, 'utf8'));
  await client.query(`update users set totp_secret = $1`, [seal.seal('of a user')]);
  await client.query(
    `insert into installation (key, value, created_at) values ('first_run_token', $1, now())`,
    [seal.seal('of the first run')],
  );
  await client.query(`update link_keys set secret = $1`, [seal.seal('a link key')]);
  await client.query(
    `insert into workspace_providers (workspace_id, settings, updated_at)
     select id, jsonb_build_object('vendors', jsonb_build_object('deepgram', jsonb_build_object('api_key',
       jsonb_build_object('sealed', $1::text)))), now() from workspaces`,
    [seal.seal('a key of a vendor')],
  );
  await client.query(
    `insert into whatsapp_numbers (workspace_id, id, agent_id, phone_number_id, number, access_token, app_secret,
       verify_token, created_at, updated_at)
     select workspace_id, gen_random_uuid(), id, '106540352242922', '+15550783881', $1, $2, 'verify', now(), now()
     from agents limit 1`,
    [seal.seal('a token of WhatsApp'), seal.seal('an app secret of WhatsApp')],
  );
  await client.query(`update campaigns set callback = jsonb_build_object('headers', $1::text)`, [
    `sealed-header:eA:${seal.seal('of a campaign')}`,
  ]);
});
afterAll(async () => {
  await client?.end();
  await installation?.dispose();
});

/** Every sealed text in any column of the database, by table. */
async function sealedTexts(): Promise<{ table: string; sealed: string }[]> {
  const { rows: columns } = await client.query<{ table: string; column: string }>(
    `select table_name as table, column_name as column from information_schema.columns
     where table_schema = 'public' and data_type in ('text', 'jsonb', 'json', 'character varying', 'ARRAY')`,
  );
  const found: { table: string; sealed: string }[] = [];
  for (const { table, column } of columns) {
    const { rows } = await client.query<{ value: string }>(
      `select "${column}"::text as value from "${table}" where "${column}"::text like '%sealed:v1:%'`,
    );
    for (const { value } of rows) {
      for (const [sealed] of value.matchAll(/sealed:v1:[\w-]+/g)) found.push({ table, sealed });
    }
  }
  return found;
}
const openedBy = async (seal: Seal): Promise<{ all: number; opened: number; tables: number }> => {
  const texts = await sealedTexts();
  return {
    all: texts.length,
    opened: texts.filter(({ sealed }) => seal.open(sealed) !== null).length,
    tables: new Set(texts.map(({ table }) => table)).size,
  };
};
const settings = (change: { secretKey?: string; secretKeyPrevious?: string; dataDir?: string } = {}) => ({
  dataDir: installation.dataDir,
  databaseUrl: installation.databaseUrl,
  secretKey: null,
  secretKeyPrevious: null,
  ...change,
});
const quietly = (): void => undefined;
async function startedSeal(secretKey: string | null): Promise<Seal> {
  const database = openDatabase(installation.databaseUrl);
  try {
    return await openCheckedSeal(database.kysely, secretKey, installation.dataDir, new Date());
  } finally {
    await database.close();
  }
}

/** What seals, by the column that its values reach. A new one needs its column in SEALED_COLUMNS and a value above. */
const SEALING = {
  'domain/agents/edit/edit-llm.ts': 'agent_versions.config',
  'domain/links/link-keys.ts': 'link_keys.secret',
  'domain/privacy/tombstones.ts': 'installation.value',
  // Of a call that comes in this moment, for ten minutes: a rotation runs without calls.
  'domain/trunks/stream-tickets.ts': 'none',
  // In the address that a carrier asks once the caller is to be transferred: no transfer is under way during a rotation.
  'domain/trunks/transfer-order.ts': 'none',
  'domain/trunks/trunk-settings.ts': 'trunks.settings',
  'domain/provision/apply-whatsapp.ts': 'whatsapp_numbers.access_token, whatsapp_numbers.app_secret',
  'domain/providers/provider-settings.ts': 'workspace_providers.settings',
  'domain/tools/tool-secrets.ts': 'agent_versions.config, jobs.payload',
  'domain/users/account.ts': 'users.totp_secret',
  'domain/users/first-run.ts': 'installation.value',
  // In the cookie of a browser, and in no column: after a rotation the browser is unknown until its next sign-in.
  'domain/users/known-devices.ts': 'none',
  'domain/webhooks/sealed-headers.ts':
    'calls.callback, campaigns.callback, deliveries.headers, agent_versions.config',
  'domain/webhooks/signing-secrets.ts': 'webhook_secrets.secret',
  'domain/whatsapp/numbers.ts': 'whatsapp_numbers.access_token, whatsapp_numbers.app_secret',
};

describe('the rotation of the key', () => {
  it('knows every part of the program that seals', async () => {
    const src = join(import.meta.dirname, '../../../src');
    const names = (await readdir(src, { recursive: true })).filter((name) => /(?<!\.test)\.ts$/.test(name));
    const sealing: string[] = [];
    for (const name of names) {
      const text = await readFile(join(src, name), 'utf8');
      if (/\bseal\.seal\(|\bsealSecret\(seal/.test(text)) sealing.push(name);
    }
    expect(sealing.toSorted()).toEqual(Object.keys(SEALING).toSorted());
  });

  it('changes nothing when it is killed half-way, and is completed by the next run', async () => {
    const old = createSeal(await readFile(keyFile, 'utf8'));
    const before = await openedBy(old);
    expect(before).toMatchObject({ opened: before.all, tables: 12 });
    await expect(
      // After the first table: the connection of the rotation ends as with its process.
      rotateKey(settings(), async () => {
        await client.query(`select pg_terminate_backend(pid, 5000) from pg_stat_activity
          where application_name = 'callwright rotate-key' and datname = current_database()`);
      }),
    ).rejects.toThrow(/terminat|Connection/i);
    expect(await openedBy(old)).toEqual(before);
    expect(createSeal(await readFile(keyFile, 'utf8')).check).toBe(old.check);

    const { changed, unreadable } = await rotateKey(settings(), quietly);
    expect(changed).toBeGreaterThan(0);
    expect(unreadable).toBe(0);
    const fresh = createSeal(await readFile(keyFile, 'utf8'));
    expect(fresh.check).not.toBe(old.check);
    expect(await openedBy(fresh)).toEqual(before);
    expect(await openedBy(old)).toMatchObject({ opened: 0 });
    expect((await startedSeal(null)).check).toBe(fresh.check);
  });

  it('is completed by the next start when the process died before the key file was replaced', async () => {
    const old = await readFile(keyFile, 'utf8');
    await rotateKey(settings(), quietly);
    const fresh = await readFile(keyFile, 'utf8');
    await writeFile(keyFile, old);
    await writeFile(`${keyFile}.next`, fresh);
    expect((await startedSeal(null)).check).toBe(createSeal(fresh).check);
    expect(await readFile(keyFile, 'utf8')).toBe(fresh);
  });

  it('changes from the key file to SECRET_KEY and on to another one, and repeats without effect', async () => {
    const [one, two] = ['the first key of the environment', 'the second key of the environment'];
    await rotateKey(settings({ secretKey: one }), quietly);
    expect((await startedSeal(one)).check).toBe(createSeal(one).check);
    await expect(startedSeal(null)).rejects.toThrow(/SECRET_KEY is not the key/);
    await rotateKey(settings({ secretKey: two, secretKeyPrevious: one }), quietly);
    const texts = await openedBy(createSeal(two));
    expect(texts.opened).toBe(texts.all);
    expect(await rotateKey(settings({ secretKey: two, secretKeyPrevious: one }), quietly)).toEqual({
      changed: 0,
      unreadable: 0,
    });
    await expect(rotateKey(settings({ secretKey: THIRD, secretKeyPrevious: one }), quietly)).rejects.toThrow(
      /key in use is another one/,
    );
    // Without a check value the sealed texts show the key.
    await client.query(`delete from installation where key = 'secret_key_check'`);
    await expect(rotateKey(settings({ secretKey: THIRD, secretKeyPrevious: one }), quietly)).rejects.toThrow(
      /key in use is another one/,
    );
    expect((await openedBy(createSeal(two))).opened).toBe(texts.all);
    const empty = await mkdtemp(join(tmpdir(), 'callwright-key-'));
    await expect(rotateKey(settings({ secretKey: THIRD, dataDir: empty }), quietly)).rejects.toThrow(
      /SECRET_KEY_PREVIOUS must be the key in use/,
    );
    await rm(empty, { recursive: true });
  });

  it('is refused while the service runs', async () => {
    const running = new Client({
      connectionString: installation.databaseUrl,
      application_name: 'callwright api',
    });
    await running.connect();
    await expect(
      rotateKey(settings({ secretKey: THIRD, secretKeyPrevious: 'whatever it was' }), quietly),
    ).rejects.toThrow(/service is running/);
    await running.end();
  });

  it('keeps text that only looks sealed', () => {
    const [from, to] = [createSeal(THIRD), createSeal('another')];
    const text = `{"a":"${from.seal('x')}","b":"sealed:v1:AAAA","c":"${to.seal('y')}"}`;
    const resealed = resealAll(from, to, text);
    expect(resealed.unreadable).toBe(1);
    const document = JSON.parse(resealed.text) as Record<string, string>;
    expect([to.open(document['a'] ?? ''), document['b'], to.open(document['c'] ?? '')]).toEqual([
      'x',
      'sealed:v1:AAAA',
      'y',
    ]);
  });
});
