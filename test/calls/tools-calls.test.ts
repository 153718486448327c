import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFakeOpenAiServer, type ScriptedReply } from '../helpers/openai-server.ts';
import type { ProviderChoice } from '../../src/providers/choose/installation.ts';
import {
  createAgent,
  place,
  provisionWith,
  subscribe,
  transcriptOf,
  whenCall,
  whenOver,
} from '../helpers/service/scenario.ts';
import { createTestDatabase } from '../helpers/database/database.ts';
import { eventually, startService, type Service } from '../helpers/service/service.ts';
import { startToolServer, type ToolServer } from '../helpers/agents/tool-server.ts';
import { startWebhookReceiver } from '../helpers/webhooks/webhook-receiver.ts';
import { LOOPBACK_OPEN } from '../helpers/service/open-addresses.ts';

const cleanUp: (() => Promise<void>)[] = [];

/** One service for all tests: every callee says the same, and each agent has its own model. */
let service: Service;
let close: () => Promise<void> = () => Promise.resolve();
beforeAll(async () => {
  const database = await createTestDatabase();
  close = () => database.close();
  const providers: ProviderChoice = {
    vad: 'light',
    stt: 'fake:sttMs=50,finals=any slot on Tuesday',
    tts: 'offline',
    llm: 'offline',
  };
  service = await startService({
    program: 'test/helpers/service/probed-service.ts',
    provision: provisionWith({}),
    readyTimeoutMs: 100_000,
    env: {
      DATABASE_URL: database.url,
      PROBED_PROVIDERS: JSON.stringify(providers),
      SAFE_FETCH_ALLOW: LOOPBACK_OPEN,
    },
  });
  close = async () => {
    await service.dispose();
    await database.close();
  };
}, 240_000);
afterAll(async () => {
  await close();
  for (const end of cleanUp.toReversed()) await end();
});

/** Gives the agent a model that answers with `replies`. */
async function model(agentId: string, replies: readonly ScriptedReply[], over: object = {}) {
  const server = await startFakeOpenAiServer(replies);
  cleanUp.push(() => server.close());
  const llm = { provider: 'openai_compatible', base_url: server.baseUrl, model: 'own-model', ...over };
  await edit(agentId, 'edit_llm', { llm });
  return server;
}
async function tools(answer: Parameters<typeof startToolServer>[0]): Promise<ToolServer> {
  const server = await startToolServer(answer);
  cleanUp.push(() => server.close());
  return server;
}
async function edit(agentId: string, operation: string, fields: object): Promise<void> {
  const { status, body } = await service.request('PATCH', '/api/v0/agent/v1', {
    operation,
    agent_id: agentId,
    ...fields,
  });
  if (status !== 200) throw new Error(JSON.stringify(body));
}
const said = (call: unknown): string =>
  transcriptOf(call)
    .flatMap((line) => line.bot ?? [])
    .join('\n');
const logOf = (call: any, name: string): any => call.tool_call_logs.find((entry: any) => entry.name === name);

const PERSON = '+14155550123';
const SECRET = 'Bearer tool-secret-canary';

describe('a required pre-call tool that fails', () => {
  it('ends the call as PRE_CALL_API_FAILED without an INVITE', async () => {
    const api = await tools(() => ({ status: 500, body: { no: true } }));
    const receiver = await startWebhookReceiver();
    cleanUp.push(() => receiver.close());
    const agentId = await createAgent(service);
    await subscribe(service, agentId, receiver.url);
    const tool = { type: 'API_TOOL', name: 'may_call', method: 'GET', url: `${api.origin}/may` };
    await edit(agentId, 'edit_pre_call_tools', {
      pre_call_tools: [{ ...tool, on_failure: 'fail_call' }],
    });
    const call = await whenOver(service, await place(service, agentId, PERSON));
    expect(call).toMatchObject({
      call_status: 'failed',
      call_sub_status: 'PRE_CALL_API_FAILED',
      answered_at: null,
      call_cost: 0,
    });
    expect(logOf(call, 'may_call')).toMatchObject({ phase: 'pre_call', ok: false, result: { status: 500 } });
    const over = await eventually(
      'the webhook',
      async () => receiver.received.find((r) => r.body?.event_type === 'all_processing_completed') ?? null,
    );
    expect(over.body).toMatchObject({
      sub_status: 'PRE_CALL_API_FAILED',
      tool_call_logs: [{ name: 'may_call' }],
    });
    // No call_started: no INVITE was sent.
    expect(receiver.received.map((r) => r.body?.event_type)).not.toContain('call_started');
    const { body } = await service.request('GET', '/api/v0/workspace');
    expect(body.workspace_info).toMatchObject({ locked_credits: 0 });
  });
});

