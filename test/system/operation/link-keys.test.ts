import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { linkKeys, rotateLinkKey } from '../../../src/domain/links/link-keys.ts';
import { createSeal } from '../../../src/shared/seal.ts';
import { ManualClock } from '../../../src/shared/clock.ts';
import { TEST_SEAL } from '../../helpers/api/api.ts';
import { createTestDatabase, type TestDatabase } from '../../helpers/database/database.ts';
import { openTestLinks } from '../../helpers/database/links.ts';

const DAY_MS = 86_400_000;
const name = { workspaceId: crypto.randomUUID(), id: crypto.randomUUID() };
let database: TestDatabase;
let clock: ManualClock;
beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  clock = new ManualClock();
  await database.db.deleteFrom('link_keys').execute();
});
afterAll(() => database.close());

const deps = (days = 30) => ({ db: database.db, clock, seal: TEST_SEAL, days });
const opened = (days = 30) => openTestLinks(clock, 'http://x', () => linkKeys(deps(days)));
const stored = async (): Promise<string[]> =>
  (await database.db.selectFrom('link_keys').select('secret').execute()).map(({ secret }) => secret);

describe('the keys of links', () => {
  it('are made once, sealed, by processes that start together', async () => {
    const [one, two] = await Promise.all([opened(), opened()]);
    expect(await two.read('recording', one.issue('recording', name))).toEqual(name);
    const secrets = await stored();
    expect(secrets).toHaveLength(1);
    expect(secrets[0]).toMatch(/^sealed:/);
  });

  it('of an earlier version are sealed, and its links stay valid for RECORDING_LINK_DAYS', async () => {
    const at = new Date(clock.now());
    await sql`insert into link_keys (id, secret, created_at, signed_old_form)
      values (1, 'old', ${at}, true)`.execute(database.db);
    const old = 'AZAAAAAAcACAAAAAAAAAAQGQAAAAAHAAgAAAAAAAAALszGP4iAknGSJeFQr7Yx1o';
    const links = await opened();
    expect((await stored())[0]).toMatch(/^sealed:/);
    expect(await links.read('recording', old)).not.toBeNull();
    await rotateLinkKey(deps(), false);
    clock.advance(30 * DAY_MS - 1);
    expect(await links.read('recording', old)).not.toBeNull();
    expect(await (await opened(0)).read('recording', old)).not.toBeNull();
    clock.advance(10_000);
    expect(await links.read('recording', old)).toBeNull();
    expect(await (await opened(0)).read('recording', old)).not.toBeNull();
  });

  it('rotate without ending a link before its expiry', async () => {
    const links = await opened();
    const before = links.issue('recording', name);
    await rotateLinkKey(deps(), false);
    clock.advance(30 * DAY_MS);
    expect(await links.read('recording', before)).toEqual(name);
    await links.refresh();
    const after = links.issue('recording', name);
    expect(after.slice(0, 3)).not.toBe(before.slice(0, 3));
    clock.advance(3 * DAY_MS);
    await rotateLinkKey(deps(), false);
    // The first key is retired, and kept to tell its links from forged ones.
    expect(await stored()).toHaveLength(3);
    expect(await links.read('recording', after)).toEqual(name);
    expect(await links.read('recording', before)).toBeNull();
    expect(links.hasEnded('recording', before)).toBe(true);
    clock.advance(500 * DAY_MS);
    await rotateLinkKey(deps(), false);
    await rotateLinkKey(deps(), true);
    expect(await stored()).toHaveLength(3);
  });

  it('end every link when they are revoked, also links without expiry', async () => {
    const links = await opened(0);
    const tokens = [links.issue('recording', name)];
    await rotateLinkKey(deps(0), false);
    clock.advance(10_000);
    tokens.push((await opened(0)).issue('rejects', name));
    expect(await links.read('recording', tokens[0] ?? '')).toEqual(name);
    await rotateLinkKey(deps(0), true);
    clock.advance(10_000);
    expect(await links.read('recording', tokens[0] ?? '')).toBeNull();
    expect(await links.read('rejects', tokens[1] ?? '')).toBeNull();
    expect(links.hasEnded('recording', tokens[0] ?? '')).toBe(true);
    // A link for another purpose has not ended: it was never one.
    expect(links.hasEnded('rejects', tokens[0] ?? '')).toBe(false);
    expect(await links.read('recording', (await opened(0)).issue('recording', name))).toEqual(name);
  });

  it('sealed with another SECRET_KEY are not used', async () => {
    await opened();
    const seal = createSeal('another key, which was set by mistake');
    expect(await linkKeys({ ...deps(), seal })).toEqual([]);
  });
});
