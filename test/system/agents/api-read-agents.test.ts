import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/shared/ids.ts';
import { createTenant, createTestAgent } from '../../helpers/api/api.ts';
import { createReader, type Reader } from '../../helpers/api/read-api.ts';

let reader: Reader;
beforeAll(async () => {
  reader = await createReader();
});
afterAll(() => reader.api.close());

describe('GET /agent/all', () => {
  it('pages newest first, and returns every agent without a limit', async () => {
    const own = await createTenant(reader.api);
    const ids: string[] = [];
    for (let i = 0; i < 5; i += 1) {
      reader.api.clock.advance(1000);
      ids.unshift((await createTestAgent(reader.api, own)).agentId);
    }
    const list = async (
      query: string,
    ): Promise<{
      agents: { id: string; agent_type: string }[];
      total: number;
      limit: number;
      offset: number;
    }> => {
      const answer = await reader.get(`/api/v0/agent/all${query}`, { key: own.key });
      expect(answer.body['status']).toBe('success');
      return answer.body['data'] as never;
    };
    const all = await list('');
    expect(all.agents.map((a) => a.id)).toEqual(ids);
    expect(all).toMatchObject({ total: 5, limit: 5, offset: 0 });
    expect(all.agents[0]!.agent_type).toBe('outbound');
    expect(all.agents[0]).toMatchObject({
      active_version: {
        version_slug: 'v1',
        language: 'en-US',
        timezone: 'Asia/Kolkata',
        max_call_length: 240,
      },
    });
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
  ])('422 for %s', async (query) => {
    const answer = await reader.get(`/api/v0/agent/all?${query}`);
    expect(answer.status).toBe(422);
    expect(String(answer.body['message'])).toMatch(/^(limit|offset) must be/);
  });

  it('answers 400 for a limit above the maximum', async () => {
    const answer = await reader.get('/api/v0/agent/all?limit=99999999999999');
    expect(answer.status).toBe(400);
    expect(String(answer.body['message'])).toMatch(/^limit must be/);
  });
});

describe('GET /agent/{agent_id}', () => {
  it('has every field of the record', async () => {
    const answer = await reader.get(`/api/v0/agent/${reader.agentId}`);
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
    const version = (record['version_details'] as Record<string, Record<string, unknown>>)[reader.versionId]!;
    expect(Object.keys(version).sort()).toEqual(
      [
        'agent_config',
        'call_config',
        'call_time_source',
        'call_traffic',
        'chat_settings',
        'client_analysis',
        'created_at',
        'description',
        'evaluations',
        'event_subscriptions',
        'flow',
        'handoffs',
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
        'web_sessions',
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
        's2s',
        'stt',
        'vad_settings',
        'vocab',
        'voice_speed',
      ].sort(),
    );
  });

  it('with type=inbound answers 400 for an agent that takes no calls', async () => {
    const both = await createTestAgent(reader.api, reader.tenant, { agent_type: 'outbound_inbound' });
    expect((await reader.get(`/api/v0/agent/${both.agentId}?type=inbound`)).status).toBe(200);
    expect((await reader.get(`/api/v0/agent/${reader.agentId}?type=inbound`)).status).toBe(400);
    expect((await reader.get(`/api/v0/agent/${reader.agentId}?type=outbound`)).status).toBe(422);
    for (const id of [newId(), 'x', '%27', 'a'.repeat(99)]) {
      const answer = await reader.get(`/api/v0/agent/${id}`);
      expect([answer.status, answer.body['message']]).toEqual([404, 'Agent not found']);
    }
  });
});
