import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFakeLlm } from '../../../src/offline/scripted/llm.ts';
import type { LlmProvider } from '../../../src/providers/ports/model.ts';
import { createAgent, place } from '../../helpers/service/scenario.ts';
import { startVirtualService, type VirtualService } from '../../rigs/calls/virtual-service.ts';

const PERSON = '+14155550123';
const DESK = '+14155550111';
const BUSY = '+14155550112';
let service: VirtualService;
let agentId = '';
const asked: string[] = [];
beforeAll(async () => {
  let llm: LlmProvider | null = null;
  // The model needs the service's time, which exists only later.
  const later: LlmProvider = {
    name: 'fake',
    open: (context) => {
      llm ??= createFakeLlm({
        llmMs: 100,
        scheduler: service.time,
        replies: ['Certainly, I will note that.'],
        onRequest: ({ history }) => void asked.push(JSON.stringify(history)),
      });
      return llm.open(context);
    },
    close: () => Promise.resolve(),
  };
  service = await startVirtualService({ llm: later });
  agentId = await createAgent(service, {
    intro_message: 'Hello, this is Maya. Can you make it on Tuesday?',
    call_config: { idle_timeout_warning: 0, idle_timeout_end: 60 },
  });
});
afterAll(() => service?.close());

const control = (callId: string, body: object) =>
  service.request('POST', `/api/v0/calling/${callId}/control`, body);
const hasNotice = (callId: string, code: string) =>
  service.sees(callId, code, (event) => event.type === 'notice' && event.code === code);

