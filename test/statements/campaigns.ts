// These proofs run inside the tests of test/system/api/statements.test.ts.
/* oxlint-disable vitest/no-standalone-expect */
import { expect } from 'vitest';
import { keepCampaigns } from '../../src/domain/campaigns/keeper.ts';
import { createTenant, createTestAgent, type Answer } from '../helpers/api/api.ts';
import { uploadList, type ListForm } from '../helpers/campaigns/contact-list.ts';
import { ALWAYS, ok, refused, section, UNKNOWN, type Statement, type World } from './statement.ts';

const campaigns = section('Endpoints: campaigns');

const FILE = 'Mobile Number,callee_name\r\n+14155550123,Priya\r\n+14155550124,Ravi\r\n';
const BROKEN = `${FILE}12345,Asha\r\n`;
const send = (w: World, flow: 'save' | 'upload-csv', form: ListForm = {}): Promise<Answer> =>
  uploadList(w.api, flow, w.tenant.key, {
    file: FILE,
    ...form,
    fields: { agent_id: w.agentId, ...form.fields },
  });
const saved = async (w: World, form: ListForm = {}): Promise<string> =>
  String(ok(await send(w, 'save', form)).body['list_id']);
const startOf = (w: World, change: Record<string, unknown>): Record<string, unknown> => ({
  agent_id: w.agentId,
  from_numbers: [w.tenant.numberId],
  callback_url: 'https://example.com/campaign',
  ...change,
});
const start = (w: World, id: string): Promise<Answer> =>
  w.post('/campaign/start', startOf(w, { list_id: id }));
const campaign = async (w: World, id: string): Promise<any> =>
  ok(await w.get(`/campaign/${id}`)).body['campaign'];
const contacts = async (w: World, id: string): Promise<any[]> =>
  ok(await w.get(`/calling/history?bulk_list_id=${id}`)).body['calls'] as any[];
/** Runs the import of an uploaded list, as the jobs process does. */
const readList = (w: World, id: string) =>
  w.api.importer.run({
    workspaceId: w.tenant.workspaceId,
    uploadId: id,
    at: w.api.clock.now(),
    request: null,
  });
const refusedField = async (w: World, fields: Record<string, string>, field: string): Promise<void> =>
  refused(await send(w, 'save', { fields }), 422, field);

