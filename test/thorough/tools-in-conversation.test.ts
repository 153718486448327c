import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFakeStt } from '../../src/offline/scripted/stt.ts';
import { startFakeOpenAiServer, type ScriptedReply } from '../helpers/openai-server.ts';
import { startMcpServer } from '../helpers/agents/mcp-server.ts';
import { edit } from '../helpers/sip/phone-service.ts';
import { createAgent, place, transcriptOf } from '../helpers/service/scenario.ts';
import { startToolServer, type ToolServer } from '../helpers/agents/tool-server.ts';
import { startVirtualService, type VirtualService } from '../rigs/calls/virtual-service.ts';

const cleanUp: (() => Promise<void>)[] = [];

/** Every callee says "any slot on Tuesday"; each agent has its own model. */
let service: VirtualService;
beforeAll(async () => {
  service = await startVirtualService({
    stt: (time) => createFakeStt({ sttMs: 50, finals: ['any slot on Tuesday'], scheduler: time }),
  });
});
afterAll(async () => {
  await service?.close();
  for (const end of cleanUp.toReversed()) await end();
});

/** Gives the agent a model that answers with `replies`. */
async function model(agentId: string, replies: readonly ScriptedReply[], over: object = {}) {
  const server = await startFakeOpenAiServer(replies);
  cleanUp.push(() => server.close());
  const llm = { provider: 'openai_compatible', base_url: server.baseUrl, model: 'own-model', ...over };
  await edit(service, agentId, 'edit_llm', { llm });
  return server;
}
async function tools(answer: Parameters<typeof startToolServer>[0]): Promise<ToolServer> {
  const server = await startToolServer(answer);
  cleanUp.push(() => server.close());
  return server;
}
const said = (call: unknown): string =>
  transcriptOf(call)
    .flatMap((line) => line.bot ?? [])
    .join('\n');
const logOf = (call: any, name: string): any => call.tool_call_logs.find((entry: any) => entry.name === name);

const PERSON = '+14155550123';
const SECRET = 'Bearer tool-secret-canary';

