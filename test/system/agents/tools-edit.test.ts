import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAgentDesk, type AgentDesk } from '../../helpers/agents/agent-api.ts';

let desk: AgentDesk;
beforeAll(async () => {
  desk = await openAgentDesk();
  const limits = { transfer_hosts: ['pbx.example.com'], denied_destinations: ['CU'] };
  await sql`update workspaces set settings = settings || ${JSON.stringify({ limits })}::jsonb`.execute(
    desk.api.db,
  );
});
afterAll(() => desk.api.close());

/** The stored version. */
async function stored(): Promise<string> {
  const row = await desk.api.db
    .selectFrom('agent_versions')
    .select('config')
    .where('agent_id', '=', desk.agentId)
    .executeTakeFirstOrThrow();
  return JSON.stringify(row.config);
}

const SECRET = 'Bearer abcdefghijklmnop';
const slots = {
  type: 'API_TOOL',
  name: 'find_slots',
  description: 'Free slots of a day.',
  method: 'GET',
  url: 'https://api.example.com/v1/clinics/{clinic}/slots',
  path_params: { clinic: '17' },
  query: {
    day: { source: 'argument', type: 'string', description: 'The day asked for.' },
    phone: { source: 'variable', name: 'mobile_number' },
    limit: 3,
  },
  headers: { authorization: SECRET, 'x-lang': 'en' },
  timeout_seconds: 5,
  result_variables: { slot: 'slots[0].time' },
};
const lookup = {
  type: 'API_TOOL',
  name: 'find_customer',
  method: 'POST',
  url: 'https://api.example.com/customers',
  body: { 'customer.phone': '{{mobile_number}}', api_key: 'k-123456789' },
  on_failure: 'fail_call',
};
const every = [
  slots,
  {
    type: 'MCP_SERVER',
    name: 'crm',
    url: 'https://mcp.example.com/mcp',
    headers: { 'x-api-key': 'k-987654321' },
    allowed_tools: ['find'],
  },
  { type: 'END_CALL_TOOL', description: 'When all is said.' },
  { type: 'OPT_OUT_TOOL' },
  { type: 'SCHEDULE_CALLBACK_TOOL' },
  { type: 'DTMF_TOOL', name: 'press_menu', digits: '12#' },
  { type: 'WAIT_FOR_DTMF_TOOL', digits: 4, timeout_seconds: 6, end: '#' },
  {
    type: 'CALL_TRANSFER_TOOL',
    name: 'to_desk',
    transfer_to: '+14155550111',
    mode: 'cold',
    ring_timeout_seconds: 20,
  },
  { type: 'CALL_TRANSFER_TOOL', name: 'to_pbx', transfer_to: 'sip:desk@pbx.example.com' },
  {
    type: 'CALL_TRANSFER_TOOL',
    name: 'to_person',
    transfer_to: '+14155550111',
    mode: 'warm',
    briefing: 'This is {{callee_name}}.',
  },
];
const masked = { ...slots, headers: { authorization: 'Bear***', 'x-lang': 'en' } };

