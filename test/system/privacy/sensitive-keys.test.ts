import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFakeOpenAiServer } from '../../helpers/openai-server.ts';
import { findInDatabase } from '../../helpers/privacy/find-everywhere.ts';
import { edit } from '../../helpers/sip/phone-service.ts';
import { createAgent, place, transcriptOf } from '../../helpers/service/scenario.ts';
import { startToolServer, type ToolServer } from '../../helpers/agents/tool-server.ts';
import { startVirtualService, type VirtualService } from '../../rigs/calls/virtual-service.ts';

const CARD = '4929671130518842';
/** Parts of it, which a partial leak would show. */
const MARKS = { whole: CARD, begin: CARD.slice(0, 6), end: CARD.slice(-6) };
const PERSON = '+14155550123';

let service: VirtualService;
let server: ToolServer;
beforeAll(async () => {
  [service, server] = await Promise.all([
    startVirtualService(),
    startToolServer(() => ({ body: { receipt: `R-${CARD}` } })),
  ]);
});
afterAll(async () => {
  await service?.close();
  await server?.close();
});

async function payingAgent(task: string): Promise<string> {
  const agentId = await createAgent(service, {
    task,
    intro_message: 'Hello, this is Maya. Are you ready?',
    call_config: { idle_timeout_warning: 0, idle_timeout_end: 60, mute_during_intro: false },
  });
  await edit(service, agentId, 'edit_on_call_tools', {
    on_call_tools: [
      {
        type: 'WAIT_FOR_DTMF_TOOL',
        name: 'read_card_number',
        digits: 16,
        timeout_seconds: 20,
        sensitive: true,
      },
      {
        type: 'API_TOOL',
        name: 'charge_card',
        description: 'Charges the card.',
        method: 'POST',
        url: `${server.origin}/charge`,
        body: { card_number: { source: 'argument', type: 'string', sensitive: true } },
        result_variables: { receipt: 'receipt' },
      },
    ],
  });
  return agentId;
}

/** A caller who presses 1 to go on, and then the card number. */
async function pay(agentId: string): Promise<{ call: any; live: unknown[] }> {
  const calls = service.carrier.phone(PERSON);
  const before = server.seen.length;
  const callId = await place(service, agentId, PERSON);
  const live: unknown[] = [];
  await service.sees(callId, 'the question', (event) => {
    live.push(event);
    return event.type === 'line' && /ready/.test(event.line.text);
  });
  const person = calls.at(-1)!;
  const typing = service.sees(callId, 'the end', (event) => {
    live.push(event);
    return event.type === 'ended';
  });
  person.press('1');
  await service.time.advance(6000);
  for (const digit of CARD) {
    person.press(digit as '0');
    await service.time.advance(100);
  }
  await typing;
  const call = await service.whenOver(callId);
  expect(server.seen.slice(before).map(({ body }) => body)).toEqual([{ card_number: CARD }]);
  return { call, live };
}

describe('keys of a sensitive field', () => {
  /** Where the call left some of the keys. */
  async function leaksOf({ call, live }: { call: any; live: unknown[] }, more = ''): Promise<unknown> {
    expect(call).toMatchObject({ call_status: 'completed', call_sub_status: 'AGENT_ENDED' });
    expect(JSON.stringify(transcriptOf(call))).toContain('[keys hidden]');
    expect(call.recording_pauses).toHaveLength(1);
    expect(live.length).toBeGreaterThan(5);
    const texts = { call: JSON.stringify(call), live: JSON.stringify(live), log: service.output(), more };
    const shown = Object.entries(texts).filter(([, text]) =>
      Object.values(MARKS).some((mark) => text.includes(mark)),
    );
    return { shown: shown.map(([place]) => place), stored: await findInDatabase(service.api.db, MARKS) };
  }
  const NOWHERE = { shown: [], stored: {} };

  it('reach the tool server, and nothing else that is stored, sent or logged', async () => {
    const agentId = await payingAgent(
      '1. Use tool read_card_number.\n2. Use tool charge_card.\n3. Say "Your receipt is {{receipt}}."\n4. Thank them and say goodbye.',
    );
    expect(await leaksOf(await pay(agentId))).toEqual(NOWHERE);
  });

  it('of a flow reach its tool, and nothing else that is stored, sent or logged', async () => {
    const agentId = await payingAgent('Take the payment.');
    const flow = {
      start: 'ready',
      variables: [
        { name: 'card', type: 'text', sensitive: true },
        { name: 'receipt', type: 'text' },
      ],
      nodes: [
        {
          id: 'ready',
          type: 'choose',
          ask: 'Shall we go on?',
          answers: [{ name: 'yes' }, { name: 'no' }],
          edges: [{ to: 'card', answer: 'yes' }, { to: 'bye' }],
        },
        {
          id: 'card',
          type: 'collect',
          variable: 'card',
          kind: 'card',
          ask: 'Please enter your card number.',
          edges: [{ to: 'charge' }, { to: 'bye', on: 'failed' }],
        },
        {
          id: 'charge',
          type: 'tool',
          tool: 'charge_card',
          arguments: { card_number: 'card' },
          edges: [
            { to: 'bye', on: 'ok' },
            { to: 'bye', on: 'failed' },
          ],
        },
        { id: 'bye', type: 'end', say: 'Your receipt is {{receipt}}. Goodbye.' },
      ],
    };
    await edit(service, agentId, 'edit_flow', { flow });
    expect(await leaksOf(await pay(agentId))).toEqual(NOWHERE);
  });

  it('are hidden from a language model, which passes them on unread', async () => {
    const agentId = await payingAgent('Take the payment.');
    const model = await startFakeOpenAiServer([
      { text: 'Please enter your card number.', tools: [{ name: 'read_card_number', args: {} }] },
      {
        after: '[keys hidden 1]',
        tools: [{ name: 'charge_card', args: { card_number: '[keys hidden 1]' } }],
      },
      { after: 'R-[keys hidden]', text: 'Thank you, goodbye.', tools: [{ name: 'end_call', args: {} }] },
    ]);
    const llm = { provider: 'openai_compatible', base_url: model.baseUrl, model: 'own-model' };
    await edit(service, agentId, 'edit_llm', { llm });
    const paid = await pay(agentId);
    expect(await leaksOf(paid, JSON.stringify(model.requests))).toEqual(NOWHERE);
    await model.close();
  });
});

describe('an agent whose calls are not recorded', () => {
  it('leaves no file and no link, and keeps transcript and events', async () => {
    const agentId = await createAgent(service, { call_config: { recording: { enabled: false } } });
    const files = async (): Promise<string[]> =>
      (await readdir(service.recordingsDir, { recursive: true })).sort();
    const before = await files();
    const call = await service.whenOver(await place(service, agentId, '+14155550144'));
    expect(call).toMatchObject({
      call_status: 'completed',
      recording_url: null,
      recording_duration: null,
      recording_pauses: [],
    });
    expect(transcriptOf(call).length).toBeGreaterThan(1);
    expect(await files()).toEqual(before);
    const { db } = service.api;
    const kept = await db
      .selectFrom('recording_files')
      .select('path')
      .where('call_id', '=', call.id)
      .execute();
    expect(kept).toEqual([]);
    const events = await db
      .selectFrom('events')
      .select('event_type')
      .where('call_id', '=', call.id)
      .execute();
    expect(events.map(({ event_type: type }) => type)).toContain('call_completed');
    expect(events.map(({ event_type: type }) => type)).not.toContain('recording_completed');
  });
});
