// These proofs run inside the tests of test/system/api/statements.test.ts.
/* oxlint-disable vitest/no-standalone-expect */
import { expect } from 'vitest';
import { newApiKey, storedForm } from '../../src/domain/workspaces/api-key.ts';
import { replaceKey } from '../../src/store/tenants/keys.ts';
import { createTenant } from '../helpers/api/api.ts';
import { idIsCampaign, runCampaign } from './campaigns.ts';
import { data, ENGLISH, ok, refused, section, type Statement, type World } from './statement.ts';

const what = section('What the service does');
const auth = section('Authentication');
const versioning = section('Versioning');

const json = async (w: World): Promise<void> => {
  for (const answer of [
    await w.get('/workspace'),
    await w.get('/agent/x'),
    await w.create({ agent_name: 1 }),
  ]) {
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  }
};

export const SERVICE: readonly Statement[] = [
  what.prove(
    'Create an agent from a prompt, a language, a voice and a first message, and change selected agent settings.',
    async (w) => {
      const { agentId } = await w.agent();
      ok(await w.edit(agentId, 'edit_intro_message', { intro_message: 'Changed.' }));
      expect((await w.version(agentId)).agent_config.intro_message).toBe('Changed.');
    },
  ),
  what.prove('Place one outbound call with an agent.', async (w) => {
    ok(await w.place());
  }),
  what.prove('Upload a contact list (CSV) and run it as a campaign of outbound calls.', runCampaign),
  what.prove(
    'Read call history, call details (transcript, recording, analysis) and aggregate analytics.',
    async (w) => {
      ok(await w.get('/calling/history'));
      ok(await w.get(`/calling/call-details?id=${await w.insertCall()}`));
      expect(data(ok(await w.get('/analytics/platform-analytics'))).total_calls).toBeGreaterThan(0);
    },
  ),
  what.elsewhere(
    'Receive call results as webhook events.',
    'test/calls/first-call.test.ts > completes its script and leaves transcript, recording, events and charge',
  ),
  what.prove('Stop queued and retry calls.', async (w) => {
    const callId = data(await w.place()).call_id;
    expect(ok(await w.patch('/campaign/terminate', { call_ids: [callId] })).body['terminated_count']).toBe(1);
    expect((await w.details(callId)).call_status).toBe('cancelled');
  }),
  what.prove('The version segment `v0` is part of it.', async (w) => {
    ok(await w.get('/workspace'));
    for (const path of ['/workspace', '/api/workspace', '/api/v1/workspace']) {
      refused(await w.api.request('GET', path, { key: w.tenant.key }), 404);
    }
  }),
  what.prove('Requests and responses are JSON.', json),
  what.prove(
    'File endpoints (campaign CSV, knowledge-base documents) use `multipart/form-data`',
    async (w) => {
      const part = (name: string, value: string): string =>
        `--edge\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
      const faqs = JSON.stringify([{ question: 'When?', answer: 'Now.' }]);
      const raw = `${part('kb_name', 'Form')}${part('faqs', faqs)}--edge--\r\n`;
      const send = (type: string) =>
        w.api.request('POST', '/api/v0/external/kb', {
          key: w.tenant.key,
          raw,
          headers: { 'content-type': type },
        });
      ok(await send('multipart/form-data; boundary=edge'));
      expect((await send('multipart/form-data')).status).toBeGreaterThanOrEqual(400);
    },
  ),
  what.prove(
    'the client must set that content type itself so that it carries the boundary. Setting it by hand breaks the upload.',
    async (w) => {
      const raw = '--edge\r\ncontent-disposition: form-data; name="agent_id"\r\n\r\nx\r\n--edge--\r\n';
      const headers = { 'content-type': 'multipart/form-data' };
      const broken = await w.api.request('POST', '/api/v0/campaign/save', {
        key: w.tenant.key,
        raw,
        headers,
      });
      refused(broken, 400);
    },
  ),
  what.elsewhere(
    'The service runs AI voice agents that place and receive phone calls.',
    'test/calls/inbound.test.ts > is answered, takes keys by telephone-event and by INFO as turns',
  ),
  what.prove(
    '`POST` and `PATCH` requests with a JSON body carry `Content-Type: application/json`.',
    async (w) => {
      for (const [method, path] of [
        ['POST', '/public/agent'],
        ['PATCH', '/agent/v1'],
      ] as const) {
        const answer = await w.api.request(method, `/api/v0${path}`, {
          key: w.tenant.key,
          raw: '{}',
          headers: { 'content-type': 'text/plain' },
        });
        refused(answer, 415, 'application/json');
      }
    },
  ),
  what.prove('Both are the same object, identified by `agent_id`.', async (w) => {
    expect((await w.record(w.agentId)).id).toBe(w.agentId);
  }),
  what.elsewhere(
    'Placing a call dials a real number and spends workspace balance (credits).',
    'test/calls/first-call.test.ts > completes its script and leaves transcript, recording, events and charge',
  ),
  what.prove('`agent_id`: `GET /agent/all`, or the create-agent response `data.id`', async (w) => {
    const id = data(ok(await w.create({}))).id;
    const all = data(ok(await w.get('/agent/all'))).agents;
    expect(all.map((a: { id: string }) => a.id)).toContain(id);
  }),
  what.prove('`version_id`: agent create response, agent record', async (w) => {
    const created = data(ok(await w.create({})));
    const record = await w.record(created.id);
    expect(Object.keys(record.version_details)).toEqual([created.version_id]);
    ok(await w.edit(created.id, 'edit_voice_speed', { version_id: created.version_id, voice_speed: 1.1 }));
  }),
  what.prove('`from_number_id`: `GET /workspace/numbers` (`id` of a number)', async (w) => {
    const numbers = ok(await w.get('/workspace/numbers')).body['workspace_numbers'] as any[];
    ok(await w.place({ from_number_id: numbers.find((n) => !n.is_test_number).id }));
  }),
  what.prove('`number_pool_id`: number pools (dashboard)', async (w) => {
    const numbers = [w.tenant.numberId];
    const made = ok(await w.post('/number-pool', { name: 'Pool', from_number_ids: numbers }));
    const id = /"(?:id|number_pool_id)":"([0-9a-f-]{36})"/.exec(made.text)?.[1];
    const placed = await w.post('/calling/v2/outbound/individual', {
      name: 'P',
      mobile_number: '+14155550002',
      agent_id: w.agentId,
      number_pool_id: id,
    });
    expect((await w.details(data(ok(placed)).call_id)).from_number).toBe(w.tenant.number);
    ok(await w.api.request('DELETE', `/api/v0/number-pool/${id}`, { key: w.tenant.key }));
  }),
  what.prove(
    '`list_id` / `bulk_list_id`: campaign upload response; it is also the campaign ID',
    idIsCampaign,
  ),
  what.prove('`call_id`: call response, call history, webhook payloads', async (w) => {
    const callId = data(ok(await w.place())).call_id;
    const calls = ok(await w.get('/calling/history?limit=200')).body['calls'] as { call_id: string }[];
    expect(calls.map((c) => c.call_id)).toContain(callId);
    expect((await w.details(callId)).id).toBe(callId);
  }),
  what.elsewhere('Typical order of use:', 'test/system/api/sdk.test.ts > place a call and verify its event'),

  auth.prove('Every request carries the header `X-API-KEY` with the workspace API key.', async (w) => {
    refused(await w.get('/workspace', null), 401, 'Invalid credentials');
    ok(await w.get('/workspace'));
  }),
  auth.prove('There is one key per workspace; each child workspace has its own key', async (w) => {
    const other = await createTenant(w.api);
    const info = (await w.get('/workspace', other.key)).body['workspace_info'] as { id: string };
    expect(info.id).toBe(other.workspaceId);
    const rows = await w.api.db
      .selectFrom('api_keys')
      .select('workspace_id')
      .where('workspace_id', '=', other.workspaceId)
      // Named keys stand beside it.
      .where('name', 'is', null)
      .execute();
    expect(rows).toHaveLength(1);
  }),
  auth.prove('a new child workspace starts without one', async (w) => {
    const answer = ok(await w.post('/workspace/sub', { name: `Child ${Math.random()}` }));
    expect(answer.text).not.toContain('cw_live_');
  }),
  auth.prove(
    'The key acts for the whole workspace, including creating agents, starting campaigns and placing calls that spend balance.',
    async (w) => {
      ok(await w.create({}));
      ok(await w.place());
    },
  ),
  auth.elsewhere(
    'Only the workspace owner can generate or regenerate the key in the dashboard (Settings, API key).',
    'test/system/access/table.test.ts > is what the service does for every operation and principal, with the ids of another tenant',
  ),
  auth.elsewhere(
    'The full key is revealed once at generation; it cannot be shown again.',
    'test/system/dashboard/dashboard-roles.test.ts > is shown once, needs the typed name to be replaced, and the old one is invalid at once',
  ),
  auth.prove(
    'The page afterwards shows a masked form (prefix and last four characters) and a creation date.',
    async (w) => {
      const info = (await w.get('/workspace')).body['workspace_info'] as { api_key: string };
      expect(info.api_key.startsWith('cw_live_')).toBe(true);
      expect(info.api_key.endsWith(w.tenant.key.slice(-4))).toBe(true);
      expect(info.api_key).not.toContain(w.tenant.key.slice(8, -4));
    },
  ),
  auth.prove(
    'New keys start with a fixed live-key prefix; older keys may have another prefix or be a plain UUID and keep working until regenerated.',
    async (w) => {
      expect(newApiKey()).toMatch(/^cw_live_/);
      const old = await createTenant(w.api);
      const key = '6f1c9f6a-53c4-4a0e-9d8a-5f2c44b0c1ab';
      await replaceKey(w.api.db, old.workspaceId, storedForm(key), new Date(w.api.clock.now()));
      ok(await w.get('/workspace', key));
    },
  ),
  auth.prove(
    'Regenerating replaces the key at once, with no overlap: the old key stops working immediately and requests using it fail with 401.',
    async (w) => {
      const other = await createTenant(w.api);
      ok(await w.get('/workspace', other.key));
      const key = newApiKey();
      await replaceKey(w.api.db, other.workspaceId, storedForm(key), new Date(w.api.clock.now()));
      refused(await w.get('/workspace', other.key), 401);
      ok(await w.get('/workspace', key));
    },
  ),
  auth.prove('Keys cannot be created or rotated through the API.', async (w) => {
    refused(await w.patch('/workspace/api-key', {}), 403);
    refused(await w.post('/workspace/api-key', {}), 405);
  }),
  auth.prove('The web widget uses a separate public key, not the API key.', async (w) => {
    const { webcall_public_key: key } = await w.record(w.agentId);
    expect(key).not.toBe(w.tenant.key);
    refused(await w.get('/workspace', key), 401);
  }),
  auth.elsewhere(
    'Keys must not be placed in browser code, mobile apps, repositories, screenshots, logs or tickets.',
    'test/processes/privacy.test.ts > the log contains no personal data and no secret',
  ),
  auth.prove('200: key valid', async (w) => {
    ok(await w.get('/workspace'));
  }),
  auth.prove("401: key missing, invalid or rotated: `{message: 'Invalid credentials'}`", async (w) => {
    for (const key of [null, 'wrong', newApiKey()]) {
      refused(await w.get('/workspace', key), 401, 'Invalid credentials');
    }
  }),
  auth.prove('403: key valid but lacks permission for the action', async (w) => {
    refused(await w.patch('/workspace/api-key', {}), 403);
  }),

  versioning.prove('The API version is part of the base address: `{base_url}` ends in `v0`.', async (w) => {
    const document = (await w.api.request('GET', '/openapi.json')).body as { paths: Record<string, unknown> };
    const paths = Object.keys(document.paths).filter((path) => path.startsWith('/api/'));
    expect(paths.length).toBeGreaterThan(10);
    expect(paths.filter((path) => !path.startsWith('/api/v0/'))).toEqual([]);
  }),
  versioning.prove(
    'Some endpoints have a newer variant on its own path, for example `POST /calling/v2/outbound/individual` beside `POST /calling/outbound/individual`.',
    async (w) => {
      const body = {
        name: 'P',
        mobile_number: '+14155550002',
        agent_id: w.agentId,
        from_number_id: w.tenant.numberId,
      };
      ok(await w.post('/calling/v2/outbound/individual', body));
      ok(await w.post('/calling/outbound/individual', body));
    },
  ),
  versioning.prove(
    'Agents have versions with `version_id`; edits without `version_id` change the active version, and `PATCH /agent/v1` can target another version.',
    async (w) => {
      const { agentId, versionId } = await w.agent({ voice_id: ENGLISH });
      ok(await w.edit(agentId, 'edit_voice_speed', { voice_speed: 1.2 }));
      expect((await w.version(agentId)).agent_config.voice_speed).toBe(1.2);
      ok(await w.edit(agentId, 'edit_voice_speed', { version_id: versionId, voice_speed: 1.3 }));
      expect((await w.record(agentId)).version_details[versionId].agent_config.voice_speed).toBe(1.3);
    },
  ),
];
