import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rms } from '@callwright/audio';
import { FakePlivoApi, type FakePlivoAccount, type FakePlivoCall } from '@callwright/stand-ins';
import { LOOPBACK_OPEN } from '../helpers/service/open-addresses.ts';
import { createAgent, place, transcriptOf, whenCall, whenOver } from '../helpers/service/scenario.ts';
import { eventually, type Service } from '../helpers/service/service.ts';
import {
  attachNumber,
  edit,
  inboundCalls,
  newInbound,
  startPhoneService,
} from '../helpers/sip/phone-service.ts';

const CALLER = '+14155550188';
const DESK = '+14155550111';
const ONCE = { call_config: { call_retry_config: { retry_count: 0 } } };
const ACCOUNTS = {
  plivo: { kind: 'plivo', authId: 'MAPLIVO', authToken: 'token-of-plivo' },
  vobiz: { kind: 'vobiz', authId: 'MA_VOBIZ', authToken: 'token-of-vobiz' },
} as const satisfies Record<string, FakePlivoAccount>;
const NUMBERS = { plivo: '+14155550100', vobiz: '+14155550101' };
const APIS = { plivo: new FakePlivoApi(ACCOUNTS.plivo), vobiz: new FakePlivoApi(ACCOUNTS.vobiz) };
const KINDS = ['plivo', 'vobiz'] as const;
const RING_SECONDS = 15;

let service: Service;
let agentId = '';
const trunkIds: Record<string, string> = {};
let close: () => Promise<void> = () => Promise.resolve();
beforeAll(async () => {
  const trunks = await Promise.all(
    KINDS.map(async (kind) => {
      const { authId: username, authToken: password } = ACCOUNTS[kind];
      return { name: kind, kind, uri: await APIS[kind].listen(), username, password };
    }),
  );
  const lines = KINDS.map((kind) => ({ number: NUMBERS[kind], trunk: kind }));
  ({ service, close } = await startPhoneService(trunks, lines, {
    SAFE_FETCH_ALLOW: LOOPBACK_OPEN,
    RING_TIMEOUT_SECONDS: String(RING_SECONDS),
  }));
  agentId = await createAgent(service, {
    intro_message: 'Hello, this is Maya.',
    task: ['1. Ask "What is your customer number?"', '2. Ask "What is your postal code?"'].join('\n'),
    call_config: { mute_during_intro: false, idle_timeout_warning: 20, idle_timeout_end: 40 },
  });
  await edit(service, agentId, 'edit_on_call_tools', {
    on_call_tools: [{ type: 'CALL_TRANSFER_TOOL', name: 'to_desk', transfer_to: DESK }],
  });
  for (const kind of KINDS) await attachNumber(service, agentId, NUMBERS[kind]);
  const { body } = await service.request('GET', '/api/v0/workspace/trunks');
  for (const { name, trunk_id: id } of body.trunks) trunkIds[name] = id;
});
afterAll(async () => {
  await close();
  await Promise.all(KINDS.map((kind) => APIS[kind].close()));
});

const isVoice = (frame: Int16Array | null): boolean => frame !== null && rms(frame) > 100;
const streamOf = async (call: FakePlivoCall) =>
  (await eventually('the stream', async () => call.stream)).stream;
const agentSpoke = async (call: FakePlivoCall, frames = 30): Promise<number> => {
  const stream = await streamOf(call);
  return eventually('the agent to have spoken and to wait', async () => {
    const voiced = stream.heard.filter(isVoice).length;
    return voiced >= frames && !stream.heard.slice(-30).some(isVoice) ? voiced : null;
  });
};
async function dial(kind: (typeof KINDS)[number]): Promise<{ callId: string; call: FakePlivoCall }> {
  const before = APIS[kind].calls.length;
  const callId = await place(service, agentId, CALLER, { ...ONCE, from_number: NUMBERS[kind] });
  const call = await eventually('the place request', async () => APIS[kind].calls[before] ?? null);
  return { callId, call };
}