export const CAMPAIGN_ENDPOINTS: readonly Statement[] = [
  campaigns.prove(
    'CSV rules: a `Mobile Number` column is required; the CSV also holds one column per variable the prompt uses.',
    async (w) => {
      refused(
        await send(w, 'save', { file: 'Phone,callee_name\r\n+14155550123,P\r\n' }),
        422,
        'Mobile Number',
      );
      refused(await send(w, 'save', { file: 'Mobile Number\r\n+14155550123\r\n' }), 422, 'callee_name');
      await saved(w);
    },
  ),
  campaigns.prove('**POST /campaign/save** (`multipart/form-data`): upload the contact list.', async (w) => {
    const answer = ok(await send(w, 'save'));
    expect(answer.body).toMatchObject({ total_rows: 2, successful_rows: 2, failed_rows: 0 });
    refused(await w.post('/campaign/save', { agent_id: w.agentId }), 422, 'multipart/form-data');
  }),
  campaigns.prove('`file`: CSV file, the contact list', async (w) => {
    const id = await saved(w);
    const numbers = (await contacts(w, id)).map((call) => call.to_number);
    expect(new Set(numbers)).toEqual(new Set(['+14155550123', '+14155550124']));
    refused(await send(w, 'save', { file: null }), 422, 'file');
  }),
  campaigns.prove('`agent_id`: string, outbound agent', async (w) => {
    await refusedField(w, { agent_id: '' }, 'agent_id');
    refused(await send(w, 'save', { fields: { agent_id: UNKNOWN } }), 404, 'Agent not found');
    const { agentId } = await w.agent({ agent_type: 'inbound' });
    refused(await send(w, 'save', { fields: { agent_id: agentId } }), 400, 'inbound agent');
  }),
  campaigns.prove(
    '`variables_map`: JSON string, maps variable name (for example `mobile_number`, `callee_name`) to a CSV column header',
    async (w) => {
      const file = 'Phone,First name\r\n+14155550123,Priya\r\n';
      const variables_map = JSON.stringify({ mobile_number: 'Phone', callee_name: 'First name' });
      const [call] = await contacts(w, await saved(w, { file, fields: { variables_map } }));
      expect(call).toMatchObject({ to_number: '+14155550123', callee_name: 'Priya' });
      await refusedField(w, { variables_map: 'Phone' }, 'variables_map');
    },
  ),
  campaigns.prove('`country_code`: string, for example a plus sign and digits', async (w) => {
    const file = 'Mobile Number,callee_name\r\n(415) 555-0123,Priya\r\n';
    const [call] = await contacts(w, await saved(w, { file, fields: { country_code: '+1' } }));
    expect(call.to_number).toBe('+14155550123');
    await refusedField(w, { country_code: 'US' }, 'country_code');
  }),
  campaigns.prove('`campaign_name`: string', async (w) => {
    const id = await saved(w, { fields: { campaign_name: 'Spring offer' } });
    expect((await campaign(w, id)).name).toBe('Spring offer');
  }),
  campaigns.prove(
    '`campaign_start_time`, `campaign_end_time`: string, shape `DD/MM/YYYY, HH:MM`',
    async (w) => {
      const fields = { campaign_start_time: '06/01/2026, 09:30', campaign_end_time: '07/01/2026, 18:00' };
      expect(await campaign(w, await saved(w, { fields }))).toMatchObject({
        campaign_start_time: '2026-01-06T09:30:00.000Z',
        campaign_end_time: '2026-01-07T18:00:00.000Z',
      });
      await refusedField(w, { campaign_start_time: '2026-01-06 09:30' }, 'campaign_start_time');
      await refusedField(w, { campaign_end_time: '31/02/2026, 09:30' }, 'campaign_end_time');
    },
  ),
  campaigns.prove('`call_config`: JSON string, call-level config', async (w) => {
    const call_config = { call_retry_config: { retry_count: 4, retry_busy: 7 } };
    const shown = await campaign(w, await saved(w, { fields: { call_config: JSON.stringify(call_config) } }));
    expect(shown.call_config).toEqual(call_config);
    expect(shown.retry_budget).toMatchObject({ retry_count: 4, retry_busy: 7, retry_failed: 30 });
    await refusedField(w, { call_config: '{"call_retry_config":{"retry_count":11}}' }, 'retry_count');
  }),
  campaigns.prove('Response carries `list_id` (required to start the campaign).', async (w) => {
    const id = await saved(w);
    refused(await w.post('/campaign/start', startOf(w, {})), 422, 'list_id is required');
    ok(await start(w, id));
  }),
  campaigns.prove(
    '**POST /campaign/start** (JSON): `{agent_id, list_id, from_numbers: [<number id>...], callback_url: <URL>}`.',
    async (w) => {
      const id = await saved(w);
      expect(ok(await start(w, id)).body['list_id']).toBe(id);
      expect(await campaign(w, id)).toMatchObject({
        campaign_status: 'scheduled',
        from_numbers: [w.tenant.numberId],
        callback_url: 'https://example.com/campaign',
      });
    },
  ),
  campaigns.prove('A campaign that already started returns 400.', async (w) => {
    const id = await saved(w);
    ok(await start(w, id));
    refused(await start(w, id), 400, 'already started');
  }),
  campaigns.prove(
    '**GET /campaign/all**: query `call_count` (boolean), `limit` (default 10), `offset` (default 0).',
    async (w) => {
      const id = await saved(w);
      const all = ok(await w.get('/campaign/all'));
      expect((all.body['campaigns'] as any[])[0]).toMatchObject({ id, total_count: 2, registered_count: 2 });
      expect(all.body['pagination']).toMatchObject({ limit: 10, offset: 0 });
      const bare = ok(await w.get('/campaign/all?call_count=false')).body['campaigns'] as any[];
      expect(bare[0]).not.toHaveProperty('total_count');
    },
  ),
  campaigns.prove(
    '**PATCH /campaign/terminate** (JSON): `{campaign_id: <list_id>}`; stops queued and retry calls of the campaign.',
    async (w) => {
      const id = await saved(w);
      ok(await start(w, id));
      await w.api.db
        .updateTable('calls')
        .set({ status: 'retry', attempt: 1, retries_used: 1 })
        .where('campaign_id', '=', id)
        .where('contact_row', '=', 2)
        .execute();
      expect(ok(await w.patch('/campaign/terminate', { campaign_id: id })).body['terminated_count']).toBe(2);
      expect((await contacts(w, id)).map((call) => call.call_status)).toEqual(['cancelled', 'cancelled']);
      expect((await campaign(w, id)).campaign_status).toBe('terminated');
    },
  ),
  campaigns.prove(
    'Beta large-campaign flow for CSVs of 5,000 or more rows (only when enabled for the workspace; otherwise use save and start)',
    async (w) => {
      const tenant = await createTenant(w.api, { settings: { large_campaigns: false } });
      const { agentId } = await createTestAgent(w.api, tenant);
      const form = { file: FILE, fields: { agent_id: agentId } };
      refused(await uploadList(w.api, 'upload-csv', tenant.key, form), 403);
      const list = ok(await uploadList(w.api, 'save', tenant.key, form)).body['list_id'];
      const body = { agent_id: agentId, from_numbers: [tenant.numberId] };
      const ask = (path: string, json?: object): Promise<Answer> =>
        w.api.request('POST', `/api/v0/campaign${path}`, {
          key: tenant.key,
          ...(json === undefined ? {} : { body: json }),
        });
      refused(await w.get(`/campaign/upload-status/${String(list)}`, tenant.key), 403);
      refused(await ask(`/check-balance/${String(list)}`), 403);
      refused(await ask('/make-call-async', { ...body, bulk_list_id: list }), 403);
      ok(await ask('/start', { ...body, list_id: list }));
    },
  ),
  campaigns.prove(
    '`POST /campaign/upload-csv` (multipart): same fields as `/campaign/save`; returns `bulk_list_id`',
    async (w) => {
      const fields = { campaign_name: 'Large', country_code: '+1' };
      const answer = ok(await send(w, 'upload-csv', { fields }));
      expect(answer.body).toMatchObject({ status: 'verifying', campaign_name: 'Large', total_callees: 0 });
      expect(await campaign(w, String(answer.body['bulk_list_id']))).toMatchObject({
        campaign_status: 'verifying',
        total_count: 0,
      });
    },
  ),
  campaigns.prove(
    '`GET /campaign/upload-status/{bulk_list_id}`: poll until processing is complete; reports invalid rows',
    async (w) => {
      const form = { file: BROKEN, fields: { remove_invalid_rows: 'true' } };
      const id = String(ok(await send(w, 'upload-csv', form)).body['bulk_list_id']);
      expect(ok(await w.get(`/campaign/upload-status/${id}`)).body['status']).toBe('verifying');
      await readList(w, id);
      const { body } = ok(await w.get(`/campaign/upload-status/${id}`));
      expect(body).toMatchObject({
        status: 'completed',
        progress: 1,
        successful_rows: 2,
        invalidated_rows_count: 1,
      });
      expect(body['invalid_rows']).toMatchObject([{ row: 3, column: 'Mobile Number', value: '12345' }]);
    },
  ),
  campaigns.prove(
    '`POST /campaign/check-balance/{bulk_list_id}`: confirms balance covers the validated rows',
    async (w) => {
      const id = await saved(w);
      expect(ok(await w.post(`/campaign/check-balance/${id}`, undefined)).body).toMatchObject({
        bulk_list_id: id,
        required_credits: 2,
        sufficient_balance: true,
      });
    },
  ),
  campaigns.prove(
    '`POST /campaign/make-call-async` (JSON): `{agent_id, bulk_list_id, from_numbers: [...], callback_url}`',
    async (w) => {
      const id = await saved(w);
      const answer = ok(await w.post('/campaign/make-call-async', startOf(w, { bulk_list_id: id })));
      expect(answer.body).toMatchObject({ bulk_list_id: id, status: 'scheduled' });
    },
  ),
  campaigns.prove(
    'The flag `remove_invalid_rows=true` skips invalid contacts instead of failing the whole upload',
    async (w) => {
      refused(await send(w, 'save', { file: BROKEN }), 422);
      const kept = { file: BROKEN, fields: { remove_invalid_rows: 'true' } };
      expect(ok(await send(w, 'save', kept)).body).toMatchObject({ successful_rows: 2, failed_rows: 1 });
    },
  ),
  campaigns.prove(
    "A campaign or an individual call may set its own calling window, overriding the agent's.",
    async (w) => {
      const call_time = { call_start_time: '03:00', call_end_time: '04:00', timezone: 'Etc/UTC' };
      const call_config = JSON.stringify({ call_time });
      const shown = await campaign(w, await saved(w, { fields: { call_config } }));
      expect(shown.call_config).toEqual({ call_time });
      expect(ok(await w.place({ call_config: { call_time } })).body['data']).toMatchObject({
        call_sub_status: 'WINDOW_CLOSED',
      });
      expect((await w.version(w.agentId)).call_config.call_time).toMatchObject(ALWAYS);
    },
  ),
];

