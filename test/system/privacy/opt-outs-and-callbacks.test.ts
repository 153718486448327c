import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFakeOpenAiServer, type ScriptedReply } from '../../helpers/openai-server.ts';
import { createOfflineTts } from '../../../src/offline/speech/tts.ts';
import { edit } from '../../helpers/sip/phone-service.ts';
import { createAgent, details, place } from '../../helpers/service/scenario.ts';
import { overTheLine, synthesise } from '../../helpers/audio/speech.ts';
import type { VirtualPhoneCall } from '../../rigs/calls/virtual-carrier.ts';
import { OURS, startVirtualService, type VirtualService } from '../../rigs/calls/virtual-service.ts';

/** Limit from the last word or key to the do-not-call entry. */
const LISTED_WITHIN_MS = 2000;

let service: VirtualService;
beforeAll(async () => {
  service = await startVirtualService();
});
const cleanUp: (() => Promise<void>)[] = [];
afterAll(async () => {
  await service?.close();
  for (const end of cleanUp.splice(0).toReversed()) await end();
});

/** An agent with a long idle timeout; `replies`: its own language model, scripted. */
async function agent(over: Record<string, unknown>, replies?: readonly ScriptedReply[]): Promise<string> {
  const agentId = await createAgent(service, {
    intro_message: 'Hello, this is Maya.',
    ...over,
    call_config: { idle_timeout_warning: 0, idle_timeout_end: 30, mute_during_intro: false },
  });
  if (replies === undefined) return agentId;
  const model = await startFakeOpenAiServer(replies);
  cleanUp.push(() => model.close());
  await edit(service, agentId, 'edit_llm', {
    llm: { provider: 'openai_compatible', base_url: model.baseUrl, model: 'scripted' },
  });
  return agentId;
}

interface GreetedCall {
  readonly callId: string;
  readonly person: VirtualPhoneCall;
}

/** Calls a phone and lets time pass until the agent has greeted it. */
async function callTo(number: string, agentId: string): Promise<GreetedCall> {
  const calls = service.carrier.phone(number);
  const callId = await place(service, agentId, number, {
    call_config: { call_retry_config: { retry_count: 0 } },
  });
  await service.hasSaid(callId, /Maya/);
  return { callId, person: calls[0]! };
}

