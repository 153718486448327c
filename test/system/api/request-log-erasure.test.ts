import { afterAll, beforeAll, expect, it } from 'vitest';
import { sweepRetention } from '../../../src/domain/privacy/retention.ts';
import { RequestLog } from '../../../src/domain/requests/request-log.ts';
import { newId } from '../../../src/shared/ids.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { closeRequestsUntil, insertRequests } from '../../../src/store/requests/requests.ts';
import { createTenant, type Tenant } from '../../helpers/api/api.ts';
import { createErasures, OTHER, type Erasures } from '../../helpers/privacy/erasures.ts';
import { PERSON } from '../../helpers/calls/complete-call.ts';
import { logged, logRow } from '../../helpers/api/request-log.ts';
import { eventually } from '../../helpers/service/service.ts';

let lived: Erasures;
let log: RequestLog;
beforeAll(async () => {
  lived = await createErasures();
  log = new RequestLog({ ...lived.api, log: silentLog, kept: 1000, onDropped: () => undefined });
});
afterAll(() => lived?.api.close());

const append = ({ workspaceId }: Tenant, change: Readonly<Record<string, unknown>>): void =>
  log.append(logRow(workspaceId, { requestId: 'of-this-test', ...change }));
/** The paths of what is left of these. */
async function left({ workspaceId }: Tenant): Promise<string[]> {
  await log.settled();
  const rows = await lived.api.db
    .selectFrom('api_requests')
    .select('path')
    .where('workspace_id', '=', workspaceId)
    .where('request_id', '=', 'of-this-test')
    .orderBy('id')
    .execute();
  return rows.map(({ path }) => path);
}

it('an erasure of a number deletes the requests that name it, in any spelling and part', async () => {
  const stranger = await createTenant(lived.api);
  const body = JSON.stringify({ name: 'Zebulon', mobile_number: PERSON });
  for (const tenant of [lived.tenant, stranger]) {
    append(tenant, { path: '/body', body });
    append(tenant, { path: '/spelling', body: '{"to":"(415) 555-1234"}' });
    append(tenant, { path: `/calling/history?to_number=${encodeURIComponent(PERSON)}` });
    append(tenant, { path: '/encoded?q=%34%31%35%35%35%35%31%32%33%34' });
    append(tenant, { path: '/response', status: 422, response: `{"message":"${PERSON} cannot be called"}` });
    append(tenant, { path: '/cut', body: '{"rows":["row 1"]}', isCut: true });
    append(tenant, { path: '/other', body: `{"mobile_number":"${OTHER}"}` });
    append(tenant, { path: '/nobody' });
  }
  const all = await left(lived.tenant);
  expect(all).toHaveLength(8);
  expect((await lived.eraseNumbers([PERSON])).status).toBe(200);
  await lived.sweepAll();
  expect(await left(lived.tenant)).toEqual(['/other', '/nobody']);
  expect(await left(stranger)).toEqual(all);
});

it('a request that waits in the memory of a process while the erasure runs is not stored', async () => {
  const { api, tenant } = lived;
  api.clock.advance(1000);
  append(tenant, { path: '/waiting', body: `{"mobile_number":"${PERSON}"}` });
  expect((await lived.eraseNumbers([PERSON])).status).toBe(200);
  await lived.sweepAll();
  expect(await left(tenant)).not.toContain('/waiting');
  api.clock.advance(1000);
  append(tenant, { path: '/later' });
  expect(await left(tenant)).toContain('/later');
});