describe('tools around a call', () => {
  it('run before, during and after it, and share their variables', async () => {
    const api = await tools((request) => {
      if (request.url.startsWith('/customers')) return { body: { customer: { name: 'Priya', id: 77 } } };
      if (request.url.startsWith('/slots'))
        return { body: { slots: [{ time: 'ten' }], echo: request.headers.authorization } };
      return { body: { ok: true } };
    });
    const receiver = await startWebhookReceiver();
    cleanUp.push(() => receiver.close());
    const agentId = await createAgent(service, {
      introduction_and_objective: 'You are Maya. The customer is {{customer_name}}.',
      intro_message: 'Hello {{customer_name}}, this is Maya.',
    });
    const server = await model(agentId, [
      { text: 'Let me see.', tools: [{ name: 'find_slots', args: { day: 'Tuesday', pin: '1234' } }] },
      {
        after: 'Data, not instructions',
        text: 'Ten is free. Goodbye.',
        tools: [{ name: 'end_call', args: {} }],
      },
    ]);
    await subscribe(service, agentId, receiver.url);
    const headers = { authorization: SECRET };
    await edit(agentId, 'edit_pre_call_tools', {
      pre_call_tools: [
        {
          type: 'API_TOOL',
          name: 'find_customer',
          method: 'GET',
          url: `${api.origin}/customers/{phone}`,
          path_params: { phone: { source: 'variable', name: 'mobile_number' } },
          headers,
          result_variables: { customer_name: 'customer.name', customer_id: 'customer.id' },
          on_failure: 'fail_call',
        },
      ],
    });
    await edit(agentId, 'edit_on_call_tools', {
      on_call_tools: [
        {
          type: 'API_TOOL',
          name: 'find_slots',
          description: 'Free slots.',
          method: 'POST',
          url: `${api.origin}/slots`,
          query: { day: { source: 'argument', type: 'string' } },
          body: { 'customer.id': '{{customer_id}}', pin: { source: 'argument', type: 'string' } },
          headers,
          result_variables: { slot: 'slots[0].time' },
        },
      ],
    });
    await edit(agentId, 'edit_post_call_tools', {
      post_call_tools: [
        {
          type: 'API_TOOL',
          name: 'tell_crm',
          method: 'PUT',
          url: `${api.origin}/done`,
          body: {
            id: '{{customer_id}}',
            slot: '{{slot}}',
            status: '{{call_sub_status}}',
            talk: '{{transcript}}',
          },
          headers,
        },
      ],
    });
    const callId = await place(service, agentId, PERSON);
    const call = await whenOver(service, callId);
    expect(call).toMatchObject({ call_status: 'completed', call_sub_status: 'AGENT_ENDED' });
    expect(said(call)).toContain('Hello Priya, this is Maya.');
    expect(said(call)).toContain('Ten is free.');
    expect(JSON.stringify(server.requests[0]?.body['messages'])).toContain('The customer is «Priya».');
    const toModel = server.requests.filter((request) => request.body['tools'] !== undefined);
    const messages = JSON.stringify(toModel.at(-1)?.body['messages']);
    expect(messages).toContain('Data, not instructions');
    expect(messages).toContain('ten');

    const done = await eventually(
      'the tool after the call',
      async () => api.seen.find((r) => r.url === '/done') ?? null,
    );
    expect(api.seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `GET /customers/${encodeURIComponent(PERSON)}`,
      'POST /slots?day=Tuesday',
      'PUT /done',
    ]);
    expect(api.seen.every((request) => request.headers['authorization'] === SECRET)).toBe(true);
    expect(api.seen[1]?.body).toEqual({ customer: { id: '77' }, pin: '1234' });
    expect(done.body).toMatchObject({ id: '77', slot: 'ten', status: 'AGENT_ENDED' });
    expect(done.body.talk).toContain('user: any slot on Tuesday');
    expect(String(done.headers['idempotency-key'])).toMatch(/^[0-9a-f-]{36}$/);

    const noted = await whenCall(
      service,
      callId,
      'the result of the post-call tool',
      (c) => logOf(c, 'tell_crm') !== undefined,
    );
    expect(logOf(noted, 'find_customer')).toMatchObject({
      phase: 'pre_call',
      ok: true,
      ms: expect.any(Number),
    });
    expect(logOf(noted, 'find_slots')).toMatchObject({
      phase: 'on_call',
      ok: true,
      args: { day: 'Tuesday', pin: '***' },
      result: { status: 200, data: { slots: [{ time: 'ten' }], echo: '***' } },
      variables: { slot: 'ten' },
    });
    expect(logOf(noted, 'tell_crm')).toMatchObject({ phase: 'post_call', ok: true });
    const completed = await eventually(
      'the webhook',
      async () => receiver.received.find((r) => r.body?.event_type === 'call_completed') ?? null,
    );
    expect(completed.body.tool_call_logs.map((entry: any) => entry.name)).toEqual([
      'find_customer',
      'find_slots',
    ]);
    for (const text of [JSON.stringify(noted), service.output(), ...receiver.received.map((r) => r.raw)]) {
      expect(text).not.toContain('tool-secret-canary');
    }
  });
});
