import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordingToken } from '../../src/domain/calls/recording-link.ts';
import { voices } from '../../src/providers/voices.ts';
import { newId } from '../../src/shared/ids.ts';
import {
  createTenant,
  createTestAgent,
  createTestApi,
  type Answer,
  type Tenant,
  type TestApi,
} from '../helpers/api.ts';

let api: TestApi;
let tenant: Tenant;
let agentId: string;
let versionId: string;
const previews: string[] = [];
let isReady = true;
beforeAll(async () => {
  api = await createTestApi({
    renderPreview: (voiceId, language) => {
      previews.push(`${voiceId}/${language}`);
      return previews.length === 1
        ? Promise.reject(new Error('busy'))
        : Promise.resolve(Buffer.from('RIFFwave'));
    },
    ready: () =>
      Promise.resolve([
        { name: 'database', ok: true },
        { name: 'sip', ok: isReady },
      ]),
    recordings: {
      open: (path) =>
        Promise.resolve(
          path === 'gone.wav'
            ? null
            : {
                bytes: 1000,
                modifiedAt: new Date('2026-01-05T10:00:00Z'),
                stream: (start, end) =>
                  Readable.from([
                    Buffer.from(Array.from({ length: end - start + 1 }, (_, i) => (start + i) % 256)),
                  ]),
              },
        ),
    },
  });
  tenant = await createTenant(api);
  ({ agentId, versionId } = await createTestAgent(api, tenant));
});
afterAll(() => api.close());
const get = (
  path: string,
  options: { key?: string | null; headers?: Record<string, string> } = {},
): Promise<Answer> => api.request('GET', path, { key: tenant.key, ...options });

async function insertCall(change: Record<string, unknown> = {}): Promise<string> {
  const id = newId();
  const at = new Date(api.clock.now());
  await api.db
    .insertInto('calls')
    .values({
      workspace_id: tenant.workspaceId,
      id,
      agent_id: agentId,
      version_id: versionId,
      call_type: 'outbound',
      from_number: '+14155550001',
      to_number: '+14155550002',
      callee_name: 'Priya',
      args: JSON.stringify({ callee_name: 'Priya' }),
      status: 'completed',
      sub_status: 'AGENT_ENDED',
      created_at: at,
      updated_at: at,
      ...change,
    })
    .execute();
  return id;
}

describe('GET /agent/all', () => {
  it('pages newest first, and gives every agent without a limit', async () => {
    const own = await createTenant(api);
    const ids: string[] = [];
    for (let i = 0; i < 5; i += 1) {
      api.clock.advance(1000);
      ids.unshift((await createTestAgent(api, own)).agentId);
    }
    const list = async (
      query: string,
    ): Promise<{
      agents: { id: string; agent_type: string }[];
      total: number;
      limit: number;
      offset: number;
    }> => {
      const answer = await get(`/api/v0/agent/all${query}`, { key: own.key });
      expect(answer.body['status']).toBe('success');
      return answer.body['data'] as never;
    };
    const all = await list('');
    expect(all.agents.map((a) => a.id)).toEqual(ids);
    expect(all).toMatchObject({ total: 5, limit: 5, offset: 0 });
    expect(all.agents[0]!.agent_type).toBe('outbound');
    const page = await list('?limit=2&offset=3');
    expect(page.agents.map((a) => a.id)).toEqual(ids.slice(3, 5));
    expect(page).toMatchObject({ total: 5, limit: 2, offset: 3 });
    expect((await list('?offset=99')).agents).toEqual([]);
  });

  it.each([
    'limit=0',
    'limit=-1',
    'limit=abc',
    'limit=1.5',
    'limit=',
    'limit=1&limit=2',
    'offset=-1',
    'offset=1e99',
    'limit=99999999999999',
  ])('422 for %s', async (query) => {
    const answer = await get(`/api/v0/agent/all?${query}`);
    expect(answer.status).toBe(422);
    expect(String(answer.body['message'])).toMatch(/^(limit|offset) must be/);
  });
});

