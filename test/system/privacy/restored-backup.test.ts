import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backUp } from '../../../src/cli/backup/backup.ts';
import { restore } from '../../../src/cli/backup/restore.ts';
import { isDoNotCall } from '../../../src/store/numbers/do-not-call.ts';
import { openDatabase, type Database } from '../../../src/store/database.ts';
import { findKeyOwner } from '../../../src/store/tenants/keys.ts';
import { newId, sha256 } from '../../../src/shared/ids.ts';
import { TombstoneFile } from '../../../src/recordings/tombstone-lists.ts';
import { createErasures, OTHER, type Erasures } from '../../helpers/privacy/erasures.ts';
import { findInDatabase } from '../../helpers/privacy/find-everywhere.ts';
import { writeTombstones } from '../../helpers/privacy/tombstones.ts';
import { insertWaitingCall } from '../../helpers/privacy/waiting-call.ts';
import { emptyDatabase } from '../../helpers/service/upgrade.ts';
import { PERSON } from '../../helpers/calls/complete-call.ts';

const SECRET_KEY = 'a key for tests, of no use elsewhere';
const ALONE = '+14155557001';
const UNKNOWN = '+14155557002';
const SPELT = '0014155551234';
const quietly = (): void => undefined;

let lived: Erasures;
let root: string;
let list: string;
let userId: string;
let calls: { theirs: string; spelt: string; single: string; waiting: string; kept: string };
let restored: Database;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'callwright-restored-'));
  list = join(root, 'tombstones.jsonl');
  lived = await createErasures();
  const { api, tenant } = lived;
  // The times of the tombstones are compared with that of the backup.
  api.clock.advance(Date.now() - api.clock.now());
  await writeTombstones(api, new TombstoneFile(list));
  calls = {
    theirs: (await lived.made()).id,
    spelt: (await lived.made({ number: SPELT, inbound: true })).id,
    single: (await lived.made({ number: ALONE })).id,
    waiting: await insertWaitingCall(lived, OTHER),
    kept: (await lived.made({ number: '+14155557003' })).id,
  };
  userId = newId();
  const at = new Date(api.clock.now());
  await api.db
    .insertInto('users')
    .values({ id: userId, email: 'gone@example.com', password_hash: 'x', created_at: at })
    .execute();
  const [owner] = [newId()];
  await api.db
    .insertInto('users')
    .values({ id: owner, email: 'owner@example.com', password_hash: 'x', created_at: at })
    .execute();
  const member = { workspace_id: tenant.workspaceId, created_at: at } as const;
  await api.db
    .insertInto('memberships')
    .values([
      { ...member, user_id: userId, role: 'owner' },
      { ...member, user_id: owner, role: 'owner' },
    ])
    .execute();
  await api.db
    .insertInto('sessions')
    .values({
      id: newId(),
      user_id: userId,
      token_hash: 'a',
      created_at: at,
      seen_at: at,
      expires_at: new Date(Date.now() + 1e9),
      address: '127.0.0.1',
      user_agent: 'x',
    })
    .execute();
  await writeTombstones(api, new TombstoneFile(list));
  const place = { dataDir: root, databaseUrl: api.url, secretKey: SECRET_KEY, s3: null };
  await backUp(place, '0.1.0', join(root, 'backup'), quietly);

  await lived.eraseNumbers([PERSON]);
  await lived.erase(calls.single);
  const post = (path: string, body: unknown) =>
    api.request('POST', `/api/v0${path}`, { key: tenant.key, body });
  await post('/dnc', { mobile_numbers: [OTHER, UNKNOWN] });
  await api.db.deleteFrom('memberships').where('user_id', '=', userId).execute();
  await api.db
    .updateTable('api_keys')
    .set({ key_hash: sha256('the next key') })
    .where('workspace_id', '=', tenant.workspaceId)
    .where('name', 'is', null)
    .execute();
  await writeTombstones(api, new TombstoneFile(list));

  const databaseUrl = await emptyDatabase();
  const to = { ...place, dataDir: join(root, 'new'), databaseUrl };
  await restore(to, join(root, 'backup'), { replace: false, tombstones: [list] }, quietly);
  restored = openDatabase(databaseUrl);
}, 400_000);
afterAll(async () => {
  await restored?.close();
  await lived?.api.close();
  await rm(root, { recursive: true, force: true });
});

