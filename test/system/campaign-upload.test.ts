import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/shared/ids.ts';
import { IMPORT_JOB } from '../../src/domain/campaigns/import/take-upload.ts';
import { ContactImporter } from '../../src/jobs/import/contact-importer.ts';
import { importList } from '../../src/jobs/import/import-list.ts';
import { JobRunner } from '../../src/jobs/job-runner.ts';
import { silentLog } from '../../src/shared/log.ts';
import {
  createTenant,
  createTestAgent,
  createTestApi,
  type Answer,
  type Tenant,
  type TestApi,
} from '../helpers/api.ts';
import { uploadList, type ListForm } from '../helpers/contact-list.ts';

let api: TestApi;
let tenant: Tenant;
let agentId: string;
let versionId: string;
let runner: JobRunner;
let importer: ContactImporter;
beforeAll(async () => {
  api = await createTestApi();
  tenant = await createTenant(api);
  ({ agentId, versionId } = await createTestAgent(api, tenant));
  importer = new ContactImporter({ db: api.db, url: api.url, clock: api.clock, log: silentLog });
  runner = new JobRunner({
    db: api.db,
    clock: api.clock,
    log: silentLog,
    handlers: { [IMPORT_JOB]: importList({ db: api.db, clock: api.clock, importer }) },
    pollMs: 20,
  });
  runner.start();
});
afterAll(async () => {
  await runner.stop();
  await importer.close();
  await api.close();
});

const send = (flow: 'save' | 'upload-csv', form: ListForm, key: string | null = tenant.key) =>
  uploadList(api, flow, key, { ...form, fields: { agent_id: agentId, ...form.fields } });
const save = (form: ListForm, key?: string) => send('save', form, key);
const csv = (...rows: string[]): string => ['Mobile Number,callee_name', ...rows, ''].join('\n');
const callsOf = (campaignId: unknown) =>
  api.db
    .selectFrom('calls')
    .selectAll()
    .where('lane_id', '=', String(campaignId))
    .orderBy('contact_row')
    .execute();
const campaignOf = (campaignId: unknown) =>
  api.db.selectFrom('campaigns').selectAll().where('id', '=', String(campaignId)).executeTakeFirstOrThrow();
const leftovers = async () => ({
  campaigns: (await api.db.selectFrom('campaigns').select('id').execute()).length,
  calls: (await api.db.selectFrom('calls').select('id').execute()).length,
  uploads: (await api.db.selectFrom('campaign_uploads').select('id').execute()).length,
  pieces: (
    await api.db.selectFrom('campaign_upload_pieces').select('seq').where('kind', '=', 'file').execute()
  ).length,
});
const status = (campaignId: unknown, key: string | null = tenant.key): Promise<Answer> =>
  api.request('GET', `/api/v0/campaign/upload-status/${String(campaignId)}`, { key });