describe('GET /agent/{agent_id}', () => {
  it('has every field of the record', async () => {
    const answer = await get(`/api/v0/agent/${agentId}`);
    const record = answer.body['agents'] as Record<string, unknown>;
    expect(Object.keys(record).sort()).toEqual(
      [
        'ab_versions',
        'active_agent_version_id',
        'agent_display_name',
        'agent_type',
        'classification_labels',
        'created_at',
        'derived_analytics_keys',
        'form_fields',
        'id',
        'inbound_number_id',
        'is_ab_live',
        'orchestration_mode',
        'previous_call_summary',
        'telephony_id',
        'template_icon',
        'template_id',
        'template_label',
        'template_name',
        'template_type',
        'updated_at',
        'version_details',
        'webcall_public_key',
      ].sort(),
    );
    const version = (record['version_details'] as Record<string, Record<string, unknown>>)[versionId]!;
    expect(Object.keys(version).sort()).toEqual(
      [
        'agent_config',
        'call_config',
        'call_traffic',
        'chat_settings',
        'client_analysis',
        'created_at',
        'description',
        'event_subscriptions',
        'knowledge_bases',
        'language',
        'on_call_tools',
        'post_call_tools',
        'pre_call_tools',
        'secondary_language',
        'secondary_voice_id',
        'updated_at',
        'version_id',
        'version_slug',
        'voice',
        'whitelisted_domains',
      ].sort(),
    );
    expect(Object.keys(version['agent_config'] as object).sort()).toEqual(
      [
        'agent_prompt',
        'custom_variables',
        'dtmf_settings',
        'intro_message',
        'llm',
        'mute_during_intro',
        'mute_while_bot_speaking',
        'pre_query_phrase_probability',
        'pre_query_response_phrases',
        'prompt_sections',
        'vad_settings',
        'vocab',
        'voice_speed',
      ].sort(),
    );
  });

  it('gives inbound settings to agents that take calls', async () => {
    const both = await createTestAgent(api, tenant, { agent_type: 'outbound_inbound' });
    expect((await get(`/api/v0/agent/${both.agentId}?type=inbound`)).status).toBe(200);
    expect((await get(`/api/v0/agent/${agentId}?type=inbound`)).status).toBe(400);
    expect((await get(`/api/v0/agent/${agentId}?type=outbound`)).status).toBe(422);
    for (const id of [newId(), 'x', '%27', 'a'.repeat(99)]) {
      const answer = await get(`/api/v0/agent/${id}`);
      expect([answer.status, answer.body['message']]).toEqual([404, 'Agent not found']);
    }
  });
});

describe('voices', () => {
  it('lists all, or those that speak one of the languages', async () => {
    const all = await get('/api/v0/agent/voices');
    expect(all.body['voices']).toHaveLength(voices().length);
    const some = await get('/api/v0/agent/voices?language=ta-IN,%20zh-CN');
    const listed = some.body['voices'] as {
      languages: string[];
      voice_previews: Record<string, string>;
      gender: string;
    }[];
    expect(listed.length).toBeGreaterThan(1);
    for (const voice of listed) {
      expect(voice.languages.some((l) => l === 'ta-IN' || l === 'zh-CN')).toBe(true);
      expect(Object.keys(voice.voice_previews)).toEqual(voice.languages);
    }
    const unknown = await get('/api/v0/agent/voices?language=xx');
    expect(unknown.status).toBe(422);
    expect(String(unknown.body['message'])).toMatch(/^language must list/);
  });

  it('play without a key, are rendered once, and a failure is tried again', async () => {
    const listed = (await get('/api/v0/agent/voices')).body['voices'] as {
      voice_previews: Record<string, string>;
      image_url: string;
    }[];
    const path = new URL(Object.values(listed[0]!.voice_previews)[0]!).pathname;
    expect((await get(path, { key: null })).status).toBe(500);
    for (let i = 0; i < 3; i += 1) {
      const answer = await get(path, { key: null });
      expect([answer.status, answer.headers['content-type'], answer.text]).toEqual([
        200,
        'audio/wav',
        'RIFFwave',
      ]);
    }
    expect(previews).toHaveLength(2);
    const image = await get(new URL(listed[0]!.image_url).pathname, { key: null });
    expect([image.status, image.headers['content-type']]).toEqual([200, 'image/svg+xml']);
    for (const bad of [
      '/voices/x/preview/en-US.wav',
      path.replace('.wav', '.mp3'),
      path.replace(/[^/]+$/, '..%2f..%2fx.wav'),
      '/voices/x/image.svg',
    ]) {
      expect((await get(bad, { key: null })).status).toBe(404);
    }
    expect(previews).toHaveLength(2);
  });
});