it('requests of other workspaces are stored while an erasure reads the log of one, whose own wait for it', async () => {
  const { api, tenant } = lived;
  const stranger = await createTenant(api);
  api.clock.advance(1000);
  const at = new Date(api.clock.now());
  const rowOf = ({ workspaceId }: Tenant, path: string, rowAt: Date) => ({
    ...logRow(workspaceId, { path, requestId: 'of-this-test' }),
    id: newId(),
    at: rowAt,
  });
  const [own, theirs] = [rowOf(tenant, '/overtaken', at), rowOf(stranger, '/theirs', at)];
  const later = rowOf(tenant, '/after-the-erasure', new Date(at.getTime() + 1));
  await api.db.transaction().execute(async (tx) => {
    await closeRequestsUntil(tx, tenant.workspaceId, at);
    expect(await insertRequests(api.db, [own, theirs, later])).toEqual([own, later]);
    expect(await left(stranger)).toEqual(['/theirs']);
  });
  expect(await insertRequests(api.db, [own, later])).toEqual([]);
  const paths = await left(tenant);
  expect(paths).toContain('/after-the-erasure');
  expect(paths).not.toContain('/overtaken');
});

it('a process keeps the requests that it could not store during an erasure', async () => {
  const { api, tenant } = lived;
  api.clock.advance(1000);
  let answered = 0;
  const counted = api.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: ({ result }) => {
      answered += 1;
      return Promise.resolve(result);
    },
  });
  const drops: number[] = [];
  const onDropped = (count: number): void => void drops.push(count);
  const other = new RequestLog({ ...api, db: counted, log: silentLog, kept: 1000, onDropped });
  let written = Promise.resolve();
  await api.db.transaction().execute(async (tx) => {
    await closeRequestsUntil(tx, tenant.workspaceId, new Date(api.clock.now() - 1));
    other.append(logRow(tenant.workspaceId, { path: '/kept-meanwhile', requestId: 'of-this-test' }));
    written = other.settled();
    await eventually('its insert to be refused', () => Promise.resolve(answered > 0 || null));
  });
  await written;
  expect(await left(tenant)).toContain('/kept-meanwhile');
  expect(drops).toEqual([]);
});

it('the request of an erasure is logged without its numbers', async () => {
  const { api, tenant } = lived;
  const headers = { 'idempotency-key': newId() };
  expect((await lived.eraseNumbers([PERSON], headers)).status).toBe(200);
  await lived.sweepAll();
  api.clock.advance(1000);
  const request = { body: { mobile_numbers: [PERSON] }, headers };
  const replayed = await logged(api, tenant, 'POST', '/api/v0/calling/erase', request);
  expect(replayed).toMatchObject({ status: 200, body: null, body_bytes: expect.any(Number) });
});

it('the erasure of one call deletes the requests that name it or its person', async () => {
  const { tenant, api } = lived;
  api.clock.advance(1000);
  const [call, untouched] = [await lived.made(), await lived.made({ number: OTHER })];
  append(tenant, { path: `/call/${call.id.toUpperCase()}`, body: '{"comment":"Zebulon was here"}' });
  append(tenant, { path: '/person', body: `{"mobile_number":"${PERSON}"}` });
  append(tenant, { path: `/call/${untouched.id}` });
  await log.settled();
  expect((await lived.erase(call.id)).status).toBe(200);
  const paths = await left(tenant);
  expect(paths).toContain(`/call/${untouched.id}`);
  expect(paths).not.toContain('/person');
  expect(paths.join()).not.toContain(call.id.toUpperCase());
});

it('requests are deleted after 30 days, and with the transcripts of a workspace that keeps those shorter', async () => {
  const { api } = lived;
  const DAY = 86_400_000;
  const [short, usual] = [await createTenant(api), await createTenant(api)];
  const rules = { key: short.key, body: { transcript_days: 7 } };
  expect((await api.request('PATCH', '/api/v0/workspace/retention', rules)).status).toBe(200);
  for (const tenant of [short, usual]) {
    for (const days of [31, 29, 8, 6]) {
      const at = new Date(api.clock.now() - days * DAY);
      const id = `${at.getTime().toString(16).padStart(12, '0')}${newId().replaceAll('-', '').slice(12)}`;
      const row = logRow(tenant.workspaceId, { path: `/${days}`, requestId: 'of-this-test' });
      await insertRequests(api.db, [{ ...row, id, at }]);
    }
  }
  await sweepRetention(api);
  expect(await left(short)).toEqual(['/6']);
  expect(await left(usual)).toEqual(['/29', '/8', '/6']);
});
