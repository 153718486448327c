import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openAgentDesk, type AgentDesk } from '../../helpers/agents/agent-api.ts';

let desk: AgentDesk;
beforeAll(async () => {
  desk = await openAgentDesk({ unlimited: true, agent: { agent_type: 'outbound_inbound' } });
});
beforeEach(() => desk.renew());
afterAll(() => desk.api.close());

describe('settings of a version', () => {
  it('say who speaks first, key by key', async () => {
    const edit = (first_speaker: object) =>
      desk.edit({ operation: 'edit_call_config', call_config: { first_speaker } });
    const stored = async () => (await desk.read()).version_details[desk.first]?.call_config.first_speaker;
    expect(await stored()).toEqual({ mode: 'auto', delay: 0, limit: 10 });
    expect((await edit({ mode: 'agent', delay: 1.5 })).status).toBe(200);
    expect((await edit({ limit: 20 })).status).toBe(200);
    expect(await stored()).toEqual({ mode: 'agent', delay: 1.5, limit: 20 });
    for (const [wrong, field] of [
      [{ mode: 'callee' }, 'mode'],
      [{ delay: 11 }, 'delay'],
      [{ limit: 0 }, 'limit'],
      [{ wait: 3 }, 'wait'],
    ] as const) {
      const refused = await edit(wrong);
      expect([refused.status, refused.body.message]).toEqual([
        422,
        expect.stringContaining(`call_config.first_speaker.${field}`),
      ]);
    }
  });

  it('store keys, domains and analysis unchanged', async () => {
    const dtmf_input = { digits: 6, timeout: 5, end: '#', reset: '*' };
    const own = 'http://callwright.test';
    expect((await desk.read()).version_details[desk.first]).toMatchObject({
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
      expect((await desk.edit(body)).status).toBe(200);
    }
    expect((await desk.read()).version_details[desk.first]).toMatchObject({
      agent_config: { dtmf_settings: { dtmf_capturing_enabled: true, dtmf_input } },
      whitelisted_domains: ['https://example.com', own],
      client_analysis: {
        context: 'Dental',
        goal_key: 'booked',
        keys: { booked: { type: 'boolean', default: false } },
      },
    });
    expect((await desk.read()).classification_labels).toEqual(['Hot', 'Cold']);
    await desk.edit({ operation: 'edit_dtmf_settings', dtmf_settings: { dtmf_capturing_enabled: false } });
    await desk.edit({ operation: 'edit_client_analysis', keys: {} });
    expect((await desk.read()).version_details[desk.first]).toMatchObject({
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
    const answer = await desk.edit({ operation, ...body });
    expect(answer.status).toBe(422);
    expect(String(answer.body['message'])).toContain(message);
  });

  it('answer 400 for another channel', async () => {
    const answer = await desk.edit({
      operation: 'edit_chat_settings',
      chat_settings: { whatsapp_session: { idle_timeout_minutes: 5 } },
    });
    expect([answer.status, answer.body['code']]).toEqual([400, 'NOT_A_CHAT_AGENT']);
  });
});
