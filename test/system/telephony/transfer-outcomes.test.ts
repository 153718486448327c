import { afterEach, afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/shared/ids.ts';
import { hasArrived, soundOf, SOUND_MS } from '../../helpers/sip/line-phone.ts';
import { edit, hangUp } from '../../helpers/sip/phone-service.ts';
import { createAgent, place, transcriptOf } from '../../helpers/service/scenario.ts';
import type { VirtualPhoneCall } from '../../rigs/calls/virtual-carrier.ts';
import { OURS, startVirtualService, type VirtualService } from '../../rigs/calls/virtual-service.ts';

const NARROW = '+14155550101';
const CALLER = '+14155550123';
const DESK = '+14155550111';
/** A voicemail box of the test carrier. */
const MAILBOX = '+14155600004';
const LISTED = '+14155550112';

const AGENT = {
  intro_message: 'Hello, this is Maya.',
  task: '1. Ask "What is your customer number?"\n2. Thank them and say goodbye.',
};

let service: VirtualService;
let agentId = '';
beforeAll(async () => {
  service = await startVirtualService();
  await addNarrowTrunk();
  agentId = await createAgent(service, {
    ...AGENT,
    call_config: { idle_timeout_warning: 0, idle_timeout_end: 20, mute_during_intro: false },
  });
});
afterAll(() => service?.close());
afterEach(() => service.carrier.forget());

/** A number on a trunk with a single channel. */
async function addNarrowTrunk(): Promise<void> {
  const { db } = service.api;
  const at = new Date(service.time.now());
  const stamps = { created_at: at, updated_at: at };
  const trunkId = newId();
  await db
    .insertInto('trunks')
    .values({
      id: trunkId,
      name: 'narrow',
      settings: JSON.stringify({ kind: 'sip', max_calls: 1 }),
      ...stamps,
    })
    .execute();
  await db
    .insertInto('numbers')
    .values({
      workspace_id: service.tenant.workspaceId,
      id: newId(),
      number: NARROW,
      trunk_id: trunkId,
      display_name: 'Narrow',
      ...stamps,
    })
    .execute();
}

const transferTo = (to: string, over: object = {}, agent = agentId): Promise<void> =>
  edit(service, agent, 'edit_on_call_tools', {
    on_call_tools: [{ type: 'CALL_TRANSFER_TOOL', name: 'to_desk', transfer_to: to, mode: 'warm', ...over }],
  });

interface Transfer {
  readonly callId: string;
  readonly caller: VirtualPhoneCall;
}

/** A callee is greeted by the agent and presses 0 for the desk. */
async function askForDesk(from = OURS, by = agentId): Promise<Transfer> {
  const calls = service.carrier.phone(CALLER);
  const callId = await place(service, by, CALLER, {
    from_number: from,
    call_config: { call_retry_config: { retry_count: 0 } },
  });
  await service.hasSaid(callId, /Maya/);
  const caller = calls[0]!;
  caller.press('0');
  return { callId, caller };
}
const connected = ({ callId }: Transfer): Promise<unknown> =>
  service.sees(callId, 'the two to be connected', ({ code }) => code === 'TRANSFERRED');
/** Waits for the agent's next question. */
const agentContinues = ({ callId }: Transfer): Promise<void> => service.hasSaid(callId, /customer number/);
/** Plays a sound at `from` and waits until `to` has received every frame once and in order. */
async function hears(from: VirtualPhoneCall, to: VirtualPhoneCall, seed: number): Promise<void> {
  const sound = soundOf(seed, SOUND_MS);
  const before = to.frames().length;
  from.say(sound);
  await service.time.advance(SOUND_MS);
  await service.time.until('the last frame', () => hasArrived(sound, to.frames().slice(before)));
}
/** Sets the balance to the price of a call of four minutes. */
const balance = (credits: number): Promise<unknown> =>
  service.api.db
    .updateTable('workspaces')
    .set({ credits: credits * 1_000_000, unlimited: false })
    .where('id', '=', service.tenant.workspaceId)
    .execute();
const logOf = (call: any): any => call.tool_call_logs.find((entry: any) => entry.name === 'to_desk');
const said = (call: unknown): string =>
  transcriptOf(call)
    .flatMap((line) => line.bot ?? [])
    .join('\n');

describe('outcomes of warm transfers', () => {
  it('leaves the caller with the agent when a mailbox answers the desk', async () => {
    await transferTo(MAILBOX, {
      briefing: 'Somebody would like to talk about an appointment on Tuesday, and has called before.',
    });
    const transfer = await askForDesk();
    await agentContinues(transfer);
    await hangUp(service, transfer.callId);
    const call = await service.whenOver(transfer.callId);
    expect(logOf(call)).toMatchObject({
      ok: false,
      result: { status: 'failed', reason: 'a voicemail box answered' },
    });
    expect(call.call_sub_status).not.toBe('CALL_TRANSFERRED');
  });

  it('ends for the caller when the desk hangs up', async () => {
    const deskCalls = service.carrier.phone(DESK);
    await transferTo(DESK);
    const transfer = await askForDesk();
    const { callId, caller } = transfer;
    const person = await service.time.until('the desk', () => deskCalls[0]);
    await connected(transfer);
    await hears(caller, person, 3);
    person.hangUp();
    const call = await service.whenOver(callId);
    expect(caller.endedBy).toBe('agent');
    expect(call).toMatchObject({ call_status: 'completed', call_sub_status: 'CALL_TRANSFERRED' });
    expect(logOf(call)).toMatchObject({
      ok: true,
      result: { ended_by: 'target', connect_ms: expect.any(Number) },
    });
    // One started minute of the call and one of its second leg.
    expect(call.call_cost).toBe(2);
  });

  it('bridges the desk in mode auto when the far side refuses REFER', async () => {
    const deskCalls = service.carrier.phone(DESK);
    await transferTo(DESK, { mode: 'auto' });
    const transfer = await askForDesk();
    const person = await service.time.until('the desk', () => deskCalls[0]);
    await connected(transfer);
    await hears(transfer.caller, person, 5);
    person.hangUp();
    const call = await service.whenOver(transfer.callId);
    expect(call).toMatchObject({ call_status: 'completed', call_sub_status: 'CALL_TRANSFERRED' });
    expect(logOf(call)).toMatchObject({ ok: true, result: { status: 'transferred', ended_by: 'target' } });
  });

  it('leaves the caller with the agent in mode cold when the far side refuses REFER', async () => {
    const deskCalls = service.carrier.phone(DESK);
    await transferTo(DESK, { mode: 'cold' });
    const transfer = await askForDesk();
    await agentContinues(transfer);
    await hangUp(service, transfer.callId);
    const call = await service.whenOver(transfer.callId);
    expect(deskCalls).toEqual([]);
    expect(logOf(call)).toMatchObject({ ok: false, result: { status: 'failed', sip_code: 501 } });
  });

  it('ends both legs through the API', async () => {
    const deskCalls = service.carrier.phone(DESK);
    await transferTo(DESK);
    const transfer = await askForDesk();
    const { callId, caller } = transfer;
    const person = await service.time.until('the desk', () => deskCalls[0]);
    await connected(transfer);
    await hears(caller, person, 4);
    await hangUp(service, callId);
    expect(await service.whenOver(callId)).toMatchObject({ call_sub_status: 'USER_TERMINATED' });
    expect([caller.endedBy, person.endedBy]).toEqual(['agent', 'agent']);
  });

  it('ends both legs at max_call_length', async () => {
    const deskCalls = service.carrier.phone(DESK);
    const short = await createAgent(service, { ...AGENT, call_config: { max_call_length: 12 } });
    await transferTo(DESK, {}, short);
    const transfer = await askForDesk(OURS, short);
    const person = await service.time.until('the desk', () => deskCalls[0]);
    await connected(transfer);
    const call = await service.whenOver(transfer.callId);
    expect([transfer.caller.endedBy, person.endedBy]).toEqual(['agent', 'agent']);
    expect(call).toMatchObject({ call_status: 'completed', call_sub_status: 'MAX_CALL_DURATION' });
    expect(logOf(call)).toMatchObject({ ok: true, result: { status: 'transferred', ended_by: 'system' } });
    expect(Math.abs(call.call_duration - 12)).toBeLessThan(1.5);
  });

  it('returns the caller to the agent when the desk is busy', async () => {
    service.carrier.phone(DESK, 486);
    await transferTo(DESK);
    const transfer = await askForDesk();
    const { callId, caller } = transfer;
    await agentContinues(transfer);
    expect(service.carrier.rung.at(-1)).toBe(DESK);
    caller.hangUp();
    const call = await service.whenOver(callId);
    expect(call.call_sub_status).toBe('USER_LEFT');
    expect(logOf(call)).toMatchObject({ ok: false, result: { status: 'failed', sip_code: 486 } });
    expect(said(call)).toContain('customer number');
  });

  it('does not dial a do-not-call number, nor without a free trunk channel or credits', async () => {
    service.carrier.phone(LISTED);
    service.carrier.phone(DESK);
    const { status } = await service.request('POST', '/api/v0/dnc', { mobile_numbers: [LISTED] });
    expect(status).toBe(200);
    for (const [to, from, reason] of [
      [LISTED, OURS, 'the number is on the do-not-call list'],
      [DESK, NARROW, 'every line of the trunk is in use'],
      [DESK, OURS, 'the credits of the workspace do not cover the transfer'],
    ] as const) {
      if (reason.includes('credits')) await balance(4);
      await transferTo(to);
      const transfer = await askForDesk(from);
      const { callId, caller } = transfer;
      await agentContinues(transfer);
      caller.hangUp();
      expect(logOf(await service.whenOver(callId))).toMatchObject({ ok: false, result: { reason } });
      expect(service.carrier.rung).not.toContain(to);
      service.carrier.forget();
    }
  });
});
