// These proofs run inside the tests of test/system/api/statements.test.ts.
/* oxlint-disable vitest/no-standalone-expect */
import { expect } from 'vitest';
import { newId } from '../../src/shared/ids.ts';
import { createTenant, createTestAgent } from '../helpers/api/api.ts';
import { data, ok, refused, section, UNKNOWN, type Statement } from './statement.ts';

const ends = section('Endpoints: workspace and numbers');
const individual = section('Endpoints: individual calls');
const history = section('Endpoints: call history and details');
const campaigns = section('Endpoints: campaigns');

export const CALLS: readonly Statement[] = [
  ends.prove(
    '**GET /workspace**: response `{workspace_info}`; the simplest authentication check.',
    async (w) => {
      expect(Object.keys(ok(await w.get('/workspace')).body)).toEqual(['workspace_info']);
    },
  ),
  ends.prove("**GET /workspace/all**: every workspace the key's user can access.", async (w) => {
    const all = ok(await w.get('/workspace/all')).body['workspaces'] as { id: string }[];
    expect(all.map((one) => one.id)).toContain(w.tenant.workspaceId);
  }),
  ends.prove(
    'Calls, campaigns and analytics act on the workspace that owns the key; another workspace needs its own key.',
    async (w) => {
      const other = await createTenant(w.api);
      const id = await w.insertCall();
      refused(await w.get(`/calling/call-details?id=${id}`, other.key), 404);
      expect((await w.get('/calling/history', other.key)).body['total']).toBe(0);
      expect(data(await w.get('/analytics/platform-analytics', other.key)).total_calls).toBe(0);
    },
  ),
  ends.prove('**GET /workspace/numbers**: response `{workspace_numbers: [...]}`; not paged.', async (w) => {
    const other = await createTenant(w.api);
    const at = new Date(w.api.clock.now());
    await w.api.db
      .insertInto('numbers')
      .values(
        Array.from({ length: 300 }, (_, i) => ({
          workspace_id: other.workspaceId,
          id: newId(),
          number: `+1312555${String(i).padStart(4, '0')}`,
          trunk_id: other.trunkId,
          created_at: at,
          updated_at: at,
        })),
      )
      .execute();
    expect((await w.get('/workspace/numbers', other.key)).body['workspace_numbers']).toHaveLength(302);
  }),

  individual.prove('`name`: string, yes, recipient name', async (w) => {
    refused(await w.place({ name: undefined }), 422, 'name is required');
    refused(await w.place({ name: 5 }), 422, 'name must be a string');
  }),
  individual.prove('`mobile_number`: string, yes, E.164 with country code', async (w) => {
    refused(await w.place({ mobile_number: undefined }), 422, 'mobile_number is required');
    refused(await w.place({ mobile_number: '4155550002' }), 422, 'mobile_number');
  }),
  individual.prove('`agent_id`: string, yes, outbound or outbound_inbound agent', async (w) => {
    refused(await w.place({ agent_id: undefined }), 422, 'agent_id is required');
    const both = await w.agent({ agent_type: 'outbound_inbound' });
    ok(await w.place({ agent_id: both.agentId }));
    const inbound = await w.agent({ agent_type: 'inbound' });
    refused(await w.place({ agent_id: inbound.agentId }), 400);
    refused(await w.place({ agent_id: UNKNOWN }), 404, 'Agent not found');
  }),
  individual.prove('`from_number_id`: id of a workspace number that is not a test number', async (w) => {
    ok(await w.place({ from_number_id: w.tenant.numberId }));
    refused(await w.place({ from_number_id: UNKNOWN }), 400, 'from_number_id');
  }),
  individual.prove('Response 200: call response shape A or B.', async (w) => {
    const { body } = ok(await w.place());
    expect(Object.keys(body).sort()).toEqual(['data', 'message', 'status']);
    expect(body['status']).toBe('success');
    const keys = [
      'agent_id',
      'call_direction',
      'call_id',
      'call_status',
      'custom_args_values',
      'initiated_at',
    ];
    expect(Object.keys(data(ok(await w.place())))).toEqual(expect.arrayContaining(keys));
  }),
  individual.prove('`from_number`: caller number', async (w) => {
    ok(await w.place({ from_number_id: undefined, from_number: w.tenant.number }));
    refused(await w.place({ from_number_id: undefined, from_number: '+14155559998' }), 400, 'from_number');
  }),
  individual.prove(
    '`custom_args_values`: object string to string, one key per prompt variable, for example `callee_name`',
    async (w) => {
      ok(await w.place({ custom_args_values: { callee_name: 'Ms Rao', slot: 'ten' } }));
      refused(await w.place({ custom_args_values: { slot: 10 } }), 422, 'custom_args_values.slot');
    },
  ),
  individual.prove('`call_config`: `call_time` and `call_retry_config` for this call', async (w) => {
    const call_config = { call_time: { call_end_time: '23:30' }, call_retry_config: { retry_count: 1 } };
    const id = data(ok(await w.place({ call_config }))).call_id;
    const row = await w.api.db
      .selectFrom('calls')
      .select('call_config')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(row.call_config).toEqual(call_config);
  }),
  individual.prove(
    '422 when both or neither of `from_number_id` / `from_number` are given, or another field is missing.',
    async (w) => {
      refused(await w.place({ from_number: w.tenant.number }), 422, 'not both');
      refused(await w.place({ from_number_id: undefined }), 422);
      refused(await w.post('/calling/outbound/individual', {}), 422, 'is required');
    },
  ),
  individual.prove('400 when the caller number is a test number, or not in the workspace.', async (w) => {
    const other = await createTenant(w.api);
    refused(await w.place({ from_number_id: w.tenant.testNumberId }), 400);
    refused(await w.place({ from_number_id: other.numberId }), 400);
  }),
  individual.prove('402 when the balance does not cover the call.', async (w) => {
    const poor = await createTenant(w.api, { credits: 999_999 });
    const { agentId } = await createTestAgent(w.api, poor);
    const body = {
      name: 'P',
      mobile_number: '+14155550002',
      agent_id: agentId,
      from_number_id: poor.numberId,
    };
    refused(
      await w.api.request('POST', '/api/v0/calling/outbound/individual', { key: poor.key, body }),
      402,
      'Your current balance is insufficient to initiate this call!',
    );
  }),
  individual.prove('401 on a bad key.', async (w) => {
    const path = '/api/v0/calling/outbound/individual';
    refused(await w.api.request('POST', path, { key: 'bad', body: {} }), 401);
  }),
  individual.prove(
    '**POST /calling/v2/outbound/individual**: a newer variant of the same call.',
    async (w) => {
      refused(await w.post('/calling/v2/outbound/individual', {}), 422, 'is required');
    },
  ),

  history.prove('`limit` (default 10, maximum 200; more returns 400)', async (w) => {
    for (let i = 0; i < 11; i += 1) await w.insertCall();
    const page = ok(await w.get('/calling/history')).body;
    expect([page['limit'], (page['calls'] as unknown[]).length]).toEqual([10, 10]);
    ok(await w.get('/calling/history?limit=200'));
    refused(await w.get('/calling/history?limit=201'), 400, 'limit');
  }),
  history.prove('`offset` (default 0)', async (w) => {
    for (let i = 0; i < 3; i += 1) await w.insertCall();
    const ids = async (query: string): Promise<string[]> =>
      ((await w.get(`/calling/history${query}`)).body['calls'] as { id: string }[]).map((c) => c.id);
    expect((await ids('?limit=5&offset=2'))[0]).toBe((await ids('?limit=5'))[2]);
    expect((await w.get('/calling/history')).body['offset']).toBe(0);
  }),
  history.prove('`bulk_list_id` (filters by campaign)', async (w) => {
    const campaign_id = newId();
    const id = await w.insertCall({ campaign_id });
    const page = ok(await w.get(`/calling/history?bulk_list_id=${campaign_id}`)).body;
    expect((page['calls'] as { id: string }[]).map((c) => c.id)).toEqual([id]);
  }),
  history.prove(
    '**GET /calling/call-details**: query `id` (call ID, required), `send_analysis` (boolean; includes analysis).',
    async (w) => {
      refused(await w.get('/calling/call-details'), 422, 'id is required');
      const id = await w.insertCall();
      ok(await w.get(`/calling/call-details?id=${id}&send_analysis=true`));
      refused(await w.get(`/calling/call-details?id=${id}&send_analysis=perhaps`), 422, 'send_analysis');
    },
  ),
  history.prove(
    "404 `{message: 'Call not found'}` when the call is not in the key's workspace.",
    async (w) => {
      refused(await w.get(`/calling/call-details?id=${UNKNOWN}`), 404, 'Call not found');
    },
  ),

  campaigns.prove('knowledge bases from files, URLs and FAQs', async (w) => {
    ok(await w.get('/external/kb/all'));
  }),
  campaigns.prove('child workspaces with allocation of concurrency or money', async (w) => {
    ok(await w.get('/workspace/sub'));
  }),
  campaigns.prove('termination by agent, call ID or number', async (w) => {
    for (const scope of [{ agent_id: w.agentId }, { mobile_numbers: ['+14155550002'] }]) {
      ok(await w.place());
      const answer = ok(await w.patch('/campaign/terminate', scope));
      expect(answer.body['terminated_count']).toBeGreaterThan(0);
    }
  }),
  campaigns.prove('call history export to CSV', async (w) => {
    const answer = ok(await w.post('/calling/history/download', {}));
    expect(String(answer.headers['content-type'])).toContain('text/csv');
  }),
  campaigns.prove('analytics by campaign, number, duration and outcome', async (w) => {
    for (const name of [
      'platform-analytics',
      'drill-down-analytics',
      'number-analytics',
      'duration-distribution',
      'classification-analytics',
    ]) {
      ok(await w.get(`/analytics/${name}?bulk_list_id=${UNKNOWN}`));
    }
  }),
  campaigns.prove('key regeneration', async (w) => {
    refused(await w.patch('/workspace/api-key', {}), 403);
  }),
];