describe.each(KINDS)('calls over %s', (kind) => {
  const api = APIS[kind];

  it('come in, with keys, disorder and chunks of 100 ms, until the caller hangs up', async () => {
    Object.assign(api.settings, { stream: { chunkMs: 100, jitterMs: 40, swapEvery: 7, duplicates: true } });
    const before = await inboundCalls(service);
    const webhook = `${service.url}/carriers/${trunkIds[kind]}/voice`;
    const call = await api.dialIn(webhook, CALLER.slice(1), NUMBERS[kind].slice(1));
    const callId = await newInbound(service, before);
    const voiced = await agentSpoke(call);
    for (const digit of ['4', '2', '#']) (await streamOf(call)).press(digit);
    await agentSpoke(call, voiced + 20);
    await api.hangUp(call);
    const over = await whenOver(service, callId);
    expect(over).toMatchObject({
      call_direction: 'inbound',
      call_sub_status: 'USER_LEFT',
      hangup_by: 'caller',
      from_number: CALLER,
      to_number: NUMBERS[kind],
    });
    expect(transcriptOf(over).flatMap((line: any) => (line.by === 'keypad' ? [line.user] : []))).toEqual([
      '42',
    ]);
    expect((await streamOf(call)).errors).toEqual([]);
    const stranger = new FakePlivoApi({ ...ACCOUNTS[kind], authToken: 'another' });
    await expect(stranger.dialIn(webhook, CALLER, NUMBERS[kind])).rejects.toThrow('answered 403');
  });

  it('are placed and answered, and ended by a user', async () => {
    Object.assign(api.settings, { callee: 'answers', duplicates: true, stream: {} });
    const { callId, call } = await dial(kind);
    expect([call.order['from'], call.order['to']]).toEqual([NUMBERS[kind].slice(1), CALLER.slice(1)]);
    await agentSpoke(call);
    await service.request('POST', `/api/v0/calling/${callId}/hangup`, {});
    const over = await whenOver(service, callId);
    expect(over).toMatchObject({ call_status: 'completed', call_sub_status: 'USER_TERMINATED' });
    expect(transcriptOf(over)[0]).toMatchObject({ bot: 'Hello, this is Maya.' });
    await eventually('the end at the carrier', async () => (call.status === 'completed' ? true : null));
  });

  it('end at the carrier when a user hangs up while they ring', async () => {
    Object.assign(api.settings, { callee: 'rings' });
    const { callId, call } = await dial(kind);
    await whenCall(service, callId, 'ringing', ({ call_sub_status: now }) => now === 'RINGING');
    await service.request('POST', `/api/v0/calling/${callId}/hangup`, {});
    expect(await whenOver(service, callId)).toMatchObject({
      call_sub_status: 'USER_TERMINATED',
      call_cost: 0,
    });
    await eventually('the end at the carrier', async () => (call.status === 'cancel' ? true : null));
  });

  it.each([
    ['busy', '', 'BUSY'],
    ['fails', '2000', 'NOT_ABLE_TO_CALL'],
    ['fails', '5010', 'FAILED'],
  ] as const)('that %s, with the cause "%s", are settled as %s', async (callee, code, subStatus) => {
    Object.assign(api.settings, { callee, hangupCauseCode: code });
    const { callId } = await dial(kind);
    expect(await whenOver(service, callId)).toMatchObject({
      call_status: 'failed',
      call_sub_status: subStatus,
      call_cost: 0,
    });
  });

  it('are given to another party when a caller asks for it', async () => {
    Object.assign(api.settings, { stream: {} });
    const before = await inboundCalls(service);
    const webhook = `${service.url}/carriers/${trunkIds[kind]}/voice`;
    const call = await api.dialIn(webhook, CALLER, NUMBERS[kind]);
    const callId = await newInbound(service, before);
    await agentSpoke(call);
    (await streamOf(call)).press('0');
    expect(await whenOver(service, callId)).toMatchObject({ call_sub_status: 'CALL_TRANSFERRED' });
    expect(call.redirect).toContain(`<Dial callerId="${NUMBERS[kind]}"`);
    expect(call.redirect).toContain(`<Number>${DESK}</Number>`);
  });

  it('that nobody answers end with the time of ringing, at the carrier too', async () => {
    Object.assign(api.settings, { callee: 'rings' });
    const { callId, call } = await dial(kind);
    expect(call.order['ring_timeout']).toBe(RING_SECONDS);
    expect(await whenOver(service, callId)).toMatchObject({ call_sub_status: 'NO_ANSWER', call_cost: 0 });
    await eventually('the end at the carrier', async () => (call.status === 'ringing' ? null : true));
  });

  it('go to another party by a key, and the agent leaves', async () => {
    Object.assign(api.settings, { callee: 'answers' });
    const { callId, call } = await dial(kind);
    await agentSpoke(call);
    (await streamOf(call)).press('0');
    expect(await whenOver(service, callId)).toMatchObject({ call_sub_status: 'CALL_TRANSFERRED' });
    expect(call.redirect).toContain(`<Dial callerId="${NUMBERS[kind]}"`);
    expect(call.redirect).toContain(`<Number>${DESK}</Number>`);
  });
});