/** Starts the list and simulates its calls until the campaign completes. */
export async function runCampaign(w: World): Promise<void> {
  const id = await saved(w);
  ok(await start(w, id));
  ok(await w.patch('/campaign/terminate', { campaign_id: id, mobile_numbers: ['+14155550123'] }));
  const keep = (): Promise<boolean> =>
    keepCampaigns({
      db: w.api.db,
      clock: w.api.clock,
      rate: { creditsPerMinute: 1, pulseSeconds: 60 },
      wakeScheduler: () => undefined,
    });
  await keep();
  expect((await campaign(w, id)).campaign_status).toBe('scheduled');
  ok(await w.patch('/campaign/terminate', { campaign_id: id, mobile_numbers: ['+14155550124'] }));
  while (await keep());
  expect(await campaign(w, id)).toMatchObject({ campaign_status: 'completed', cancelled_count: 2 });
}

/** The same id identifies the list, its campaign and the calls of both. */
export async function idIsCampaign(w: World): Promise<void> {
  const answer = ok(await send(w, 'save'));
  const id = String(answer.body['list_id']);
  expect(answer.body['bulk_list_id']).toBe(id);
  expect((await campaign(w, id)).id).toBe(id);
  expect((await contacts(w, id)).map((call) => call.bulk_list_id)).toEqual([id, id]);
}

