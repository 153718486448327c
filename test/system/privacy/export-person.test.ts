import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SEARCHES } from '../../../src/domain/privacy/export/searches.ts';
import { newId } from '../../../src/shared/ids.ts';
import { searchedTables } from '../../../src/store/privacy/person-data.ts';
import { REGISTER } from '../../../src/store/privacy/register/register.ts';
import { createTenant, createTestAgent } from '../../helpers/api/api.ts';
import { CANARIES, PERSON } from '../../helpers/calls/complete-call.ts';
import { createErasures, OTHER, type Erasures } from '../../helpers/privacy/erasures.ts';
import { markOf, OWN_NUMBER, plantPerson } from '../../helpers/privacy/planted-rows.ts';

const ALONE = '+14155557001';
const SPELT = '0014155551234';

let lived: Erasures;
beforeAll(async () => {
  lived = await createErasures();
});
afterAll(async () => {
  await lived?.api.close();
});

const exported = async (body: object, key = lived.tenant.key) => {
  const answer = await lived.api.request('POST', '/api/v0/calling/export-person', { key, body });
  expect([answer.status, answer.text.slice(0, 300)]).toEqual([200, expect.anything()]);
  return { ...answer, person: answer.body as any };
};

describe('an export of a person’s data', () => {
  it('has every column of the register that it does not leave out with a reason', async () => {
    const { callId, chatId } = await plantPerson(lived.api.db, lived.tenant.workspaceId, ALONE);
    const { person } = await exported({ mobile_numbers: [ALONE] });
    expect([person.calls.length, person.chats.length]).toEqual([1, 1]);
    expect([person.calls[0].call_id, person.chats[0].chat_id]).toEqual([callId, chatId]);
    const rows = { ...person.lists, ...person.chats[0], ...person.calls[0] };
    const reasons = new Map(person.places.map((place: any) => [place.place, place.left_out]));
    const missing = Object.entries(REGISTER).flatMap(([table, { columns, exporting }]) =>
      Object.keys(columns).filter((column) => {
        const reason = reasons.get(`${table}.${column}`);
        if (typeof reason === 'string') return reason.length < 10;
        if (exporting !== 'rows') return !(table in person.mentions) && table !== 'recording_files';
        const value = JSON.stringify(rows[table]?.[0]?.[column] ?? null);
        return ![markOf(table, column), callId, chatId, ALONE, OWN_NUMBER].some((mark) =>
          value.includes(mark),
        );
      }),
    );
    expect(missing).toEqual([]);
  });

  it('searches every table that the register says is searched', () => {
    const links = ['recording_files'];
    expect([...Object.keys(SEARCHES), ...links].toSorted()).toEqual(searchedTables().toSorted());
  });

  it('finds the person in any spelling, in calls out and in, and has links to recordings', async () => {
    const call = await lived.made({ callback: true });
    const inbound = await lived.made({ number: SPELT, inbound: true });
    await lived.made({ number: OTHER });
    const { person, text, headers } = await exported({ mobile_numbers: [PERSON] });
    expect(person.calls.map((each: any) => each.call_id).toSorted()).toEqual(
      [call.id, inbound.id].toSorted(),
    );
    expect(CANARIES.filter((canary) => !text.includes(canary))).toEqual([]);
    expect(text).not.toContain(OTHER);
    expect(person.calls[0].recordings.map(({ attempt }: any) => attempt)).toEqual([1, 2]);
    for (const { url } of person.calls[0].recordings) {
      const path = new URL(url);
      expect((await lived.api.request('GET', path.pathname + path.search)).status).toBe(200);
    }
    expect(person.calls[0].call_records[0].event_log).toContain('\n');
    expect(person.mentions.idempotency_keys).toHaveLength(2);
    expect(person.is_complete).toBe(true);
    expect(headers['content-disposition']).toContain('person.json');
  });

  it('has opt-outs, and logged requests that name the person and no other', async () => {
    const { api, tenant } = lived;
    const post = (path: string, body: unknown) =>
      api.request('POST', `/api/v0${path}`, { key: tenant.key, body });
    const number = '+14155557010';
    await post('/dnc', { mobile_numbers: [number] });
    await post('/dnc', { mobile_numbers: [number, OTHER] });
    await expect
      .poll(
        async () =>
          (await api.db.selectFrom('api_requests').select('id').where('path', 'like', '%/dnc').execute())
            .length,
      )
      .toBeGreaterThanOrEqual(2);
    const { person, text } = await exported({ mobile_numbers: [number] });
    expect(person.lists.do_not_call).toMatchObject([{ number }]);
    const logged = person.mentions.api_requests.filter(({ method }: any) => method === 'POST');
    expect(logged).toHaveLength(2);
    expect(logged[0].body).toContain(number);
    expect(logged[1]).toMatchObject({ withheld: 'its texts name another person, too' });
    expect(text).not.toContain(OTHER);
  });

  it('names what was done with the calls of the person, and not who did it', async () => {
    const call = await lived.made({ number: '+14155557020' });
    await lived.api.request('POST', '/api/v0/calling/hangup', {
      key: lived.tenant.key,
      body: { call_id: call.id },
    });
    await lived.erase(newId());
    await lived.api.db
      .insertInto('audit_log')
      .values({
        workspace_id: lived.tenant.workspaceId,
        id: newId(),
        at: new Date(lived.api.clock.now()),
        actor_type: 'user',
        actor: 'member@example.com',
        action: 'getCall',
        method: 'GET',
        route: '/x',
        status: 200,
        objects: JSON.stringify({ call_ids: [newId(), call.id] }),
        request_id: 'r',
        address: '192.0.2.1',
      })
      .execute();
    const { person, text } = await exported({ call_ids: [call.id] });
    expect(person.mentions.audit_log).toContainEqual(
      expect.objectContaining({ action: 'getCall', status: 200 }),
    );
    expect(text).not.toMatch(/member@example\.com|192\.0\.2\.1/);
  });

  it('takes calls and chats without a number by their ids, and no id of another workspace', async () => {
    const other = await createTenant(lived.api, { unlimited: true });
    await createTestAgent(lived.api, other);
    const theirs = await lived.made({ tenant: other });
    const asked = async (body: object) =>
      (await lived.api.request('POST', '/api/v0/calling/export-person', { key: lived.tenant.key, body }))
        .body;
    expect(await asked({ call_ids: [theirs.id] })).toMatchObject({ code: 'CALL_NOT_FOUND' });
    expect(await asked({ chat_ids: [newId()] })).toMatchObject({ code: 'CHAT_NOT_FOUND' });
    expect(await asked({})).toMatchObject({ code: 'VALIDATION_FAILED' });
    expect(await asked({ mobile_numbers: ['+1999'] })).toMatchObject({
      code: 'VALIDATION_FAILED',
      message: expect.stringContaining('mobile_numbers'),
    });
    const { person, text } = await exported({ mobile_numbers: [PERSON] }, other.key);
    expect(person.calls.map((call: any) => call.call_id)).toEqual([theirs.id]);
    expect(text).not.toContain(lived.tenant.workspaceId);
  });

  it('is logged without its body, and leaves an entry in the audit log', async () => {
    const number = '+14155557030';
    await exported({ mobile_numbers: [number] });
    const { rows } = await sql<{ body: string | null }>`
      select body from api_requests where path like '%export-person' and body is not null`.execute(
      lived.api.db,
    );
    expect(rows).toEqual([]);
    const entries = await lived.api.db
      .selectFrom('audit_log')
      .select('objects')
      .where('action', '=', 'exportPerson')
      .execute();
    expect(entries.length).toBeGreaterThan(0);
    expect(JSON.stringify(entries)).not.toContain(number);
  });
});
