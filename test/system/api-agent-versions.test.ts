import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { takeInbound } from '../../src/domain/calls/take-inbound.ts';
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
import { createNode } from '../helpers/world.ts';

let api: TestApi;
let tenant: Tenant;
let agentId: string;
let first: string;
beforeAll(async () => {
  api = await createTestApi();
  tenant = await createTenant(api, { unlimited: true });
});
beforeEach(async () => {
  ({ agentId, versionId: first } = await createTestAgent(api, tenant, { agent_type: 'outbound_inbound' }));
});
afterAll(() => api.close());

const edit = (body: Record<string, unknown>, key = tenant.key): Promise<Answer> =>
  api.request('PATCH', '/api/v0/agent/v1', { key, body: { agent_id: agentId, ...body } });
const create = async (body: Record<string, unknown> = {}): Promise<string> => {
  api.clock.advance(1000);
  const answer = await edit({ operation: 'create_version', ...body });
  expect(answer.status).toBe(200);
  return answer.body['version_id'] as string;
};
interface Version {
  version_slug: string;
  description: string;
  call_traffic: number;
  agent_config: { voice_speed: number; intro_message: string; dtmf_settings: unknown };
  client_analysis: unknown;
  whitelisted_domains: string[];
}
interface AbVersion {
  version_id: string;
  call_traffic: number;
  calls: number;
  answered: number;
  average_duration: number | null;
}
interface Record_ {
  classification_labels: string[];
  is_ab_live: boolean;
  active_agent_version_id: string;
  ab_versions: AbVersion[];
  version_details: Record<string, Version>;
}
const read = async (): Promise<Record_> => {
  const answer = await api.request('GET', `/api/v0/agent/${agentId}`, { key: tenant.key });
  return answer.body['agents'] as Record_;
};
const place = async (): Promise<string> => {
  const answer = await api.request('POST', '/api/v0/calling/outbound/individual', {
    key: tenant.key,
    body: { name: 'P', mobile_number: '+14155550002', agent_id: agentId, from_number_id: tenant.numberId },
  });
  return (answer.body['data'] as { call_id: string }).call_id;
};
const versionOf = async (callId: string): Promise<string> => {
  const row = await api.db
    .selectFrom('calls')
    .select('version_id')
    .where('id', '=', callId)
    .executeTakeFirstOrThrow();
  return row.version_id;
};
const split = (a: string, b: string, share = 50) => ({
  operation: 'set_ab_test',
  versions: [
    { version_id: a, call_traffic: share },
    { version_id: b, call_traffic: 100 - share },
  ],
});