describe('tools in a conversation', () => {
  const keys = { type: 'WAIT_FOR_DTMF_TOOL', name: 'ask_pin', digits: 4, timeout_seconds: 5 };
  const noIdle = { idle_timeout_warning: 0, idle_timeout_end: 20, mute_during_intro: false };

  it('continues without an optional pre-call tool that fails', async () => {
    const api = await tools(() => ({ status: 500, body: { no: true } }));
    const agentId = await createAgent(service);
    await edit(service, agentId, 'edit_pre_call_tools', {
      pre_call_tools: [{ type: 'API_TOOL', name: 'may_call', method: 'GET', url: `${api.origin}/may` }],
    });
    const call = await service.whenOver(await place(service, agentId, PERSON));
    expect(call.answered_at).not.toBeNull();
    expect(logOf(call, 'may_call')).toMatchObject({ ok: false });
  });

  it('sends keys, waits for keys, schedules a callback and survives a tool server that hangs, with the agent’s own model', async () => {
    const api = await tools(() => ({ waitMs: Number.POSITIVE_INFINITY }));
    const agentId = await createAgent(service, { call_config: noIdle });
    const server = await model(
      agentId,
      [
        {
          tools: [
            { name: 'slow', args: {} },
            { name: 'send_keys', args: { digits: '12#' } },
          ],
        },
        {
          after: 'timeout',
          text: 'That did not work.',
          tools: [{ name: 'schedule_callback', args: { when: 'tomorrow at 3 pm' } }],
        },
        { after: 'scheduled', text: 'Your number please.', tools: [{ name: 'ask_pin', args: {} }] },
        { after: 'ask_pin', text: 'Noted. Goodbye.', tools: [{ name: 'end_call', args: {} }] },
      ],
      { api_key: 'sk-canary-own', temperature: 0.7, max_tokens: 123 },
    );
    await edit(service, agentId, 'edit_query_phrases', {
      pre_query_response_phrases: ['Let me check that.'],
      pre_query_phrase_probability: 1,
    });
    await edit(service, agentId, 'edit_on_call_tools', {
      on_call_tools: [
        {
          type: 'API_TOOL',
          name: 'slow',
          description: 'x',
          method: 'GET',
          url: `${api.origin}/x`,
          timeout_seconds: 2,
        },
        { type: 'DTMF_TOOL' },
        keys,
        { type: 'SCHEDULE_CALLBACK_TOOL', description: 'When they are busy.' },
      ],
    });
    const callId = await place(service, agentId, PERSON);
    const call = await service.whenOver(callId);
    expect(call).toMatchObject({ call_status: 'completed', call_sub_status: 'AGENT_ENDED' });
    expect(said(call)).toContain('Let me check that.');
    expect(said(call)).toContain('That did not work.');
    expect(logOf(call, 'slow')).toMatchObject({ ok: false, result: { error: 'timeout' } });
    expect(logOf(call, 'slow').ms).toBeGreaterThan(1900);
    expect(api.seen.map(({ headers }) => headers['idempotency-key'])).toEqual([
      expect.stringMatching(new RegExp(`^${callId}-1-\\d+-[0-9a-f]{16}$`)),
    ]);
    expect(logOf(call, 'send_keys')).toMatchObject({ ok: true, result: { status: 'sent' } });
    expect(logOf(call, 'ask_pin')).toMatchObject({ ok: false });
    const scheduled = logOf(call, 'schedule_callback');
    expect(scheduled).toMatchObject({ ok: true, result: { status: 'scheduled' } });
    expect(new Date(scheduled.result.at).getUTCHours()).toBe(15);
    const [request] = server.requests;
    expect(request?.authorization).toBe('Bearer sk-canary-own');
    expect(request?.body).toMatchObject({ model: 'own-model', temperature: 0.7, max_tokens: 123 });
    expect(JSON.stringify(request?.body['tools'])).toContain('When they are busy.');
    expect(service.output()).not.toContain('sk-canary-own');
  });

  it('uses an MCP server’s tool, and the model goes on with its result', async () => {
    const mcp = await startMcpServer();
    cleanUp.push(() => mcp.close());
    const agentId = await createAgent(service, { call_config: noIdle });
    const server = await model(agentId, [
      { text: 'One moment.', tools: [{ name: 'crm_find', args: { phone: PERSON } }] },
      {
        after: 'a customer since May',
        text: 'You are with us since May, Priya. Goodbye.',
        tools: [{ name: 'end_call', args: {} }],
      },
    ]);
    await edit(service, agentId, 'edit_on_call_tools', {
      on_call_tools: [
        {
          type: 'MCP_SERVER',
          name: 'crm',
          url: mcp.url,
          headers: { authorization: SECRET },
          allowed_tools: ['find'],
        },
      ],
    });
    const call = await service.whenOver(await place(service, agentId, PERSON));
    expect(call).toMatchObject({ call_status: 'completed', call_sub_status: 'AGENT_ENDED' });
    expect(mcp.calls).toEqual([{ name: 'find', args: { phone: PERSON }, authorization: SECRET }]);
    expect(logOf(call, 'crm_find')).toMatchObject({
      phase: 'on_call',
      ok: true,
      result: { text: 'Priya, a customer since May.' },
    });
    const toModel = server.requests.filter((request) => request.body['tools'] !== undefined);
    const offered = JSON.stringify(toModel[0]?.body['tools']);
    expect([offered.includes('crm_find'), offered.includes('crm_hang')]).toEqual([true, false]);
    expect(JSON.stringify(toModel.at(-1)?.body['messages'])).toContain('a customer since May');
    expect(said(call)).toContain('since May');
    expect(service.output() + JSON.stringify(call)).not.toContain('tool-secret-canary');
  });
});