describe('tools of an agent', () => {
  it('are stored per phase, returned as sent and replace the list; secrets are sealed and masked', async () => {
    expect(
      (await desk.accepted({ operation: 'edit_on_call_tools', on_call_tools: every })).on_call_tools,
    ).toEqual([masked, { ...every[1], headers: { 'x-api-key': 'k-98***' } }, ...every.slice(2)]);
    const pre = (await desk.accepted({ operation: 'edit_pre_call_tools', pre_call_tools: [lookup] }))
      .pre_call_tools;
    expect(pre).toEqual([{ ...lookup, body: { ...lookup.body, api_key: 'k-12***' } }]);
    const post = { ...lookup, on_failure: undefined };
    expect(
      (await desk.accepted({ operation: 'edit_post_call_tools', post_call_tools: [post] })).post_call_tools,
    ).toHaveLength(1);
    const text = await stored();
    for (const secret of [SECRET, 'k-123456789', 'k-987654321']) expect(text).not.toContain(secret);
    expect(
      (await desk.accepted({ operation: 'edit_post_call_tools', post_call_tools: [] })).post_call_tools,
    ).toEqual([]);
  });

  it('keep a masked secret for the same server only', async () => {
    await desk.accepted({ operation: 'edit_on_call_tools', on_call_tools: [slots] });
    const before = await stored();
    await desk.accepted({ operation: 'edit_on_call_tools', on_call_tools: [masked] });
    expect(await stored()).toBe(before);
    const elsewhere = { ...masked, url: 'https://thief.example.net/{clinic}' };
    const answer = await desk.edit({ operation: 'edit_on_call_tools', on_call_tools: [elsewhere] });
    expect([answer.status, answer.body['message']]).toEqual([
      422,
      'on_call_tools[0].headers.authorization is masked and no stored value of this server fits it; send the real value',
    ]);
    expect(await stored()).toBe(before);
  });

  it.each<[object, string]>([
    [
      { ...slots, type: 'OTHER_TOOL' },
      'on_call_tools[0].type must be one of API_TOOL, MCP_SERVER, END_CALL_TOOL',
    ],
    [{ name: 'x' }, 'on_call_tools[0].type'],
    [{ ...slots, url: undefined }, 'on_call_tools[0].url is required'],
    [{ ...slots, description: undefined }, 'on_call_tools[0].description is required'],
    [{ ...slots, on_failure: 'continue' }, 'on_call_tools[0].on_failure is not a known field'],
    [{ ...slots, name: 'Find Slots' }, 'on_call_tools[0].name must be 1 to 64 lower-case letters'],
    [{ ...slots, name: 'end_call' }, 'on_call_tools[0].name is the name of a built-in tool'],
    [{ ...slots, method: 'TRACE' }, 'on_call_tools[0].method must be one of GET'],
    [{ ...slots, url: 'ftp://x/{clinic}' }, 'on_call_tools[0].url must be an http or https URL'],
    [{ ...slots, url: 'https://u:p@x/{clinic}' }, 'on_call_tools[0].url must not carry a user name'],
    [{ ...slots, url: 'https://{clinic}.example.com/' }, 'on_call_tools[0].url must'],
    [{ ...slots, url: 'https://{{host}}/{clinic}' }, 'on_call_tools[0].url must'],
    [
      { ...slots, url: 'https://x.example/{other}' },
      'on_call_tools[0].path_params.other is required by the url',
    ],
    [{ ...slots, url: 'https://x.example/' }, 'on_call_tools[0].path_params.clinic has no place in the url'],
    [{ ...slots, query: { day: { source: 'model' } } }, 'on_call_tools[0].query.day must be a text'],
    [{ ...slots, headers: { 'a b': 'x' } }, 'on_call_tools[0].headers must have valid HTTP header names'],
    [{ ...slots, headers: { a: 'x\r\nb: c' } }, 'on_call_tools[0].headers.a must be a header value'],
    [{ ...slots, body: { a: 1 } }, 'on_call_tools[0].body must be left out for GET'],
    [{ ...slots, timeout_seconds: 11 }, 'on_call_tools[0].timeout_seconds must be at most 10'],
    [
      { ...slots, method: 'POST', body: { x: { source: 'argument', type: 'string', name: 'day' } } },
      'on_call_tools[0].body.x has the name of another argument: day',
    ],
    [
      { type: 'CALL_TRANSFER_TOOL', transfer_to: '911' },
      'on_call_tools[0].transfer_to must be a phone number',
    ],
    [
      { type: 'CALL_TRANSFER_TOOL', transfer_to: '+19005550123' },
      'on_call_tools[0].transfer_to is a premium',
    ],
    [
      { type: 'CALL_TRANSFER_TOOL', transfer_to: '+14155550111', mode: 'hot' },
      'on_call_tools[0].mode must be one of cold, warm, auto',
    ],
    [
      { type: 'CALL_TRANSFER_TOOL', transfer_to: 'sips:desk@pbx.example.com', mode: 'warm' },
      'on_call_tools[0].transfer_to must begin with sip: for a warm transfer',
    ],
    [
      { type: 'CALL_TRANSFER_TOOL', transfer_to: '+5352123456' },
      'on_call_tools[0].transfer_to is a destination that the workspace does not dial',
    ],
    [
      { type: 'CALL_TRANSFER_TOOL', transfer_to: 'sip:%2B5352123456@pbx.example.com' },
      'on_call_tools[0].transfer_to is a destination that the workspace does not dial',
    ],
    [
      { type: 'CALL_TRANSFER_TOOL', transfer_to: 'sip:00881612345678@pbx.example.com', mode: 'warm' },
      'on_call_tools[0].transfer_to is a premium',
    ],
    [
      { type: 'CALL_TRANSFER_TOOL', transfer_to: 'sip:desk@sip.example.net' },
      'on_call_tools[0].transfer_to must have a host that is a trunk of the workspace or in limits.transfer_hosts',
    ],
    [{ type: 'DTMF_TOOL', digits: '12x' }, 'on_call_tools[0].digits must be 1 to 32 keys'],
    [{ type: 'WAIT_FOR_DTMF_TOOL', digits: 0 }, 'on_call_tools[0].digits must be at least 1'],
    [{ type: 'END_CALL_TOOL', name: 'x' }, 'on_call_tools[0].name is not a known field'],
    [{ type: 'MCP_SERVER', name: 'crm', url: 'x' }, 'on_call_tools[0].url must be an http or https URL'],
  ])('reject %j: %s', async (tool, message) => {
    const before = await stored();
    const answer = await desk.edit({ operation: 'edit_on_call_tools', on_call_tools: [tool] });
    expect(answer.status).toBe(422);
    expect(answer.body['message']).toContain(message);
    expect(await stored()).toBe(before);
  });

  it('reject duplicate names, arguments outside of calls, and non-lists', async () => {
    const answers = await Promise.all([
      desk.edit({ operation: 'edit_on_call_tools', on_call_tools: [slots, slots] }),
      desk.edit({ operation: 'edit_pre_call_tools', pre_call_tools: [{ ...slots, on_failure: 'continue' }] }),
      desk.edit({ operation: 'edit_pre_call_tools' }),
      desk.edit({ operation: 'edit_post_call_tools', post_call_tools: 'x' }),
      desk.edit({ operation: 'edit_post_call_tools', post_call_tools: [lookup] }),
    ]);
    expect(answers.map(({ status, body }) => [status, body['message']])).toEqual([
      [422, 'on_call_tools[1].name is also the name of another tool'],
      [422, 'pre_call_tools[0].query.day must not be an argument: no model is involved here'],
      [422, 'pre_call_tools is required'],
      [422, 'post_call_tools must be an array'],
      [422, 'post_call_tools[0].on_failure is not a known field'],
    ]);
  });
});