describe('versions', () => {
  it('are copied, edited apart, and activated', async () => {
    await edit({ operation: 'edit_voice_speed', voice_speed: 1.5 });
    const second = await create({ description: 'Slower' });
    await edit({ operation: 'edit_voice_speed', voice_speed: 0.8, version_id: second });
    const before = await read();
    expect(before.active_agent_version_id).toBe(first);
    expect(before.version_details[first]).toMatchObject({
      version_slug: 'v1',
      agent_config: { voice_speed: 1.5 },
    });
    expect(before.version_details[second]).toMatchObject({
      version_slug: 'v2',
      description: 'Slower',
      call_traffic: 0,
      agent_config: { voice_speed: 0.8, intro_message: 'Hello, this is Asha.' },
    });
    expect(await versionOf(await place())).toBe(first);
    expect((await edit({ operation: 'activate_version', version_id: second })).status).toBe(200);
    const after = await read();
    expect(after.active_agent_version_id).toBe(second);
    expect([after.version_details[first]?.call_traffic, after.version_details[second]?.call_traffic]).toEqual(
      [0, 100],
    );
    expect(await versionOf(await place())).toBe(second);
    await edit({ operation: 'edit_voice_speed', voice_speed: 1.1 });
    expect((await read()).version_details[second]?.agent_config.voice_speed).toBe(1.1);
    const third = await create({ version_id: first });
    expect((await read()).version_details[third]).toMatchObject({
      version_slug: 'v3',
      agent_config: { voice_speed: 1.5 },
    });
  });

  it('are at most fifty', async () => {
    for (let i = 1; i < 50; i += 1) await create();
    const answer = await edit({ operation: 'create_version' });
    expect([answer.status, answer.body['code']]).toEqual([400, 'TOO_MANY_VERSIONS']);
  });

  it.each<[Record<string, unknown>, string]>([
    [{ operation: 'activate_version' }, 'version_id is required'],
    [{ operation: 'create_version', description: 5 }, 'description must be a string'],
    [{ operation: 'create_version', description: 'x'.repeat(501) }, 'description must be at most 500'],
    [{ operation: 'set_ab_test' }, 'versions is required'],
    [{ operation: 'set_ab_test', versions: [] }, 'versions must hold at least 2 items'],
    [
      { operation: 'set_ab_test', versions: [{ call_traffic: 50 }, { version_id: 'x', call_traffic: 50 }] },
      'versions[0].version_id is required',
    ],
    [
      { operation: 'set_ab_test', versions: [{ version_id: 'x' }, { version_id: 'y', call_traffic: 50 }] },
      'versions[0].call_traffic is required',
    ],
    [{ ...split('x', 'y', 0) }, 'versions[0].call_traffic must be at least 1'],
    [{ ...split('x', 'y', 2.5) }, 'versions[0].call_traffic must be an integer'],
  ])('%j answers 422', async (body, message) => {
    const answer = await edit(body);
    expect(answer.status).toBe(422);
    expect(String(answer.body['message'])).toContain(message);
  });

  it('of another agent or workspace do not exist', async () => {
    const other = await createTestAgent(api, tenant);
    const stranger = await createTenant(api);
    const theirs = await createTestAgent(api, stranger);
    for (const id of [other.versionId, theirs.versionId, newId(), 'x']) {
      for (const body of [
        { operation: 'activate_version', version_id: id },
        { operation: 'create_version', version_id: id },
        split(first, id),
      ]) {
        const answer = await edit(body);
        expect([answer.status, answer.body['message']]).toEqual([404, 'Agent version not found']);
      }
    }
    expect((await read()).is_ab_live).toBe(false);
  });
});