describe('GET /calling/history', () => {
  it('filters, pages and counts', async () => {
    const other = await createTestAgent(api, tenant);
    const first = await insertCall({ created_at: new Date('2026-01-01T00:00:00Z'), agent_id: other.agentId });
    const second = await insertCall({
      created_at: new Date('2026-01-02T12:00:00Z'),
      agent_id: other.agentId,
      status: 'failed',
      sub_status: 'BUSY',
      to_number: '+14155550009',
    });
    const third = await insertCall({
      created_at: new Date('2026-01-03T23:59:59.999Z'),
      agent_id: other.agentId,
      call_type: 'inbound',
    });
    const list = async (query: string): Promise<string[]> => {
      const answer = await get(`/api/v0/calling/history?agent_id=${other.agentId}&${query}`);
      expect(answer.status).toBe(200);
      return (answer.body['calls'] as { id: string }[]).map((c) => c.id);
    };
    expect(await list('')).toEqual([third, second, first]);
    expect(await list('limit=1&offset=1')).toEqual([second]);
    expect(await list('status=failed')).toEqual([second]);
    expect(await list('call_type=inbound')).toEqual([third]);
    expect(await list('to_number=%2B14155550009')).toEqual([second]);
    expect(await list('from_number=%2B1')).toEqual([]);
    expect(await list('start_date=2026-01-02')).toEqual([third, second]);
    expect(await list('end_date=2026-01-02')).toEqual([second, first]);
    expect(await list('start_date=2026-01-03&end_date=2026-01-03')).toEqual([third]);
    expect(await list('start_date=2026-01-02T12:00:00Z&end_date=2026-01-02T12:00:00Z')).toEqual([second]);
    expect(await list('start_date=2026-01-02T17:30:01%2B05:30')).toEqual([third]);
    expect(await list(`bulk_list_id=${newId()}`)).toEqual([]);
    expect(await list('bulk_list_id=nonsense')).toEqual([]);
    const page = await get(`/api/v0/calling/history?agent_id=${other.agentId}&limit=2`);
    expect(page.body).toMatchObject({ limit: 2, offset: 0, count: 2, total: 3 });
  });

  it('has a maximum of 200 that answers 400, and everything else answers 422', async () => {
    expect((await get('/api/v0/calling/history?limit=200')).status).toBe(200);
    for (const limit of ['201', '1000000000', '9007199254740993']) {
      const answer = await get(`/api/v0/calling/history?limit=${limit}`);
      expect([answer.status, answer.body['message']]).toEqual([400, 'limit must be at most 200']);
    }
    for (const query of [
      'limit=0',
      'limit=-1',
      'limit=abc',
      'limit=NaN',
      'offset=-1',
      'offset=x',
      'status=done',
      'call_type=fax',
      'start_date=yesterday',
      'start_date=2026-02-30',
      'end_date=2026-13-01',
      'end_date=2026-01-01T00:00:00',
      'agent_id=',
      'to_number=%00',
    ]) {
      const answer = await get(`/api/v0/calling/history?${query}`);
      expect([query, answer.status]).toEqual([query, 422]);
      expect(String(answer.body['message']).startsWith(query.split('=')[0]!)).toBe(true);
    }
  });
});

