import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestAgent, type Answer } from '../../helpers/api/api.ts';
import { insertCampaign } from '../../helpers/campaigns/campaigns.ts';
import { AddressGuard, innerRuleFor } from '../../../src/net/address-guard.ts';
import type { AddressPurpose } from '../../../src/shared/address-rules.ts';
import { INSIDE, toPort, UNSAVABLE } from '../../helpers/api/hostile-addresses.ts';
import { openLibrary, type Library } from '../../helpers/knowledge/knowledge-api.ts';
import { openToAll } from '../../helpers/service/open-addresses.ts';

let library: Library;
let agent: { agentId: string; versionId: string };
beforeAll(async () => {
  const guard = new AddressGuard({ allow: ['10.1.0.0/16', 'hooks.localhost'].flatMap(openToAll) });
  library = await openLibrary(2_147_483_648, { guard });
  agent = await createTestAgent(library.api, library.tenant);
});
afterAll(() => library.close());

const post = (path: string, body: object): Promise<Answer> =>
  library.api.request('POST', `/api/v0${path}`, { key: library.tenant.key, body });
const edit = (operation: string, fields: object): Promise<Answer> =>
  library.api.request('PATCH', '/api/v0/agent/v1', {
    key: library.tenant.key,
    body: { operation, agent_id: agent.agentId, ...fields },
  });
async function start(path: string, list: string, url: string): Promise<Answer> {
  const campaignId = await insertCampaign(library.api, library.tenant, agent);
  const numbers = [library.tenant.numberId];
  return post(path, {
    agent_id: agent.agentId,
    [list]: campaignId,
    from_numbers: numbers,
    callback_url: url,
  });
}
const apiTool = (url: string): object => ({ type: 'API_TOOL', name: 'a', method: 'GET', url });

/** Every operation that accepts a URL of a receiver, page or server: its field, and how to save it. */
const SURFACES: readonly [field: string, where: string, save: (url: string) => Promise<Answer>][] = [
  [
    'event_subscriptions[0].callback_url',
    "an agent's subscription",
    (url) =>
      edit('edit_event_subscriptions', {
        event_subscriptions: [{ event_type: 'call_completed', callback_url: url }],
      }),
  ],
  [
    'callback_url',
    'a test event',
    (url) => post('/webhooks/test', { event_type: 'call_completed', callback_url: url }),
  ],
  [
    'callback_url',
    'a call',
    (url) =>
      post('/calling/v2/outbound/individual', {
        name: 'Sam',
        mobile_number: '+14155550123',
        agent_id: agent.agentId,
        from_number: library.tenant.number,
        callback_url: url,
      }),
  ],
  ['callback_url', 'a campaign', (url) => start('/campaign/start', 'list_id', url)],
  ['callback_url', 'a campaign, newer variant', (url) => start('/campaign/v2/start', 'list_id', url)],
  [
    'urls[0]',
    'a knowledge base',
    (url) =>
      library.form('POST', [
        ['kb_name', 'Clinic'],
        ['urls', JSON.stringify([url])],
      ]),
  ],
  [
    'pre_call_tools[0].url',
    'a tool before a call',
    (url) => edit('edit_pre_call_tools', { pre_call_tools: [apiTool(url)] }),
  ],
  [
    'on_call_tools[0].url',
    'a tool in a call',
    (url) => edit('edit_on_call_tools', { on_call_tools: [{ ...apiTool(url), description: 'Finds.' }] }),
  ],
  [
    'on_call_tools[0].url',
    'an MCP server',
    (url) => edit('edit_on_call_tools', { on_call_tools: [{ type: 'MCP_SERVER', name: 'a', url }] }),
  ],
  [
    'post_call_tools[0].url',
    'a tool after a call',
    (url) => edit('edit_post_call_tools', { post_call_tools: [apiTool(url)] }),
  ],
  [
    'llm.base_url',
    'a model of its own',
    (url) => edit('edit_llm', { llm: { provider: 'openai_compatible', model: 'm', base_url: url } }),
  ],
];

const purposeOf = (field: string): AddressPurpose => {
  if (field === 'llm.base_url') return 'llm';
  if (field.startsWith('urls')) return 'knowledge';
  return field.includes('tools') ? 'tools' : 'webhooks';
};

describe.each(SURFACES)('%s of %s', (field, _where, save) => {
  it.each(UNSAVABLE)('refuses %j', async (template) => {
    const [url = ''] = toPort([template], 5432);
    const answer = await save(url);
    expect([answer.status, answer.body['message']]).toEqual([
      422,
      expect.stringMatching(new RegExp(`^${field.replaceAll(/[[\].]/g, String.raw`\$&`)} must .+`)),
    ]);
    expect(answer.text).not.toContain('pass@');
  });

  it('refuses an inner address in every notation and names SAFE_FETCH_ALLOW', async () => {
    const rule = innerRuleFor(purposeOf(field));
    for (const url of toPort(INSIDE, 5432)) {
      const answer = await save(url);
      expect([url, answer.status, answer.body['message']]).toEqual([url, 422, `${field} ${rule}`]);
    }
    expect(rule).toContain('SAFE_FETCH_ALLOW');
  });

  // A name is checked at connect time, because it resolves later.
  it('accepts an inner address that SAFE_FETCH_ALLOW lists, and names', async () => {
    for (const url of ['http://10.1.2.3:5432/', 'http://hooks.localhost/', 'https://inner.example/']) {
      const answer = await save(url);
      expect([url, answer.status, answer.text]).toEqual([url, 200, answer.text]);
    }
  });
});