describe('an A/B test', () => {
  it('must sum to 100 and name each version once', async () => {
    const second = await create();
    const off = await edit({
      operation: 'set_ab_test',
      versions: [
        { version_id: first, call_traffic: 50 },
        { version_id: second, call_traffic: 49 },
      ],
    });
    expect([off.status, off.body['message']]).toEqual([
      422,
      'versions must have call_traffic that sums to 100 (it is 99)',
    ]);
    const twice = await edit(split(first, first.toUpperCase()));
    expect([twice.status, twice.body['message']]).toEqual([422, 'versions must name each version once']);
  });

  it('splits calls by weight, in and out, and tells what each version did', async () => {
    const second = await create();
    // A call from before the test is no result of it.
    await place();
    api.clock.advance(1000);
    expect((await edit(split(first, second, 30))).status).toBe(200);
    const counts = new Map<string, number>();
    const ids: string[] = [];
    for (let i = 0; i < 120; i += 1) {
      const id = await place();
      ids.push(id);
      const version = await versionOf(id);
      counts.set(version, (counts.get(version) ?? 0) + 1);
    }
    // 36 of 120 are expected; five standard deviations are 25.
    expect(counts.get(first)).toBeGreaterThan(11);
    expect(counts.get(first)).toBeLessThan(61);
    expect((counts.get(first) ?? 0) + (counts.get(second) ?? 0)).toBe(120);
    const [a, b] = [ids[0], ids[1]];
    for (const [id, durationMs] of [
      [a, 10_000],
      [b, 25_000],
    ] as const) {
      await api.db
        .updateTable('calls')
        .set({ version_id: second, status: 'completed', answered_at: new Date(), duration_ms: durationMs })
        .where('id', '=', id!)
        .execute();
    }
    const record = await read();
    expect(record.is_ab_live).toBe(true);
    expect(record.ab_versions.map((v) => [v.version_id, v.call_traffic])).toEqual([
      [first, 30],
      [second, 70],
    ]);
    expect(record.ab_versions.reduce((sum, v) => sum + v.calls, 0)).toBe(120);
    expect(record.ab_versions[1]).toMatchObject({ answered: 2, average_duration: 17.5 });
    expect(record.ab_versions[0]).toMatchObject({ answered: 0, average_duration: null });

    await edit({ operation: 'attach_inbound_number', number_id: tenant.numberId });
    const nodeId = await createNode(api.db, 'n', api.clock.now());
    const rate = { creditsPerMinute: 1, pulseSeconds: 60 };
    const inbound = new Set<string>();
    await api.db
      .updateTable('workspaces')
      .set({ call_limit: 1000 })
      .where('id', '=', tenant.workspaceId)
      .execute();
    for (let i = 0; i < 40; i += 1) {
      const decision = await takeInbound(
        { db: api.db, clock: api.clock, rate, nodeId: () => nodeId },
        {
          trunkId: tenant.trunkId,
          from: '+12125550000',
          to: tenant.number,
          displayName: null,
          sipCallId: `s${i}`,
        },
      );
      expect(decision).toHaveProperty('taken');
      if ('taken' in decision) inbound.add(await versionOf(decision.taken.callId));
    }
    expect(inbound).toEqual(new Set([first, second]));
    await edit({ operation: 'remove_inbound_number', number_id: tenant.numberId });
  });

  it('takes edits without a version to the live version that was changed last', async () => {
    const second = await create();
    const idle = await create();
    await edit(split(first, second));
    const speed = async (voice_speed: number, version_id?: string): Promise<(number | undefined)[]> => {
      api.clock.advance(1000);
      await edit({
        operation: 'edit_voice_speed',
        voice_speed,
        ...(version_id === undefined ? {} : { version_id }),
      });
      const { version_details: versions } = await read();
      return [first, second, idle].map((id) => versions[id]?.agent_config.voice_speed);
    };
    expect(await speed(1.2)).toEqual([1, 1.2, 1]);
    expect(await speed(1.3, first)).toEqual([1.3, 1.2, 1]);
    expect(await speed(1.4, idle)).toEqual([1.3, 1.2, 1.4]);
    expect(await speed(1.5)).toEqual([1.5, 1.2, 1.4]);
  });

  it('keeps an active version among the live ones, and ends when one is activated', async () => {
    const second = await create();
    const third = await create();
    await edit(split(second, third, 20));
    expect(await read()).toMatchObject({ is_ab_live: true, active_agent_version_id: third });
    const listed = await api.request('GET', '/api/v0/agent/all', { key: tenant.key });
    const agents = (listed.body['data'] as { agents: { id: string; ab_versions: AbVersion[] }[] }).agents;
    expect(agents.find((agent) => agent.id === agentId)?.ab_versions).toHaveLength(2);
    await edit({ operation: 'activate_version', version_id: first });
    expect(await read()).toMatchObject({
      is_ab_live: false,
      active_agent_version_id: first,
      ab_versions: [],
    });
  });
});

