import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sleep } from '../helpers/sip/rtp-bench.ts';
import { createAgent, provisionWith, transcriptOf, whenOver } from '../helpers/service/scenario.ts';
import { eventually, startService, type Service } from '../helpers/service/service.ts';
import { openPage, publicKeyOf, WebCaller } from '../helpers/browser/web-caller.ts';
import { parseWav } from '@callwright/audio';

let service: Service;
let agentId: string;
let key: string;
beforeAll(async () => {
  service = await startService({
    env: { RATE_LIMIT_WEBCALL_ADDRESS: '0' },
    provision: provisionWith({}),
  });
  agentId = await createAgent(service, {
    intro_message: 'Hello @{{callee_name}}, this is Maya.',
    task: [
      '1. Ask "What is your customer number?"',
      '2. Ask "Can you make it on Tuesday?"',
      '3. Thank them and say goodbye.',
    ].join('\n'),
    call_config: { mute_during_intro: false, idle_timeout_warning: 20, idle_timeout_end: 40 },
  });
  key = await publicKeyOf(service, agentId);
});
afterAll(async () => {
  await service?.dispose();
});

const begin = async (): Promise<{ callId: string; token: string; wsUrl: string }> => {
  const { status, body } = await openPage(service.url, key, agentId, { args: { callee_name: 'Priya' } });
  expect([status, body]).toMatchObject([200, {}]);
  return { callId: body.call_id, token: body.token, wsUrl: body.ws_url };
};
const connect = ({ wsUrl, token }: { wsUrl: string; token: string }): Promise<WebCaller> =>
  WebCaller.connect(wsUrl, token, service.url);
const quiet = new Int16Array(0);