describe('GET /calling/call-details', () => {
  it('shows transcript, attempts, latency and recording, and analysis when asked for', async () => {
    const answeredAt = new Date('2026-01-05T10:00:00.000Z');
    const id = await insertCall({
      answered_at: answeredAt,
      ended_at: new Date('2026-01-05T10:01:01Z'),
      duration_ms: 61_000,
      cost: 2_000_000,
      hangup_by: 'agent',
    });
    await api.db
      .insertInto('call_attempts')
      .values({
        workspace_id: tenant.workspaceId,
        call_id: id,
        attempt: 1,
        node_id: newId(),
        status: 'ended',
        sub_status: 'AGENT_ENDED',
        claimed_at: answeredAt,
        dialed_at: answeredAt,
        answered_at: answeredAt,
        sip_code: 200,
        duration_ms: 61_000,
      })
      .execute();
    const line = (role: string, text: string, ms: number) => ({
      role,
      text,
      startedAt: answeredAt.getTime() + ms,
      endedAt: answeredAt.getTime() + ms + 500,
      interrupted: false,
      by: 'speech',
    });
    const turn = (totalMs: number, n: number) => ({
      turn: n,
      endpointingMs: 350,
      recognitionMs: 100,
      modelMs: null,
      voiceMs: 50,
      totalMs,
      prepared: true,
    });
    await api.db
      .insertInto('call_records')
      .values({
        workspace_id: tenant.workspaceId,
        call_id: id,
        transcript: JSON.stringify([line('agent', 'Hello.', 300), line('caller', 'हाँ', 2000)]),
        latency: JSON.stringify([turn(500, 1), turn(900, 2), turn(700, 3)]),
        tool_log: JSON.stringify([{ name: 'end_call' }]),
        interruptions: 1,
        first_utterance_ms: 320,
        recording_path: 'x.wav',
        recording_ms: 61_000,
        recording_state: 'stored',
        updated_at: answeredAt,
      })
      .execute();
    const plain = await get(`/api/v0/calling/call-details?id=${id}&send_analysis=true`);
    expect(plain.status).toBe(200);
    const data = plain.body['data'] as Record<string, unknown>;
    expect(data).toMatchObject({
      id,
      call_direction: 'outbound',
      call_status: 'completed',
      call_sub_status: 'AGENT_ENDED',
      from_number: '+14155550001',
      to_number: '+14155550002',
      callee_name: 'Priya',
      agent_id: agentId,
      call_duration: 61,
      call_cost: 2,
      hangup_by: 'agent',
      custom_args_values: { callee_name: 'Priya' },
      recording_duration: 61,
      first_utterance_seconds: 0.32,
      attempts: [
        { attempt_number: 1, status: 'ended', sub_status: 'AGENT_ENDED', sip_code: 200, duration: 61 },
      ],
      latency: { p50_ms: 700, p95_ms: 900, max_ms: 900 },
      tool_call_logs: [{ name: 'end_call' }],
    });
    expect(JSON.parse(String(data['transcription_url']))).toEqual([
      {
        bot: 'Hello.',
        timestamp: '2026-01-05T10:00:00.300Z',
        audio_offset_ms: 300,
        interrupted: false,
        by: 'speech',
      },
      {
        user: 'हाँ',
        timestamp: '2026-01-05T10:00:02.000Z',
        audio_offset_ms: 2000,
        interrupted: false,
        by: 'speech',
      },
    ]);
    expect(data).not.toHaveProperty('platform_analysis');
    await api.db
      .updateTable('call_records')
      .set({ platform_analysis: JSON.stringify({ summary: 'ok' }) })
      .where('call_id', '=', id)
      .execute();
    const analysed = await get(`/api/v0/calling/call-details?id=${id}&send_analysis=true`);
    expect(analysed.body['data']).toMatchObject({ platform_analysis: { summary: 'ok' } });
    expect((await get(`/api/v0/calling/call-details?id=${id}`)).body['data']).not.toHaveProperty(
      'platform_analysis',
    );
    const url = new URL(String(data['recording_url']));
    expect((await get(url.pathname, { key: null })).status).toBe(200);
  });

  it('is null where nothing is known yet', async () => {
    const id = await insertCall({ status: 'registered', sub_status: 'QUEUED' });
    const data = (await get(`/api/v0/calling/call-details?id=${id}`)).body['data'];
    expect(data).toMatchObject({
      transcription_url: null,
      recording_url: null,
      call_duration: null,
      attempts: [],
      latency: { turns: [], p50_ms: null },
    });
  });

  it('needs a call of this workspace', async () => {
    for (const id of [newId(), 'x', '../..', '%F0%9F%98%80']) {
      const answer = await get(`/api/v0/calling/call-details?id=${id}`);
      expect([answer.status, answer.body['message']]).toEqual([404, 'Call not found']);
    }
    expect((await get('/api/v0/calling/call-details')).body['message']).toBe('id is required');
    expect((await get(`/api/v0/calling/call-details?id=${newId()}&send_analysis=maybe`)).status).toBe(422);
  });
});