describe('settings of a version', () => {
  it('keep keys, domains and analysis as sent', async () => {
    const dtmf_input = { digits: 6, timeout: 5, end: '#', reset: '*' };
    const own = 'http://callwright.test';
    expect((await read()).version_details[first]).toMatchObject({
      client_analysis: null,
      whitelisted_domains: [own],
    });
    for (const body of [
      { operation: 'edit_dtmf_settings', dtmf_settings: { dtmf_capturing_enabled: true, dtmf_input } },
      {
        operation: 'edit_agent_whitelisted_domains',
        whitelisted_domains: ['https://Example.com/', own, own],
      },
      {
        operation: 'edit_client_analysis',
        context: 'Dental',
        goal_key: 'booked',
        classification_labels: ['Hot', 'Cold', 'Hot'],
        keys: {
          booked: { type: 'boolean', default: false },
          day: { type: 'enum', values: ['Mon', 'Tue'], default: 'Tue', description: 'Which day' },
        },
      },
    ]) {
      expect((await edit(body)).status).toBe(200);
    }
    expect((await read()).version_details[first]).toMatchObject({
      agent_config: { dtmf_settings: { dtmf_capturing_enabled: true, dtmf_input } },
      whitelisted_domains: ['https://example.com', own],
      client_analysis: {
        context: 'Dental',
        goal_key: 'booked',
        keys: { booked: { type: 'boolean', default: false } },
      },
    });
    expect((await read()).classification_labels).toEqual(['Hot', 'Cold']);
    await edit({ operation: 'edit_dtmf_settings', dtmf_settings: { dtmf_capturing_enabled: false } });
    await edit({ operation: 'edit_client_analysis', keys: {} });
    expect((await read()).version_details[first]).toMatchObject({
      agent_config: {
        dtmf_settings: {
          dtmf_capturing_enabled: false,
          dtmf_input: { digits: null, timeout: null, end: null, reset: null },
        },
      },
      client_analysis: null,
    });
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['edit_dtmf_settings', {}, 'dtmf_settings is required'],
    ['edit_dtmf_settings', { dtmf_settings: {} }, 'dtmf_settings.dtmf_capturing_enabled is required'],
    [
      'edit_dtmf_settings',
      { dtmf_settings: { dtmf_capturing_enabled: true, dtmf_input: { digits: 33 } } },
      'dtmf_settings.dtmf_input.digits must be at most 32',
    ],
    [
      'edit_dtmf_settings',
      { dtmf_settings: { dtmf_capturing_enabled: true, dtmf_input: { timeout: 0.5 } } },
      'dtmf_settings.dtmf_input.timeout must be at least 1',
    ],
    [
      'edit_dtmf_settings',
      { dtmf_settings: { dtmf_capturing_enabled: true, dtmf_input: { end: 'A' } } },
      'dtmf_settings.dtmf_input.end must be one of',
    ],
    [
      'edit_dtmf_settings',
      { dtmf_settings: { dtmf_capturing_enabled: true, dtmf_input: { end: '*', reset: '*' } } },
      'dtmf_settings.dtmf_input.reset must be another key',
    ],
    ['edit_agent_whitelisted_domains', {}, 'whitelisted_domains is required'],
    [
      'edit_agent_whitelisted_domains',
      { whitelisted_domains: ['https://example.com'] },
      "whitelisted_domains must keep the service's own web address http://callwright.test",
    ],
    [
      'edit_agent_whitelisted_domains',
      { whitelisted_domains: ['ftp://x'] },
      'whitelisted_domains[0] must be a web address',
    ],
    [
      'edit_agent_whitelisted_domains',
      { whitelisted_domains: ['https://x/y'] },
      'whitelisted_domains[0] must be a web address',
    ],
    [
      'edit_agent_whitelisted_domains',
      { whitelisted_domains: ['https://u:p@x'] },
      'whitelisted_domains[0] must be a web address',
    ],
    ['edit_chat_settings', {}, 'chat_settings is required'],
    [
      'edit_chat_settings',
      { chat_settings: { whatsapp_session: { idle_timeout_minutes: 'x' } } },
      'chat_settings.whatsapp_session.idle_timeout_minutes must be',
    ],
    ['edit_client_analysis', {}, 'keys is required'],
    ['edit_client_analysis', { keys: {}, classification_labels: [''] }, 'classification_labels[0]'],
    ['edit_client_analysis', { keys: { a: {} } }, 'keys.a.type is required'],
    ['edit_client_analysis', { keys: { a: { type: 'text' } } }, 'keys.a.type must be one of'],
    [
      'edit_client_analysis',
      { keys: { a: { type: 'enum' } } },
      'keys.a.values is required for the type enum',
    ],
    [
      'edit_client_analysis',
      { keys: { a: { type: 'string', values: ['x'] } } },
      'keys.a.values is only for the type enum',
    ],
    [
      'edit_client_analysis',
      { keys: { a: { type: 'number', default: '5' } } },
      'keys.a.default must be a value of the type number',
    ],
    [
      'edit_client_analysis',
      { keys: { a: { type: 'enum', values: ['x'], default: 'y' } } },
      'keys.a.default must be a value of the type enum',
    ],
    [
      'edit_client_analysis',
      { goal_key: 'b', keys: { a: { type: 'string' } } },
      'goal_key must be one of keys',
    ],
  ])('%s %j answers 422', async (operation, body, message) => {
    const answer = await edit({ operation, ...body });
    expect(answer.status).toBe(422);
    expect(String(answer.body['message'])).toContain(message);
  });

  it('are refused for a channel the agent is not', async () => {
    const answer = await edit({
      operation: 'edit_chat_settings',
      chat_settings: { whatsapp_session: { idle_timeout_minutes: 5 } },
    });
    expect([answer.status, answer.body['code']]).toEqual([400, 'NOT_A_CHAT_AGENT']);
  });
});