describe('a browser call', () => {
  it('takes typed words and keys as turns, is recorded at 16 kHz, and ends when the caller hangs up', async () => {
    const page = await begin();
    const caller = await connect(page);
    caller.speak(quiet);
    await caller.line(/^agent: Hello Priya, this is Maya\./);
    caller.send({ type: 'text', text: 'hello, what do you need?' });
    await caller.line(/^agent: .*customer number/);
    for (const digit of ['4', '2', '#']) caller.send({ type: 'dtmf', digit });
    await caller.line(/^agent: .*Tuesday/);
    caller.send({ type: 'text', text: 'yes' });
    await caller.line(/^caller: yes/);
    await eventually('the agent to answer', async () =>
      caller.lines.at(-1)?.startsWith('agent: ') ? true : null,
    );
    caller.send({ type: 'hangup' });
    await caller.closed();

    const call = await whenOver(service, page.callId);
    expect(call).toMatchObject({
      call_type: 'webcall',
      call_direction: 'inbound',
      call_status: 'completed',
      from_number: '',
      to_number: '',
      custom_args_values: { callee_name: 'Priya' },
    });
    expect(['USER_LEFT', 'AGENT_ENDED']).toContain(call.call_sub_status);
    const by = transcriptOf(call).map((line: any) => [line.by, line.user]);
    expect(by).toContainEqual(['keypad', '42']);
    expect(by).toContainEqual(['text', 'yes']);
    const history = await service.request('GET', '/api/v0/calling/history?call_type=webcall');
    expect(history.body.calls).toMatchObject([{ call_id: page.callId, call_type: 'webcall' }]);
    const recording = await eventually('the recording', async () => {
      const response = await fetch(call.recording_url);
      return response.ok ? Buffer.from(await response.arrayBuffer()) : null;
    });
    const wav = parseWav(recording);
    expect(wav).toMatchObject({ ok: true, sampleRate: 16_000, channels: 2 });
    const { body } = await service.request('GET', '/api/v0/workspace');
    expect(body.workspace_info).toMatchObject({ locked_credits: 0 });
    expect(call.call_cost).toBeGreaterThan(0);
  });

  it('of a session greets its visitor by the name that the server gave, whatever the page sends', async () => {
    const { body } = await service.request('POST', '/api/v0/calling/webcall/session', {
      agent_id: agentId,
      custom_args_values: { callee_name: 'Priya' },
    });
    const mallory = { callee_name: 'Mallory' };
    const caller = await connect({ wsUrl: body.ws_url, token: body.token });
    caller.speak(quiet);
    for (const type of ['variables', 'start', 'ready']) {
      caller.send({ type, variables: mallory, custom_args_values: mallory, args: mallory });
    }
    await caller.line(/^agent: Hello Priya, this is Maya\./);
    caller.send({ type: 'hangup' });
    await caller.closed();
    const call = await whenOver(service, body.call_id);
    expect(call.custom_args_values).toEqual({ callee_name: 'Priya' });
    expect(JSON.stringify(call)).not.toContain('Mallory');
  });

  it('survives a cut connection, speaks the rest, and refuses a used token on the way', async () => {
    const page = await begin();
    const caller = await connect(page);
    caller.speak(quiet);
    await eventually('the agent to speak', async () => (caller.frames.length > 5 ? true : null));
    const [ready] = caller.of('ready');
    caller.cut();
    await expect(connect(page)).rejects.toThrow('refused with 401');
    await expect(connect({ ...page, token: `${page.callId}.${'A'.repeat(32)}` })).rejects.toThrow('401');
    await sleep(1_000);
    const back = await connect({ ...page, token: ready!.resume });
    back.speak(quiet);
    await expect(connect({ ...page, token: ready!.resume })).rejects.toThrow('refused with 401');
    await back.line(/Maya/);
    back.send({ type: 'hangup' });
    await back.closed();
    const call = await whenOver(service, page.callId);
    expect(call).toMatchObject({
      call_status: 'completed',
      call_sub_status: 'USER_LEFT',
      hangup_by: 'caller',
    });
  });

  it('ends five seconds after its connection was cut for good', async () => {
    const page = await begin();
    const caller = await connect(page);
    await eventually('the agent to speak', async () => (caller.frames.length > 5 ? true : null));
    const [ready] = caller.of('ready');
    caller.cut();
    const call = await whenOver(service, page.callId);
    expect(call).toMatchObject({
      call_status: 'completed',
      call_sub_status: 'USER_LEFT',
      hangup_by: 'system',
    });
    await expect(connect({ ...page, token: ready!.resume })).rejects.toThrow('refused with 404');
  });

  it('is told to drop audio when typed words interrupt the agent, and is hung up by the API', async () => {
    const page = await begin();
    const caller = await connect(page);
    caller.speak(quiet);
    await eventually('the agent to speak', async () => (caller.frames.length > 10 ? true : null));
    caller.send({ type: 'text', text: 'Wait, who are you?' });
    await eventually('clear', async () => (caller.of('clear').length > 0 ? true : null));
    const { status } = await service.request('POST', `/api/v0/calling/${page.callId}/hangup`);
    expect(status).toBe(200);
    await caller.closed();
    expect(caller.of('ended')).toEqual([{ type: 'ended', reason: 'USER_TERMINATED' }]);
    const call = await whenOver(service, page.callId);
    expect(call).toMatchObject({ call_sub_status: 'USER_TERMINATED' });
  });

  it('closes a connection that sends no messages of the protocol, and goes on when it comes back', async () => {
    const page = await begin();
    const caller = await connect(page);
    const [ready] = await eventually('ready', async () =>
      caller.of('ready').length > 0 ? caller.of('ready') : null,
    );
    for (let n = 0; n < 60; n++) caller.sendRaw(Buffer.alloc(7));
    expect(await caller.closed()).toBe(1008);
    const back = await connect({ ...page, token: ready!.resume });
    back.speak(quiet);
    await back.line(/Maya/);
    back.send({ type: 'hangup' });
    await back.closed();
    await whenOver(service, page.callId);
  });

  it('refuses a token from a page of another origin without using it up', async () => {
    const page = await begin();
    await expect(WebCaller.connect(page.wsUrl, page.token, 'https://thief.example')).rejects.toThrow('403');
    const caller = await connect(page);
    caller.send({ type: 'hangup' });
    await caller.closed();
  });
});