describe('edit_llm', () => {
  const own = {
    provider: 'openai_compatible',
    base_url: 'https://llm.example.com/v1',
    model: 'tiny',
    api_key: 'sk-secret-1',
  };
  it('stores an own server with a sealed and masked key, and returns to the default', async () => {
    const { agent_config: set } = await desk.accepted({
      operation: 'edit_llm',
      llm: { ...own, temperature: 0.5 },
    });
    expect(set.llm).toEqual({
      ...own,
      api_key: 'sk-s***',
      temperature: 0.5,
      max_tokens: null,
      on_model_failure: 'apologise',
    });
    const before = await stored();
    expect(before).not.toContain('sk-secret-1');
    await desk.accepted({ operation: 'edit_llm', llm: { ...own, api_key: 'sk-s***', temperature: 0.5 } });
    expect(await stored()).toBe(before);
    const { agent_config: back } = await desk.accepted({
      operation: 'edit_llm',
      llm: { provider: 'default', max_tokens: 200, on_model_failure: 'script' },
    });
    expect(back.llm).toMatchObject({
      provider: 'default',
      max_tokens: 200,
      api_key: null,
      on_model_failure: 'script',
    });
  });

  it.each<[object, string]>([
    [{ provider: 'other' }, 'llm.provider must be one of default, openai_compatible'],
    [{ provider: 'default', model: 'big' }, 'llm.model is only for the provider openai_compatible'],
    [
      { provider: 'openai_compatible', model: 'x' },
      'llm.base_url is required for the provider openai_compatible',
    ],
    [{ ...own, model: undefined }, 'llm.model is required for the provider openai_compatible'],
    [{ ...own, base_url: 'file:///etc' }, 'llm.base_url must be an http or https URL'],
    [{ ...own, api_key: 'sk-s***', base_url: 'https://thief.example.net' }, 'llm.api_key is masked'],
    [{ ...own, temperature: 3 }, 'llm.temperature must be at most 2'],
    [{ ...own, top_p: 1 }, 'llm.top_p is not a known field'],
  ])('rejects %j: %s', async (llm, message) => {
    const answer = await desk.edit({ operation: 'edit_llm', llm });
    expect(answer.status).toBe(422);
    expect(answer.body['message']).toContain(message);
  });
});