describe('PATCH /public/agent/{agent_id}', () => {
  const patch = (body: unknown, id = agentId, key = tenant.key): Promise<Answer> =>
    api.request('PATCH', `/api/v0/public/agent/${id}`, { key, body });
  const detail = async () => {
    const record = (await read()) as unknown as Record<string, unknown> & Record_;
    return {
      record,
      version: record.version_details[record.active_agent_version_id] as unknown as Record<string, unknown>,
    };
  };
  const english = voices().find((v) => v.languages.includes('en-US') && !v.languages.includes('hi-IN'))!;
  const hindi = voices().find((v) => v.languages.includes('hi-IN') && !v.languages.includes('en-US'))!;

  it('changes each field alone and answers what it changed', async () => {
    api.clock.advance(5000);
    const answer = await patch({ task: '1. Ask for the day.', sample_conversations: 'User: hi' });
    expect(answer.body).toEqual({
      success: true,
      data: {
        id: agentId,
        version: 'v1',
        version_id: first,
        updated_at: new Date(api.clock.now()).toISOString(),
      },
      message: 'Agent updated successfully',
    });
    const sections = async (): Promise<Record<string, string>> => {
      const config = (await detail()).version['agent_config'] as {
        prompt_sections: { section_title: string; section_content: string }[];
      };
      return Object.fromEntries(config.prompt_sections.map((s) => [s.section_title, s.section_content]));
    };
    expect(await sections()).toEqual({
      Objective: 'Remind {{callee_name}} of the appointment.',
      'Response Guidelines': 'Be brief.',
      'Conversation Script': '1. Ask for the day.\n\nSample conversations:\nUser: hi',
      FAQs: '',
    });
    await patch({ task: '2. Again.' });
    expect((await sections())['Conversation Script']).toBe('2. Again.\n\nSample conversations:\nUser: hi');
    await patch({ introduction_and_objective: 'New.', response_guidelines: 'Warm.', faq: 'Q' });
    expect(await sections()).toMatchObject({ Objective: 'New.', 'Response Guidelines': 'Warm.', FAQs: 'Q' });
    await patch({
      agent_name: 'Renamed',
      intro_message: 'Hi.',
      custom_variables: ['day'],
      agent_type: 'outbound',
    });
    const { record, version } = await detail();
    expect(record).toMatchObject({ agent_display_name: 'Renamed', agent_type: 'outbound' });
    expect(version['agent_config']).toMatchObject({
      intro_message: 'Hi.',
      custom_variables: ['callee_name', 'mobile_number', 'day'],
    });
    expect(version['call_config']).toMatchObject({ max_call_length: 240 });
  });

  it('holds voice and language together', async () => {
    const wrong = await patch({ primary_language: 'hi-IN', voice_id: english.id });
    expect([wrong.status, wrong.body['code']]).toEqual([400, 'VOICE_LANGUAGE_MISMATCH']);
    expect((await patch({ voice_id: hindi.id })).body['code']).toBe('VOICE_LANGUAGE_MISMATCH');
    expect((await patch({ voice_id: hindi.id, primary_language: 'hi-IN' })).status).toBe(200);
    expect((await detail()).version).toMatchObject({ language: 'hi-IN', voice: { id: hindi.id } });
    expect((await patch({ voice_id: newId() })).status).toBe(422);
    expect((await patch({ secondary_language: null })).status).toBe(200);
  });

  it('keeps an agent with inbound numbers taking calls', async () => {
    await edit({ operation: 'attach_inbound_number', number_id: tenant.numberId });
    const answer = await patch({ agent_type: 'outbound' });
    expect([answer.status, answer.body['code']]).toEqual([400, 'AGENT_HAS_NUMBERS']);
    await edit({ operation: 'remove_inbound_number', number_id: tenant.numberId });
    expect((await patch({ agent_type: 'outbound' })).status).toBe(200);
  });

  it.each<[unknown, string]>([
    [undefined, 'body'],
    [{}, 'body must have at least one of agent_name'],
    [{ nonsense: 1 }, 'body must have at least one of agent_name'],
    [{ call_config: {} }, 'call_config is not changed here'],
    [{ agent_name: '' }, 'agent_name must not be empty'],
    [{ agent_name: 'x'.repeat(101) }, 'agent_name must be at most 100'],
    [{ introduction_and_objective: 'x'.repeat(2001) }, 'introduction_and_objective must be at most 2000'],
    [{ response_guidelines: 'x'.repeat(3001) }, 'response_guidelines must be at most 3000'],
    [{ task: 'x'.repeat(1501) }, 'task must be at most 1500'],
    [{ faq: 'x'.repeat(5001) }, 'faq must be at most 5000'],
    [{ sample_conversations: 'x'.repeat(5001) }, 'sample_conversations must be at most 5000'],
    [{ primary_language: 'fr-FR' }, 'primary_language must be one of'],
    [{ secondary_language: 'fr-FR' }, 'secondary_language must be one of'],
    [{ voice_id: 'x' }, 'voice_id must be a UUID'],
    [{ intro_message: 'x'.repeat(501) }, 'intro_message must be at most 500'],
    [{ agent_type: 'both' }, 'agent_type must be one of'],
    [{ custom_variables: ['{x}'] }, 'custom_variables[0] must be'],
  ])('%j answers 422', async (body, message) => {
    const answer = await patch(body);
    expect(answer.status).toBe(422);
    expect(String(answer.body['message'])).toContain(message);
  });

  it('does not know agents of others, or archived ones', async () => {
    const stranger = await createTenant(api);
    for (const [id, key] of [
      [agentId, stranger.key],
      [newId(), tenant.key],
      ['x', tenant.key],
    ] as const) {
      const answer = await patch({ task: 'x' }, id, key);
      expect([answer.status, answer.body['message']]).toEqual([404, 'Agent not found']);
    }
    await api.request('DELETE', `/api/v0/agent/${agentId}`, { key: tenant.key });
    expect((await patch({ task: 'x' })).status).toBe(404);
  });
});

