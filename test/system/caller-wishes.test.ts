import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFakeOpenAiServer, type ScriptedReply } from '../../src/providers/fake/openai-server.ts';
import { createOfflineTts } from '../../src/providers/tts/offline.ts';
import { phonesOf, type PhoneCall, type Phones } from '../helpers/line-phone.ts';
import { watchLive, type LiveCall } from '../helpers/live-call.ts';
import { edit, startPhoneService } from '../helpers/phone-service.ts';
import { createAgent, details, place, whenOver } from '../helpers/scenario.ts';
import { eventually, type Service } from '../helpers/service.ts';
import { startSipPeer, type SipPeer } from '../helpers/sip-peer.ts';
import { overTheLine, synthesise } from '../helpers/speech.ts';

const OURS = '+14155550100';
/** From the last word or key to the do-not-call list. */
const LISTED_WITHIN_MS = 2000;

let service: Service;
let peer: SipPeer;
let phones: Phones;
let close: () => Promise<void> = () => Promise.resolve();
beforeAll(async () => {
  peer = await startSipPeer();
  phones = phonesOf(peer);
  ({ service, close } = await startPhoneService(
    [{ name: 'carrier', uri: `sip:127.0.0.1:${peer.port}`, transport: 'udp' }],
    [{ number: OURS, trunk: 'carrier' }],
    { SAFE_FETCH_ALLOW: '127.0.0.1' },
  ));
});
afterAll(async () => {
  await close();
  await peer.stop();
});

const cleanUp: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const end of cleanUp.splice(0).toReversed()) await end();
});

/** An agent that is patient, and has a model of its own where it says `replies`. */
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

interface Talk {
  readonly callId: string;
  readonly person: PhoneCall;
  readonly live: LiveCall;
}

/** A call to a person, until they have been greeted. */
async function callTo(number: string, agentId: string): Promise<Talk> {
  phones.on(number, { answers: 'PCMU' });
  const callId = await place(service, agentId, number, {
    call_config: { call_retry_config: { retry_count: 0 } },
  });
  const live = await watchLive(service, callId);
  cleanUp.push(async () => live.stop());
  await live.hasSaid(/Maya/);
  const person = await eventually('the call', async () => phones.calls(number)[0] ?? null);
  return { callId, person, live };
}

/** A call that waits for its window, which is far away. */
async function waitingFor(number: string, agentId: string): Promise<string> {
  const hour = (new Date().getUTCHours() + 12) % 24;
  const at = (minute: number): string =>
    `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
  return place(service, agentId, number, {
    call_config: { call_time: { call_start_time: at(0), call_end_time: at(1), timezone: 'Etc/UTC' } },
  });
}

const statusOf = async (callId: string): Promise<string> => (await details(service, callId)).call_status;
/** The do-not-call entry of the number, and what the calls are at that moment. */
async function listed(number: string, talk: Talk, waiting: string): Promise<any> {
  return eventually('the number to be listed', async () => {
    const { body } = await service.request('GET', `/api/v0/dnc?mobile_number=${encodeURIComponent(number)}`);
    const [entry] = body.numbers;
    if (entry === undefined) return null;
    return {
      reason: entry.reason,
      at: Date.parse(entry.created_at),
      talk: await statusOf(talk.callId),
      waiting: await statusOf(waiting),
    };
  });
}

/** A call in which the callee presses 9, and is on the list in time for it. */
async function pressNine(number: string, agentId: string): Promise<Talk> {
  const waiting = await waitingFor(number, agentId);
  const talk = await callTo(number, agentId);
  talk.person.press('9');
  const found = await listed(number, talk, waiting);
  expect(found).toMatchObject({ reason: 'OPTED_OUT', talk: 'ongoing', waiting: 'cancelled' });
  const key = await talk.live.until('the key', ({ type }) => type === 'dtmf');
  expect(found.at - key.at).toBeLessThan(LISTED_WITHIN_MS);
  return talk;
}

describe('somebody who says that they want no more calls', () => {
  it('is listed while the agent still says goodbye, and nobody else rings', async () => {
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
    const { line } = await talk.live.until('the words', (event) => event.line?.role === 'caller');
    expect(line.text).toBe('stop calling me');
    expect(found.at - line.endedAt).toBeLessThan(LISTED_WITHIN_MS);
    expect((await details(service, waiting)).call_sub_status).toBe('OPTED_OUT');
    expect(await whenOver(service, talk.callId)).toMatchObject({ call_sub_status: 'OPTED_OUT' });
  });
});

// Side by side: a call is mostly waiting, and each is to a number of its own.
describe.concurrent('somebody who wants no more calls', () => {
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
  ])('presses the key that they were told, with %s: the same', async (_who, number, replies) => {
    const agentId = await agent({ intro_message: 'This is Maya. Press 9 to stop these calls.' }, replies);
    await edit(service, agentId, 'edit_on_call_tools', {
      on_call_tools: [{ type: 'OPT_OUT_TOOL', description: 'When they press 9 or ask for no more calls.' }],
    });
    // One key is the whole of it: nobody waits for a second one.
    await edit(service, agentId, 'edit_dtmf_settings', {
      dtmf_settings: { dtmf_capturing_enabled: true, dtmf_input: { digits: 1 } },
    });
    const talk = await pressNine(number, agentId);
    expect(await whenOver(service, talk.callId)).toMatchObject({ call_sub_status: 'OPTED_OUT' });
  });

  it.each([
    ['is slow', '+14155550205', { delayMs: 5000, tools: [{ name: 'opt_out', args: {} }] }],
    ['never calls its tool', '+14155550206', { text: 'Very well.' }],
  ])('does not wait for a model that %s', async (_how, number, reply) => {
    const agentId = await agent({ intro_message: 'This is Maya. Press 9 to stop these calls.' }, [reply]);
    await edit(service, agentId, 'edit_dtmf_settings', {
      dtmf_settings: { dtmf_capturing_enabled: true, dtmf_input: { digits: 1 } },
    });
    const talk = await pressNine(number, agentId);
    talk.person.hangUp();
    const over = await whenOver(service, talk.callId);
    expect(over.call_sub_status).toBe('USER_LEFT');
    const wishes = over.tool_call_logs.filter((use: { name: string }) => use.name === 'opt_out');
    expect(wishes).toMatchObject([{ result: { status: 'recorded' } }]);
  });
});

describe.concurrent('somebody who wants to be called again', () => {
  it('is, at the time they said, by one call that both ends name', async () => {
    const number = '+14155550204';
    // A time is said to the minute: the first one that leaves room for this call to end.
    const at = Math.ceil((Date.now() + 25_000) / 60_000) * 60_000;
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
    const first = await whenOver(service, callId);
    expect(first).toMatchObject({ call_status: 'completed', call_sub_status: 'AGENT_ENDED' });
    const again = first.scheduled_callback_call_id;
    expect((await details(service, again)).call_status).toBe('registered');
    expect(phones.calls(number)).toHaveLength(1);
    const second = await eventually(
      'the call back',
      async () => phones.calls(number)[1] ?? null,
      at - Date.now() + 30_000,
    );
    expect(Date.now()).toBeGreaterThanOrEqual(at);
    await eventually('to be greeted', async () => (second.soundMs() > 500 ? true : null));
    second.hangUp();
    const call = await whenOver(service, again);
    expect(call).toMatchObject({
      call_status: 'completed',
      call_sub_status: 'USER_LEFT',
      to_number: number,
      from_number: OURS,
    });
    expect(phones.calls(number)).toHaveLength(2);
  });
});