const callIn = (id: string) =>
  restored.kysely
    .selectFrom('calls')
    .select(['status', 'to_number', 'from_number', 'callee_name'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

describe('a restored backup', () => {
  it('brings back nobody who was erased since, whatever the spelling of the number', async () => {
    for (const id of [calls.theirs, calls.spelt, calls.single]) {
      expect(await callIn(id)).toMatchObject({ callee_name: '' });
    }
    expect(await callIn(calls.theirs)).toMatchObject({ to_number: '+1**********' });
    const marks = { person: PERSON, spelt: SPELT, alone: ALONE };
    expect(await findInDatabase(restored.kysely, marks)).toEqual({});
    expect(await callIn(calls.kept)).toMatchObject({ callee_name: 'Zebulon', to_number: '+14155557003' });
  });

  it('calls nobody who opted out since, also with a number that it did not have', async () => {
    expect(await callIn(calls.waiting)).toMatchObject({ status: 'cancelled' });
    await restored.kysely.transaction().execute(async (tx) => {
      const { workspaceId } = lived.tenant;
      expect(await isDoNotCall(tx, workspaceId, OTHER)).toBe(true);
      expect(await isDoNotCall(tx, workspaceId, UNKNOWN)).toBe(true);
      expect(await isDoNotCall(tx, newId(), UNKNOWN)).toBe(false);
      expect(await isDoNotCall(tx, workspaceId, '+14155557004')).toBe(false);
    });
  });

  it('has no session, no key that was revoked since, and no member who was removed since', async () => {
    const { kysely: db } = restored;
    expect(await db.selectFrom('sessions').select('id').execute()).toEqual([]);
    expect(await findKeyOwner(db, sha256(lived.tenant.key))).toBeNull();
    const members = await db.selectFrom('memberships').select('user_id').execute();
    expect(members).toHaveLength(1);
    expect(members[0]?.user_id).not.toBe(userId);
  });

  it('adds to the list of its new place, so that a later restore knows the same', async () => {
    const copied = await readFile(join(root, 'new', 'tombstones.jsonl'), 'utf8');
    const lines = (text: string) => text.split('\n').filter((line) => line !== '');
    const before = lines(await readFile(list, 'utf8'));
    expect(lines(copied).slice(0, before.length)).toEqual(before);
  });
});

describe('the list of tombstones', () => {
  it('holds no number and no name', async () => {
    const text = await readFile(list, 'utf8');
    expect(text).toMatch(/"kind":"erased_number"/);
    for (const mark of [PERSON, OTHER, UNKNOWN, 'Zebulon', PERSON.slice(1)]) expect(text).not.toContain(mark);
  });

  it('must be given to a restore in a new place', async () => {
    const place = { dataDir: join(root, 'fourth'), secretKey: SECRET_KEY, s3: null };
    const to = { ...place, databaseUrl: await emptyDatabase() };
    await expect(restore(to, join(root, 'backup'), { replace: false }, quietly)).rejects.toThrow(
      /No list of tombstones was found.*--tombstones FILE/,
    );
  });

  it('of another installation is refused', async () => {
    const strange = join(root, 'strange.jsonl');
    const line =
      (await readFile(list, 'utf8')).split('\n').find((one) => one.includes('erased_number')) ?? '';
    await writeFile(strange, line.replace(/"key":"[0-9a-f]+"/, '"key":"0123456789abcdef"'));
    const place = { dataDir: join(root, 'third'), secretKey: SECRET_KEY, s3: null };
    const to = { ...place, databaseUrl: await emptyDatabase() };
    const again = restore(to, join(root, 'backup'), { replace: false, tombstones: [strange] }, quietly);
    await expect(again).rejects.toThrow(/belongs to another installation/);
  });
});