describe('control of a live call', () => {
  it('whispers, says, silences and gives back, and the record says whose words they were', async () => {
    const calls = service.carrier.phone(PERSON);
    const callId = await place(service, agentId, PERSON);
    await service.hasSaid(callId, /Tuesday/);
    const person = calls.at(-1)!;
    expect(await control(callId, { operation: 'whisper', text: ' Offer ten. ' })).toMatchObject({
      status: 200,
      body: { data: { call_id: callId } },
    });
    await hasNotice(callId, 'WHISPERED');
    person.press('1');
    await service.hasSaid(callId, /note that/);
    expect(asked.at(-1)).toContain('{"role":"note","text":"Offer ten."}');

    expect((await control(callId, { operation: 'say', text: 'We close at six.' })).status).toBe(200);
    await service.hasSaid(callId, /close at six/);

    expect((await control(callId, { operation: 'take_over' })).status).toBe(200);
    await hasNotice(callId, 'TAKEN_OVER');
    const before = asked.length;
    person.press('2');
    await service.sees(
      callId,
      'the key as a line',
      ({ type, line }) => type === 'line' && line.role === 'caller' && line.text === '2',
    );
    await service.time.advance(5_000);
    expect(asked).toHaveLength(before);
    expect((await control(callId, { operation: 'hand_back' })).status).toBe(200);
    await service.time.until('the agent to ask its model again', () => asked.length > before);
    expect(asked.at(-1)).toContain('"by":"person"');
    person.hangUp();
    const call = await service.whenOver(callId);
    const ofPerson = call.transcript.filter(({ role }: { role: string }) => role === 'person');
    expect(ofPerson).toEqual([
      expect.objectContaining({ text: 'We close at six.', author: expect.stringMatching(/./) }),
    ]);
    const { body } = await service.request('GET', '/api/v0/workspace/audit-log');
    const operations = body.entries
      .filter(({ action }: { action: string }) => action === 'controlCall')
      .map(({ objects }: { objects: object }) => objects);
    expect(operations.toReversed()).toEqual(
      ['whisper', 'say', 'take_over', 'hand_back'].map((operation) => ({ operation, call_id: callId })),
    );
    expect(await control(callId, { operation: 'take_over' })).toMatchObject({
      status: 400,
      body: { code: 'CALL_NOT_LIVE' },
    });
  });

  it('transfers the caller for a member, who sees why a transfer failed', async () => {
    const calls = service.carrier.phone(PERSON);
    const desk = service.carrier.phone(DESK);
    service.carrier.phone(BUSY, 486);
    const callId = await place(service, agentId, PERSON, {
      call_config: { call_retry_config: { retry_count: 0 } },
    });
    await service.hasSaid(callId, /Tuesday/);
    const person = calls.at(-1)!;
    const premium = await control(callId, { operation: 'transfer', transfer_to: '+19005550123' });
    expect(premium).toMatchObject({
      status: 422,
      body: { message: expect.stringMatching(/^transfer_to /) },
    });

    expect((await control(callId, { operation: 'transfer', transfer_to: BUSY })).status).toBe(200);
    await hasNotice(callId, 'TRANSFER_STARTED');
    await hasNotice(callId, 'TRANSFER_FAILED');
    const transfer = { operation: 'transfer', transfer_to: DESK, text: 'A patient wants to move a visit.' };
    expect((await control(callId, transfer)).status).toBe(200);
    await hasNotice(callId, 'TRANSFERRED');
    expect(desk).toHaveLength(1);
    expect(asked.every((history) => !history.includes('wants to move a visit'))).toBe(true);
    person.hangUp();
    const call = await service.whenOver(callId);
    expect(call.call_sub_status).toBe('CALL_TRANSFERRED');
    const log = call.tool_call_logs.filter(({ name }: { name: string }) => name === 'transfer_by_member');
    expect(log).toMatchObject([
      { result: { status: 'failed' } },
      { result: { status: 'transferred', talk_ms: expect.any(Number), ended_by: 'caller' } },
    ]);
  });

  it('puts the far side on hold with a re-INVITE, and a far side that refuses it stays in the call', async () => {
    const calls = service.carrier.phone(PERSON);
    service.carrier.forget();
    const callId = await place(service, agentId, PERSON, {
      call_config: { call_retry_config: { retry_count: 0 } },
    });
    await service.hasSaid(callId, /Tuesday/);
    expect((await control(callId, { operation: 'resume' })).status).toBe(200);
    await hasNotice(callId, 'CONTROL_IGNORED');
    expect((await control(callId, { operation: 'hold' })).status).toBe(200);
    await hasNotice(callId, 'ON_HOLD');
    expect(service.carrier.offered(PERSON)).toEqual(['sendonly']);
    const before = asked.length;
    // Longer than idle_timeout_end.
    await service.time.advance(70_000);
    expect(asked).toHaveLength(before);
    expect(calls.at(-1)!.endedBy).toBeNull();
    expect((await control(callId, { operation: 'resume' })).status).toBe(200);
    await hasNotice(callId, 'OFF_HOLD');
    expect(service.carrier.offered(PERSON)).toEqual(['sendonly', 'sendrecv']);
    calls.at(-1)!.press('1');
    await service.time.until('the agent to answer the caller', () => asked.length > before);
    calls.at(-1)!.hangUp();
    expect((await service.whenOver(callId)).call_sub_status).toBe('USER_LEFT');

    const stubborn = '+14155550125';
    const others = service.carrier.phone(stubborn);
    service.carrier.refuseHolds(stubborn);
    const second = await place(service, agentId, stubborn, {
      call_config: { call_retry_config: { retry_count: 0 } },
    });
    await service.hasSaid(second, /Tuesday/);
    expect((await control(second, { operation: 'hold' })).status).toBe(200);
    await hasNotice(second, 'HOLD_REFUSED');
    const asking = asked.length;
    others.at(-1)!.press('1');
    await service.time.until('the agent to answer the caller', () => asked.length > asking);
    others.at(-1)!.hangUp();
    await service.whenOver(second);
  });

  it('holds the caller while the target of a warm transfer is talked to', async () => {
    const calls = service.carrier.phone(PERSON);
    service.carrier.phone(DESK);
    service.carrier.forget();
    const callId = await place(service, agentId, PERSON, {
      call_config: { call_retry_config: { retry_count: 0 } },
    });
    await service.hasSaid(callId, /Tuesday/);
    await service.time.advance(3_000);
    const transfer = { operation: 'transfer', transfer_to: DESK, text: 'A patient wants to move a visit.' };
    expect((await control(callId, transfer)).status).toBe(200);
    await hasNotice(callId, 'ON_HOLD');
    await hasNotice(callId, 'TRANSFERRED');
    await hasNotice(callId, 'OFF_HOLD');
    expect(service.carrier.offered(PERSON)).toEqual(['sendonly', 'sendrecv']);
    expect(service.carrier.offered(DESK)).toEqual([]);
    expect((await control(callId, { operation: 'hold' })).status).toBe(200);
    await hasNotice(callId, 'CONTROL_IGNORED');
    calls.at(-1)!.hangUp();
    expect((await service.whenOver(callId)).call_sub_status).toBe('CALL_TRANSFERRED');
  });

  it('invites a guest who stays beside agent and caller, one at a time, until they are removed', async () => {
    const calls = service.carrier.phone(PERSON);
    const desk = service.carrier.phone(DESK);
    service.carrier.phone(BUSY, 486);
    service.carrier.forget();
    const callId = await place(service, agentId, PERSON, {
      call_config: { call_retry_config: { retry_count: 0 } },
    });
    await service.hasSaid(callId, /Tuesday/);
    const person = calls.at(-1)!;
    const premium = await control(callId, { operation: 'invite', invite_to: '+19005550123' });
    expect(premium).toMatchObject({ status: 422, body: { message: expect.stringMatching(/^invite_to /) } });

    expect((await control(callId, { operation: 'invite', invite_to: BUSY })).status).toBe(200);
    await hasNotice(callId, 'GUEST_FAILED');
    const invite = { operation: 'invite', invite_to: DESK, invite_name: 'Dr. Rao', text: 'A patient asks.' };
    expect((await control(callId, invite)).status).toBe(200);
    await hasNotice(callId, 'GUEST_JOINED');
    expect(desk).toHaveLength(1);
    // One guest at a time, and no transfer meanwhile.
    expect((await control(callId, { ...invite, invite_name: 'Ms. Lee' })).status).toBe(200);
    await service.sees(
      callId,
      'the second guest to be refused',
      ({ code, message }) => code === 'GUEST_FAILED' && /^Ms. Lee .* has been invited/.test(message),
    );
    const before = asked.length;
    person.press('1');
    await service.time.until('the agent to answer the caller', () => asked.length > before);
    expect(asked.at(-1)).toContain('Dr. Rao has joined the call');

    expect((await control(callId, { operation: 'remove' })).status).toBe(200);
    await hasNotice(callId, 'GUEST_LEFT');
    expect(desk[0]!.endedBy).toBe('agent');
    expect((await control(callId, { operation: 'remove' })).status).toBe(200);
    await hasNotice(callId, 'CONTROL_IGNORED');
    person.hangUp();
    const call = await service.whenOver(callId);
    expect(call.call_sub_status).toBe('USER_LEFT');
    const log = call.tool_call_logs.filter(({ name }: { name: string }) => name === 'invite_by_member');
    expect(log.map(({ result }: { result: object }) => result)).toMatchObject([
      { status: 'failed' },
      { status: 'joined', talk_ms: expect.any(Number), ended_by: 'system' },
      { status: 'failed', reason: expect.stringContaining('invited') },
    ]);
  });

  it('announces a member before a take-over, in the language of the agent, if the workspace wants it', async () => {
    const calls = service.carrier.phone(PERSON);
    const set = (body: object) => service.request('PATCH', '/api/v0/workspace/settings', body);
    const texts = [{ language: 'en-US', text: 'My colleague joins us now.' }];
    expect((await set({ announces_people: true, joining_texts: texts })).body).toMatchObject({
      announces_people: true,
      joining_texts: texts,
    });
    const callId = await place(service, agentId, PERSON, {
      call_config: { call_retry_config: { retry_count: 0 } },
    });
    await service.hasSaid(callId, /Tuesday/);
    expect((await control(callId, { operation: 'take_over' })).status).toBe(200);
    await service.sees(
      callId,
      'the announcement',
      ({ type, line }) => type === 'line' && line.text === texts[0]!.text && line.author !== undefined,
    );
    expect((await set({ announces_people: false })).status).toBe(200);
    calls.at(-1)!.hangUp();
    await service.whenOver(callId);
    const refused = { joining_texts: [{ language: 'tlh', text: 'Qapla' }] };
    expect((await set(refused)).status).toBe(422);
  });

  it('refuses fields that are missing or belong to another operation, a blank text, and an unknown call', async () => {
    const callId = await place(service, agentId, '+14155550177');
    const refused = [
      { operation: 'whisper' },
      { operation: 'say', text: '  ' },
      { operation: 'take_over', text: 'now' },
      { operation: 'shout', text: 'now' },
      { operation: 'transfer' },
      { operation: 'transfer', transfer_to: '+14155550111', mode: 'tepid' },
      { operation: 'take_over', transfer_to: '+14155550111' },
      { operation: 'hand_back', mode: 'warm' },
      { operation: 'invite' },
      { operation: 'invite', invite_to: '+14155550111', invite_name: '  ' },
      { operation: 'invite', invite_to: '+14155550111', mode: 'warm' },
      { operation: 'invite', invite_to: '+14155550111', transfer_to: '+14155550111' },
      { operation: 'remove', text: 'now' },
      { operation: 'hold', text: 'now' },
      { operation: 'resume', transfer_to: '+14155550111' },
      { operation: 'transfer', transfer_to: '+14155550111', invite_name: 'Dr. Rao' },
    ];
    for (const body of refused) expect((await control(callId, body)).status).toBe(422);
    expect((await control(agentId, { operation: 'take_over' })).status).toBe(404);
    // It waits to be dialled.
    expect((await control(callId, { operation: 'take_over' })).status).toBe(400);
  });
});