describe('DELETE /agent/{agent_id}', () => {
  const remove = (id: string, key = tenant.key): Promise<Answer> =>
    api.request('DELETE', `/api/v0/agent/${id}`, { key });

  it('archives: queued calls end, numbers are free, history stays', async () => {
    const callId = await place();
    await edit({ operation: 'attach_inbound_number', number_id: tenant.numberId });
    const answer = await remove(agentId);
    expect(answer.body).toEqual({
      message: 'Agent deleted successfully',
      agent_id: agentId,
      cancelled_count: 1,
    });
    expect((await api.request('GET', `/api/v0/agent/${agentId}`, { key: tenant.key })).status).toBe(404);
    const listed = await api.request('GET', '/api/v0/agent/all', { key: tenant.key });
    expect(listed.text).not.toContain(agentId);
    const numbers = await api.request('GET', '/api/v0/workspace/numbers', { key: tenant.key });
    const number = (numbers.body['workspace_numbers'] as { id: string; agent: unknown }[]).find(
      (n) => n.id === tenant.numberId,
    );
    expect(number?.agent).toBeNull();
    const details = await api.request('GET', `/api/v0/calling/call-details?id=${callId}`, {
      key: tenant.key,
    });
    expect(details.body['data']).toMatchObject({
      agent_name: 'Reminder',
      call_status: 'cancelled',
      call_sub_status: 'USER_TERMINATED',
    });
    const history = await api.request('GET', `/api/v0/calling/history?agent_id=${agentId}`, {
      key: tenant.key,
    });
    expect(history.body['count']).toBe(1);
    const dial = await api.request('POST', '/api/v0/calling/outbound/individual', {
      key: tenant.key,
      body: { name: 'P', mobile_number: '+14155550002', agent_id: agentId, from_number_id: tenant.numberId },
    });
    expect([dial.status, dial.body['message']]).toEqual([404, 'Agent not found']);
    expect((await remove(agentId)).status).toBe(404);
  });

  it('does not know agents of others', async () => {
    const stranger = await createTenant(api);
    for (const [id, key] of [
      [agentId, stranger.key],
      [newId(), tenant.key],
      ['x', tenant.key],
    ] as const) {
      const answer = await remove(id, key);
      expect([answer.status, answer.body['message']]).toEqual([404, 'Agent not found']);
    }
    expect((await api.request('GET', `/api/v0/agent/${agentId}`, { key: tenant.key })).status).toBe(200);
  });
});
