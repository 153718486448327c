import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { voices } from '../../../src/providers/voices.ts';
import { newId } from '../../../src/shared/ids.ts';
import { createTenant, type Answer } from '../../helpers/api/api.ts';
import { openAgentDesk, type AgentDesk } from '../../helpers/agents/agent-api.ts';

let desk: AgentDesk;
beforeAll(async () => {
  desk = await openAgentDesk({ unlimited: true, agent: { agent_type: 'outbound_inbound' } });
});
beforeEach(() => desk.renew());
afterAll(() => desk.api.close());

describe('PATCH /public/agent/{agent_id}', () => {
  const patch = (body: unknown, id = desk.agentId, key = desk.tenant.key): Promise<Answer> =>
    desk.api.request('PATCH', `/api/v0/public/agent/${id}`, { key, body });

  const english = voices().find((v) => v.languages.includes('en-US') && !v.languages.includes('hi-IN'))!;
  const hindi = voices().find((v) => v.languages.includes('hi-IN') && !v.languages.includes('en-US'))!;

  it('changes each field separately and returns the changed version', async () => {
    desk.api.clock.advance(5000);
    const answer = await patch({ task: '1. Ask for the day.', sample_conversations: 'User: hi' });
    expect(answer.body).toEqual({
      success: true,
      data: {
        id: desk.agentId,
        version: 'v1',
        version_id: desk.first,
        updated_at: new Date(desk.api.clock.now()).toISOString(),
      },
      message: 'Agent updated successfully',
    });
    const sections = async (): Promise<Record<string, string>> => {
      const config = (await desk.shown()).version['agent_config'] as {
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
    const { record, version } = await desk.shown();
    expect(record).toMatchObject({ agent_display_name: 'Renamed', agent_type: 'outbound' });
    expect(version['agent_config']).toMatchObject({
      intro_message: 'Hi.',
      custom_variables: ['callee_name', 'mobile_number', 'day'],
    });
    expect(version['call_config']).toMatchObject({ max_call_length: 240 });
  });

  it('checks that voice and language match', async () => {
    const wrong = await patch({ primary_language: 'hi-IN', voice_id: english.id });
    expect([wrong.status, wrong.body['code']]).toEqual([400, 'VOICE_LANGUAGE_MISMATCH']);
    expect((await patch({ voice_id: hindi.id })).body['code']).toBe('VOICE_LANGUAGE_MISMATCH');
    expect((await patch({ voice_id: hindi.id, primary_language: 'hi-IN' })).status).toBe(200);
    expect((await desk.shown()).version).toMatchObject({ language: 'hi-IN', voice: { id: hindi.id } });
    expect((await patch({ voice_id: newId() })).status).toBe(422);
    expect((await patch({ secondary_language: null })).status).toBe(200);
  });

  it('returns 400 if an agent with inbound numbers would stop taking calls', async () => {
    await desk.edit({ operation: 'attach_inbound_number', number_id: desk.tenant.numberId });
    const answer = await patch({ agent_type: 'outbound' });
    expect([answer.status, answer.body['code']]).toEqual([400, 'AGENT_HAS_NUMBERS']);
    await desk.edit({ operation: 'remove_inbound_number', number_id: desk.tenant.numberId });
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

  it('returns 404 for foreign and archived agents', async () => {
    const stranger = await createTenant(desk.api);
    for (const [id, key] of [
      [desk.agentId, stranger.key],
      [newId(), desk.tenant.key],
      ['x', desk.tenant.key],
    ] as const) {
      const answer = await patch({ task: 'x' }, id, key);
      expect([answer.status, answer.body['message']]).toEqual([404, 'Agent not found']);
    }
    await desk.api.request('DELETE', `/api/v0/agent/${desk.agentId}`, { key: desk.tenant.key });
    expect((await patch({ task: 'x' })).status).toBe(404);
  });
});