/** A queued call whose calling window opens in twelve hours. */
async function waitingFor(number: string, agentId: string): Promise<string> {
  const hour = (new Date(service.time.now()).getUTCHours() + 12) % 24;
  const at = (minute: number): string =>
    `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
  return place(service, agentId, number, {
    call_config: { call_time: { call_start_time: at(0), call_end_time: at(1), timezone: 'Etc/UTC' } },
  });
}

const statusOf = async (callId: string): Promise<string> => (await details(service, callId)).call_status;
/** The do-not-call entry of the number, with the status of both calls at that moment. */
async function listed(number: string, talk: GreetedCall, waiting: string): Promise<any> {
  const limit = service.time.now() + 30_000;
  for (;;) {
    const { body } = await service.request('GET', `/api/v0/dnc?mobile_number=${encodeURIComponent(number)}`);
    const [entry] = body.numbers;
    if (entry !== undefined) {
      return {
        reason: entry.reason,
        at: Date.parse(entry.created_at),
        talk: await statusOf(talk.callId),
        waiting: await statusOf(waiting),
      };
    }
    if (service.time.now() > limit) throw new Error(`${number} is not on the do-not-call list`);
    await service.time.step();
  }
}

/** The callee presses 9 and is on the do-not-call list within the limit. */
async function pressNine(number: string, agentId: string): Promise<GreetedCall> {
  const waiting = await waitingFor(number, agentId);
  const talk = await callTo(number, agentId);
  talk.person.press('9');
  const found = await listed(number, talk, waiting);
  expect(found).toMatchObject({ reason: 'OPTED_OUT', talk: 'ongoing', waiting: 'cancelled' });
  const key = await service.sees(talk.callId, 'the key', ({ type }) => type === 'dtmf');
  expect(found.at - key.at).toBeLessThan(LISTED_WITHIN_MS);
  return talk;
}

describe('a callee who says "stop calling me"', () => {
  it('is on the do-not-call list before the goodbye ends, and their queued calls are cancelled', async () => {
    const number = '+14155550201';
    const agentId = await agent({ task: '1. Ask "Can you make it on Tuesday?"\n2. Say goodbye.' });
    const waiting = await waitingFor(number, agentId);
    const talk = await callTo(number, agentId);
    const tts = createOfflineTts();
    cleanUp.push(() => tts.close());
    const words = await synthesise(tts, {
      voiceKey: 'flite:rms',
      language: 'en-US',
      text: 'stop calling me',
    });
    talk.person.say(overTheLine(words, 0, 0));
    const found = await listed(number, talk, waiting);
    expect(found).toMatchObject({ reason: 'OPTED_OUT', talk: 'ongoing', waiting: 'cancelled' });
    const { line } = await service.sees(talk.callId, 'the words', (event) => event.line?.role === 'caller');
    expect(line.text).toBe('stop calling me');
    expect(found.at - line.endedAt).toBeLessThan(LISTED_WITHIN_MS);
    expect((await details(service, waiting)).call_sub_status).toBe('OPTED_OUT');
    expect(await service.whenOver(talk.callId)).toMatchObject({ call_sub_status: 'OPTED_OUT' });
  });
});

describe('a callee who presses the opt-out key', () => {
  it.each([
    ['the built-in brain', '+14155550202', undefined],
    [
      'a model',
      '+14155550203',
      [
        {
          text: 'I am sorry. I have taken your number off every list of ours. Nobody will call you again. Goodbye.',
          tools: [{ name: 'opt_out', args: {} }],
        },
      ],
    ],
  ])('is on the list within two seconds, with %s', async (_who, number, replies) => {
    const agentId = await agent({ intro_message: 'This is Maya. Press 9 to stop these calls.' }, replies);
    await edit(service, agentId, 'edit_on_call_tools', {
      on_call_tools: [{ type: 'OPT_OUT_TOOL', description: 'When they press 9 or ask for no more calls.' }],
    });
    // One key is a whole answer: no timeout for a second one.
    await edit(service, agentId, 'edit_dtmf_settings', {
      dtmf_settings: { dtmf_capturing_enabled: true, dtmf_input: { digits: 1 } },
    });
    const talk = await pressNine(number, agentId);
    expect(await service.whenOver(talk.callId)).toMatchObject({ call_sub_status: 'OPTED_OUT' });
  });

  it.each([
    ['is slow', '+14155550205', { delayMs: 5000, tools: [{ name: 'opt_out', args: {} }] }],
    ['never calls its tool', '+14155550206', { text: 'Very well.' }],
  ])('is on the list without waiting for a model that %s', async (_how, number, reply) => {
    const agentId = await agent({ intro_message: 'This is Maya. Press 9 to stop these calls.' }, [reply]);
    await edit(service, agentId, 'edit_dtmf_settings', {
      dtmf_settings: { dtmf_capturing_enabled: true, dtmf_input: { digits: 1 } },
    });
    const talk = await pressNine(number, agentId);
    talk.person.hangUp();
    const over = await service.whenOver(talk.callId);
    expect(over.call_sub_status).toBe('USER_LEFT');
    const optOuts = over.tool_call_logs.filter((use: { name: string }) => use.name === 'opt_out');
    expect(optOuts).toMatchObject([{ result: { status: 'recorded' } }]);
  });
});

describe('a callee who asks for a callback', () => {
  it('is called again at the requested time, by one call that is linked from the first one', async () => {
    const number = '+14155550204';
    // Callback times are whole minutes: the first one after this call has ended.
    const at = Math.ceil((service.time.now() + 25_000) / 60_000) * 60_000;
    const agentId = await agent({}, [
      {
        text: 'I will call you again. Goodbye.',
        tools: [
          { name: 'schedule_callback', args: { when: new Date(at).toISOString() } },
          { name: 'end_call', args: {} },
        ],
      },
    ]);
    const { callId, person } = await callTo(number, agentId);
    person.press('1');
    const first = await service.whenOver(callId);
    expect(first).toMatchObject({ call_status: 'completed', call_sub_status: 'AGENT_ENDED' });
    const again = first.scheduled_callback_call_id;
    expect((await details(service, again)).call_status).toBe('registered');
    const calls = service.carrier.phone(number);
    await service.dial();
    expect(calls).toHaveLength(1);
    await service.time.advance(at - service.time.now());
    await service.dial();
    const second = await service.time.until('the callback', () => calls[1]);
    expect(service.time.now()).toBeGreaterThanOrEqual(at);
    await service.time.until('the greeting', () => second.soundMs() > 500);
    second.hangUp();
    const call = await service.whenOver(again);
    expect(call).toMatchObject({
      call_status: 'completed',
      call_sub_status: 'USER_LEFT',
      to_number: number,
      from_number: OURS,
    });
    expect(calls).toHaveLength(2);
  });
});