describe('GET /recordings/{token}', () => {
  const record = async (recording_path: string, recording_state: string): Promise<string> => {
    const id = await insertCall();
    await api.db
      .insertInto('call_records')
      .values({
        workspace_id: tenant.workspaceId,
        call_id: id,
        recording_path,
        recording_state: recording_state as 'stored',
        updated_at: new Date(0),
      })
      .execute();
    return `/recordings/${recordingToken('test-secret', tenant.workspaceId, id)}`;
  };

  it('answers ranges and conditions', async () => {
    const path = await record('a.wav', 'stored');
    const whole = await get(`${path}.wav`, { key: null });
    expect([whole.status, whole.headers['content-length'], whole.headers['accept-ranges']]).toEqual([
      200,
      '1000',
      'bytes',
    ]);
    for (const [range, status, contentRange] of [
      ['bytes=0-99', 206, 'bytes 0-99/1000'],
      ['bytes=900-', 206, 'bytes 900-999/1000'],
      ['bytes=-10', 206, 'bytes 990-999/1000'],
      ['bytes=0-99999', 206, 'bytes 0-999/1000'],
      ['bytes=-99999', 206, 'bytes 0-999/1000'],
      ['bytes=1000-', 416, 'bytes */1000'],
      ['bytes=-0', 416, 'bytes */1000'],
      ['bytes=9-5', 200, undefined],
      ['bytes=0-1,5-6', 200, undefined],
      ['items=0-1', 200, undefined],
      ['bytes=-', 200, undefined],
    ] as const) {
      const answer = await get(`${path}.wav`, { key: null, headers: { range } });
      expect([range, answer.status, answer.headers['content-range']]).toEqual([range, status, contentRange]);
    }
    const etag = String(whole.headers['etag']);
    expect((await get(`${path}.wav`, { key: null, headers: { 'if-none-match': etag } })).status).toBe(304);
    const changed = await get(`${path}.wav`, {
      key: null,
      headers: { range: 'bytes=0-1', 'if-range': '"other"' },
    });
    expect(changed.status).toBe(200);
    expect((await get(`${path}.mp3`, { key: null })).headers['content-type']).toBe('audio/mpeg');
  });

  it('answers one and the same 404 for everything else', async () => {
    const failed = await record('b.wav', 'failed');
    const gone = await record('gone.wav', 'stored');
    const good = await record('c.wav', 'partial');
    expect((await get(`${good}.wav`, { key: null })).status).toBe(200);
    const forged = `/recordings/${recordingToken('other-secret', tenant.workspaceId, newId())}.wav`;
    for (const path of [
      `${failed}.wav`,
      `${gone}.wav`,
      forged,
      `${good}.ogg`,
      good,
      '/recordings/x.wav',
      '/recordings/..%2f..%2fetc%2fpasswd.wav',
      `/recordings/${newId()}.wav`,
    ]) {
      const answer = await get(path, { key: null });
      expect([path, answer.status, answer.body['message']]).toEqual([path, 404, 'Recording not found']);
    }
  });
});

describe('the service itself', () => {
  it('says how it is', async () => {
    expect((await get('/healthz', { key: null })).body).toEqual({ status: 'ok' });
    expect((await get('/readyz', { key: null })).status).toBe(200);
    isReady = false;
    const answer = await get('/readyz', { key: null });
    expect([answer.status, answer.body['message']]).toEqual([503, 'not ready: sip']);
    isReady = true;
    expect((await get('/metrics', { key: null })).text).toContain('callwright_up 1');
  });

  it('has a page that loads nothing from anywhere', async () => {
    const page = await get('/', { key: null });
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect(page.text).not.toMatch(/https?:\/\//);
    const docs = await get('/docs/', { key: null });
    expect(docs.status).toBe(200);
    expect(docs.text).not.toMatch(/(src|href)="https?:/);
    const policy = String(docs.headers['content-security-policy']);
    expect(policy).toContain("connect-src 'self'");
    // Nothing from elsewhere, and no https where the service itself is reached without.
    expect(policy).not.toMatch(/https|upgrade-insecure|\*|swagger\.io/);
  });

  it('gives every answer a request id, the client’s own where it is a sane one', async () => {
    expect((await get('/healthz')).headers['x-request-id']).toMatch(/^req_[0-9a-f-]{36}$/);
    expect((await get('/nowhere', { headers: { 'x-request-id': 'abc-1' } })).headers['x-request-id']).toBe(
      'abc-1',
    );
    const bad = await get('/nowhere', { headers: { 'x-request-id': 'a b'.repeat(50) } });
    expect(bad.headers['x-request-id']).toMatch(/^req_/);
    expect(bad.body).toEqual({
      message: 'There is no such endpoint',
      code: 'ROUTE_NOT_FOUND',
      request_id: bad.headers['x-request-id'],
    });
  });
});