/** The receiver of the start request becomes the campaign's. */
export async function callbackOfCampaign(w: World): Promise<void> {
  const id = await saved(w);
  ok(await start(w, id));
  ok(await w.patch('/campaign/terminate', { campaign_id: id }));
  const completions = await w.api.db
    .selectFrom('deliveries')
    .select(['url', 'event_type'])
    .where('campaign_id', '=', id)
    .execute();
  const one = { url: 'https://example.com/campaign', event_type: 'call_completed' };
  expect(completions).toEqual([one, one]);
}

export async function startTwice(w: World): Promise<void> {
  const id = await saved(w);
  ok(await start(w, id));
  refused(await start(w, id), 400, 'already started');
}

/** A list of this size is accepted by both flows. */
export async function largeList(w: World): Promise<void> {
  await w.api.db
    .updateTable('workspaces')
    .set({ credits: 10_000_000_000 })
    .where('id', '=', w.tenant.workspaceId)
    .execute();
  const rows = Array.from({ length: 5000 }, (_, n) => `+1415555${String(n).padStart(4, '0')},C${n}\r\n`);
  const file = `Mobile Number,callee_name\r\n${rows.join('')}`;
  const id = String(ok(await send(w, 'upload-csv', { file })).body['bulk_list_id']);
  await readList(w, id);
  expect(ok(await w.get(`/campaign/upload-status/${id}`)).body).toMatchObject({
    status: 'completed',
    total_callees: 5000,
  });
  ok(await w.post('/campaign/make-call-async', startOf(w, { bulk_list_id: id })));
  ok(await w.patch('/campaign/pause', { campaign_id: id }));
}