async function over(campaignId: unknown): Promise<Record<string, any>> {
  for (;;) {
    const { body } = await status(campaignId);
    if (body['status'] !== 'verifying') return body;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
const ok = (answer: Answer): Record<string, any> => {
  expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
  return answer.body;
};
function refused(answer: Answer, code: number, words: string): void {
  expect([answer.status, answer.text]).toEqual([code, expect.stringContaining(words)]);
}

describe('POST /campaign/save', () => {
  it('queues each contact as a call of the campaign, which waits to be started', async () => {
    const body = ok(
      await save({
        file: 'Phone,First name,Order,Extra\r\n+919876543210,"Ravi, Kumar",A-1,x\r\n\r\n+14155550123,Priya,"line\none\\",y\r\n',
        fields: {
          variables_map: JSON.stringify({
            mobile_number: 'Phone',
            callee_name: 'First name',
            order: 'Order',
          }),
          campaign_name: 'Spring',
          campaign_start_time: '06/01/2026, 09:30',
          campaign_end_time: '07/01/2026, 18:00',
          call_config: JSON.stringify({
            call_time: { timezone: 'America/New_York' },
            call_retry_config: { retry_count: 1 },
          }),
        },
      }),
    );
    expect(body).toEqual({
      message: 'Contact list saved: 2 contacts',
      list_id: body['bulk_list_id'],
      bulk_list_id: expect.any(String),
      total_rows: 2,
      successful_rows: 2,
      failed_rows: 0,
      invalid_rows: [],
      invalidated_rows_csv_url: null,
      encoding: 'utf-8',
      delimiter: ',',
    });
    const calls = await callsOf(body['list_id']);
    expect(calls.map((c) => [c.contact_row, c.to_number, c.callee_name, c.args])).toEqual([
      [
        1,
        '+919876543210',
        'Ravi, Kumar',
        { callee_name: 'Ravi, Kumar', order: 'A-1', mobile_number: '+919876543210' },
      ],
      [
        3,
        '+14155550123',
        'Priya',
        { callee_name: 'Priya', order: 'line\none\\', mobile_number: '+14155550123' },
      ],
    ]);
    for (const call of calls) {
      expect(call).toMatchObject({
        workspace_id: tenant.workspaceId,
        agent_id: agentId,
        version_id: versionId,
        number_id: null,
        from_number: '',
        call_type: 'outbound',
        status: 'registered',
        sub_status: 'IN_DB',
        attempt: 0,
        next_attempt_at: new Date(api.clock.now()),
        created_at: new Date(api.clock.now()),
      });
    }
    expect(await campaignOf(body['list_id'])).toMatchObject({
      name: 'Spring',
      state: 'draft',
      total_rows: 2,
      successful_rows: 2,
      failed_rows: 0,
      start_at: new Date('2026-01-06T14:30:00Z'),
      end_at: new Date('2026-01-07T23:00:00Z'),
      call_config: { call_time: { timezone: 'America/New_York' }, call_retry_config: { retry_count: 1 } },
      variables_map: { mobile_number: 'Phone', callee_name: 'First name', order: 'Order' },
    });
  });

  it('takes what is optional by default, fields after the file, and the name of the file', async () => {
    const body = ok(
      await save({ file: csv('+919876543210,Ravi'), fileName: 'march leads.csv', fileFirst: true }),
    );
    expect(await campaignOf(body['list_id'])).toMatchObject({
      name: 'march leads',
      start_at: null,
      end_at: null,
      call_config: null,
      country_code: null,
    });
  });

  it('reads the times on the clocks of the agent when the campaign names none', async () => {
    const body = ok(
      await save({ file: csv('+919876543210,R'), fields: { campaign_start_time: '06/01/2026, 09:30' } }),
    );
    expect((await campaignOf(body['list_id'])).start_at).toEqual(new Date('2026-01-06T04:00:00Z'));
  });

  it('refuses the whole list for one bad row, names it, and stores nothing', async () => {
    const before = await leftovers();
    const answer = await save({ file: csv('+919876543210,Ravi', '12345,Asha', '+919876543210,Again') });
    refused(answer, 422, '2 of 3 rows are invalid');
    expect(answer.body).toMatchObject({
      code: 'CONTACTS_INVALID',
      total_rows: 3,
      successful_rows: 1,
      failed_rows: 2,
      invalidated_rows_csv_url: null,
      invalid_rows: [
        { row: 2, column: 'Mobile Number', value: '12345', reason: expect.stringContaining('E.164') },
        { row: 3, column: 'Mobile Number', value: '+919876543210', reason: 'is the same number as in row 1' },
      ],
    });
    expect(await leftovers()).toEqual(before);
  });

  it.each(['form', 'query'])(
    'skips bad rows with remove_invalid_rows in the %s, and keeps them',
    async (where) => {
      await api.request('POST', '/api/v0/dnc', {
        key: tenant.key,
        body: { mobile_numbers: ['+919876500099'] },
      });
      const body = ok(
        await save({
          file: 'Mobile Number,callee_name,note\n+919876543210,Ravi,=SUM(A1)\n9876543211,Asha,=HYPERLINK("x")\n+919876500099,Dev,"a,b"\n+919876543212,X\n',
          ...(where === 'query'
            ? { query: '?remove_invalid_rows=true' }
            : { fields: { remove_invalid_rows: 'true' } }),
        }),
      );
      expect(body).toMatchObject({ total_rows: 4, successful_rows: 1, failed_rows: 3 });
      expect(
        body['invalid_rows'].map((r: any) => [r.row, r.column, r.value, r.reason, r.suggestion]),
      ).toEqual([
        [2, 'Mobile Number', '9876543211', expect.stringContaining('E.164'), undefined],
        [3, 'Mobile Number', '+919876500099', 'is on the do-not-call list', undefined],
        [4, 'note', '', 'the row has 2 cells, the header has 3', undefined],
      ]);
      const url = new URL(body['invalidated_rows_csv_url']);
      const file = await api.request('GET', url.pathname);
      expect(file.status).toBe(200);
      expect(file.headers['content-type']).toBe('text/csv; charset=utf-8');
      const lines = file.text.split('\r\n');
      expect(lines[0]).toBe('Mobile Number,callee_name,note,Row,Column,Value,Reason,Suggestion');
      // In the order in which they were found: the do-not-call list is asked for many at once.
      expect(lines.slice(1).sort()).toEqual(
        [
          `9876543211,Asha,"'=HYPERLINK(""x"")",2,Mobile Number,9876543211,"must be a phone number in E.164 form with country code, such as +14155550100",`,
          '+919876500099,Dev,"a,b",3,Mobile Number,+919876500099,is on the do-not-call list,',
          '+919876543212,X,,4,note,,"the row has 2 cells, the header has 3",',
          '',
        ].sort(),
      );
      expect((await callsOf(body['list_id'])).map((c) => c.contact_row)).toEqual([1]);
      // The name is signed for this list and this purpose.
      const forged = url.pathname.replace(/(.)\.csv$/, (_, c: string) => `${c === 'A' ? 'B' : 'A'}.csv`);
      refused(await api.request('GET', forged), 404, 'invalid rows');
      refused(
        await api.request(
          'GET',
          url.pathname.replace('campaign-rejects', 'recordings').replace('.csv', '.wav'),
        ),
        404,
        'Recording',
      );
    },
  );

  it('refuses a list of which no row is valid, also when invalid ones may be skipped', async () => {
    const before = await leftovers();
    refused(
      await save({ file: csv('123,A', '456,B'), fields: { remove_invalid_rows: 'true' } }),
      422,
      'All 2 rows are invalid',
    );
    expect(await leftovers()).toEqual(before);
  });

  it('takes national numbers of a country, and numbers as people write them', async () => {
    const body = ok(
      await save({
        file: csv(
          '98765 43210,a',
          '098765-43211,b',
          '919876543212,c',
          '+1 (415) 555-0123,d',
          '0091 98765 43213,e',
        ),
        fields: { country_code: '+91' },
      }),
    );
    expect((await callsOf(body['list_id'])).map((c) => c.to_number)).toEqual([
      '+919876543210',
      '+919876543211',
      '+919876543212',
      '+14155550123',
      '+919876543213',
    ]);
  });

  it.each([
    ['9.19876543210E+11,x', 'scientific notation', '+919876543210'],
    ['9.19877E+11,x', 'scientific notation', undefined],
    ['919876543210.0,x', 'decimal number', '+919876543210'],
    ['+19005550123,x', 'premium', undefined],
    ['+881612345678,x', 'satellite', undefined],
    ['112,x', 'E.164', undefined],
    ['+112,x', 'not a phone number', undefined],
    ['+91987654321,x', 'no numbering plan', undefined],
    ['+14155550123 ext. 5,x', 'not a phone number', '+14155550123'],
    ['Tel: +14155550123,x', 'not a phone number', '+14155550123'],
    ['1-800-FLOWERS,x', 'not a phone number', undefined],
    [',x', 'is required', undefined],
    [`+14155550123,${'x'.repeat(201)}`, 'at most 200 characters', undefined],
    ['+14155550123,a\u0000b', 'NUL', undefined],
    ['"+14155550123"0,x', 'after a closing quote', undefined],
    ['+14155550123,x,y', 'the row has 3 cells', undefined],
  ])('refuses the row %j', async (row, reason, suggestion) => {
    const answer = await save({ file: csv(row) });
    refused(answer, 422, '1 of 1 rows are invalid');
    const [first] = answer.body['invalid_rows'] as any[];
    expect(first).toMatchObject({ row: 1, reason: expect.stringContaining(reason) });
    expect(first.suggestion).toBe(suggestion);
  });

  it('dials premium numbers for a workspace that asked to, and numbers of no plan for one on the test carrier', async () => {
    const file = csv('+19005550123,x', '+91987654321,y');
    const demo = await createTenant(api, { trunkKind: 'test', settings: { allow_premium_numbers: true } });
    const { agentId: own } = await createTestAgent(api, demo);
    const body = ok(await save({ file, fields: { agent_id: own } }, demo.key));
    expect(body['successful_rows']).toBe(2);
  });

  it.each<[string, Record<string, string>, string]>([
    ['no agent', { agent_id: '' }, 'agent_id is required'],
    ['an unknown field', { agent: 'x' }, 'agent is not a known field'],
    ['a broken map', { variables_map: '{' }, 'variables_map must be a JSON object'],
    ['a map of numbers', { variables_map: '{"a":1}' }, 'variables_map.a must be a string'],
    ['a list as map', { variables_map: '["a"]' }, 'variables_map must be an object'],
    ['a map to no column', { variables_map: '{"order":"Order"}' }, 'variables_map.order names the column'],
    ['a country', { country_code: 'IN' }, 'country_code must be a country calling code'],
    ['a calling code of nobody', { country_code: '+999' }, 'country_code must be a country calling code'],
    ['another date', { campaign_start_time: '2026-01-06 09:30' }, 'campaign_start_time must be a date'],
    [
      'a date that is none',
      { campaign_start_time: '31/02/2026, 09:30' },
      'campaign_start_time must be a date',
    ],
    [
      'an end in the past',
      { campaign_end_time: '05/01/2026, 09:30' },
      'campaign_end_time must be in the future',
    ],
    [
      'an end before the start',
      { campaign_start_time: '07/01/2026, 09:30', campaign_end_time: '06/01/2026, 09:30' },
      'campaign_end_time must be after campaign_start_time',
    ],
    [
      'an unknown zone',
      { call_config: '{"call_time":{"timezone":"IST"}}' },
      'call_config.call_time.timezone',
    ],
    ['too many retries', { call_config: '{"call_retry_config":{"retry_count":11}}' }, 'retry_count'],
    ['a flag that is none', { remove_invalid_rows: 'perhaps' }, 'remove_invalid_rows must be true or false'],
  ])('names the field of a form with %s', async (_what, fields, words) => {
    const before = await leftovers();
    refused(await save({ file: csv('+919876543210,Ravi'), fields }), 422, words);
    expect(await leftovers()).toEqual(before);
  });

  it('names what is wrong with the file', async () => {
    const before = await leftovers();
    refused(await save({ file: null }), 422, 'file is required');
    refused(await save({ file: '' }), 422, 'file must not be empty');
    refused(await save({ file: null, fields: { file: 'text' } }), 422, 'file must be a file');
    refused(
      await save({ file: 'Number,Name\n+919876543210,R\n' }),
      422,
      'must have a column \\"Mobile Number\\"',
    );
    refused(await save({ file: 'Mobile Number,name\n+919876543210,R\n' }), 422, 'callee_name');
    refused(await save({ file: csv() }), 422, 'has a header but no contacts');
    refused(
      await save({ file: 'Mobile Number,callee_name,Callee_Name\n' }),
      422,
      'twice: in columns 2 and 3',
    );
    refused(await save({ file: 'Mobile Number,callee_name,\n' }), 422, 'has no header in column 3');
    refused(await save({ file: csv('+919876543210,"open') }), 422, 'never closed');
    refused(await save({ file: csv('"+919876543210', '"x,y') }), 422, 'the quotes span lines');
    refused(await save({ file: Buffer.from(csv('+919876543210,R'), 'utf16le') }), 422, 'NUL');
    const json = await api.request('POST', '/api/v0/campaign/save', {
      key: tenant.key,
      body: { agent_id: agentId },
    });
    refused(json, 422, 'file must be sent as a file in a multipart/form-data body');
    expect(await leftovers()).toEqual(before);
  });

  it('looks at the key, the form, the agent and the header in this order', async () => {
    const before = await leftovers();
    const bad = { file: 'Number\n1\n', fields: { agent_id: newId(), country_code: 'IN' } };
    refused(await uploadList(api, 'save', null, bad), 401, 'Invalid credentials');
    refused(await save(bad), 422, 'country_code');
    refused(await save({ file: 'Number\n1\n', fields: { agent_id: newId() } }), 404, 'Agent not found');
    const { agentId: inbound } = await createTestAgent(api, tenant, { agent_type: 'inbound' });
    refused(await save({ file: 'Number\n1\n', fields: { agent_id: inbound } }), 400, 'inbound agent');
    const other = await createTenant(api);
    refused(await save({ file: csv('+919876543210,R') }, other.key), 404, 'Agent not found');
    expect(await leftovers()).toEqual(before);
  });

  it('answers once per Idempotency-Key, whatever the boundary', async () => {
    const headers = { 'idempotency-key': newId() };
    const file = csv('+919876543210,Ravi');
    const first = ok(await save({ file, headers }));
    const again = await save({ file, headers, fileFirst: true });
    expect([again.status, again.headers['idempotency-replayed'], again.body]).toEqual([200, 'true', first]);
    refused(await save({ file: csv('+919876543211,Ravi'), headers }), 422, 'Idempotency-Key');
    const bad = { file: csv('1,Ravi'), headers: { 'idempotency-key': newId() } };
    refused(await save(bad), 422, 'rows are invalid');
    refused(await save(bad), 422, 'rows are invalid');
    expect(await callsOf(first['list_id'])).toHaveLength(1);
  });
});

describe('POST /campaign/upload-csv and GET /campaign/upload-status', () => {
  it('answers at once and reads the list in the background', async () => {
    const body = ok(
      await send('upload-csv', {
        file: csv('+919876543210,Ravi', 'x,y'),
        fields: { campaign_name: 'Big', remove_invalid_rows: 'true' },
      }),
    );
    expect(body).toEqual({
      bulk_list_id: expect.any(String),
      list_id: body['bulk_list_id'],
      status: 'verifying',
      campaign_name: 'Big',
      total_callees: 0,
      invalidated_rows_count: 0,
      invalidated_rows_csv_url: null,
    });
    runner.kick();
    const done = await over(body['bulk_list_id']);
    expect(done).toMatchObject({
      bulk_list_id: body['bulk_list_id'],
      status: 'completed',
      progress: 1,
      campaign_name: 'Big',
      total_rows: 2,
      processed_rows: 2,
      successful_rows: 1,
      failed_rows: 1,
      total_callees: 1,
      invalidated_rows_count: 1,
      invalid_rows: [{ row: 2, column: 'Mobile Number', value: 'x', reason: 'is not a phone number' }],
    });
    expect((await api.request('GET', new URL(done['invalidated_rows_csv_url']).pathname)).text).toContain(
      'x,y,2',
    );
    expect((await campaignOf(body['bulk_list_id'])).state).toBe('draft');
    expect(await callsOf(body['bulk_list_id'])).toHaveLength(1);
    const other = await createTenant(api);
    refused(await status(body['bulk_list_id'], other.key), 404, 'Campaign not found');
    refused(await status(newId()), 404, 'Campaign not found');
    refused(await status('x'), 404, 'Campaign not found');
  });

  it('fails with the reason and the rows, which can be downloaded, and queues nobody', async () => {
    const body = ok(await send('upload-csv', { file: csv('+919876543210,Ravi', 'x,y') }));
    const done = await over(body['bulk_list_id']);
    expect(done).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('1 of 2 rows are invalid'),
      total_callees: 0,
      failed_rows: 1,
    });
    expect((await api.request('GET', new URL(done['invalidated_rows_csv_url']).pathname)).text).toContain(
      'x,y,2',
    );
    expect(await callsOf(body['bulk_list_id'])).toEqual([]);
    expect((await campaignOf(body['bulk_list_id'])).state).toBe('failed');
  });

  it('fails for a file that breaks where its request no longer looks', async () => {
    const body = ok(await send('upload-csv', { file: csv('+919876543210,Ravi', '+919876543211,"open') }));
    expect(await over(body['bulk_list_id'])).toMatchObject({
      status: 'failed',
      message: 'file cannot be divided into rows: cell 2 in row 2 opens a quote that is never closed',
    });
  });

  it('is refused where the workspace has it switched off', async () => {
    const before = await leftovers();
    const small = await createTenant(api, { settings: { large_campaigns: false } });
    refused(await send('upload-csv', { file: csv('x') }, small.key), 403, 'not enabled for this workspace');
    refused(await status(newId(), small.key), 403, 'not enabled for this workspace');
    expect(await leftovers()).toEqual(before);
  });

  it('keeps nothing of the file once it is read', async () => {
    expect((await leftovers()).pieces).toBe(0);
  });
});
