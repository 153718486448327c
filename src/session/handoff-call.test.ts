import { gunzipSync } from 'node:zlib';
import { firstDifference, readLog } from '@callwright/turns';
import { describe, expect, it } from 'vitest';
import { FRAME_MS } from '@callwright/audio';
import { answerVirtualCall, virtualSpec } from '../../test/rigs/calls/virtual-session.ts';
import { createFakeLlm, type FakeLlmOptions } from '../offline/scripted/llm.ts';
import { createFakeTts } from '../offline/scripted/tts.ts';
import type { ToolSpec } from '../providers/ports/model.ts';
import type { TtsOptions, TtsProvider } from '../providers/ports/voice.ts';
import type { ConversationResult } from '../voice/conversation.ts';
import type { Flow } from '../voice/flow/document.ts';
import type { AgentSnapshot } from './protocol.ts';

const BILLING = '0190a2f4-0000-7000-8000-000000000001';
const DESK = '0190a2f4-0000-7000-8000-000000000002';
/** What the front desk asks when the conversation comes back. */
const MORE: Flow['nodes'] = [
  {
    id: 'more',
    type: 'choose',
    ask: 'Anything else about {{invoice}}?',
    answers: [{ name: 'no', phrases: ['goodbye now'] }, { name: 'something' }],
    edges: [{ to: 'bye' }, { to: 'bye', on: 'failed' }],
  },
  { id: 'bye', type: 'end', say: 'Bye.' },
];
const frontDesk = (handoff: object): Flow => ({
  start: 'want',
  variables: [{ name: 'invoice', type: 'text' }],
  nodes: [
    { id: 'want', type: 'collect', variable: 'invoice', ask: 'Which invoice?', edges: [{ to: 'billing' }] },
    {
      id: 'billing',
      type: 'handoff',
      agent_id: BILLING,
      say: 'My colleague takes over.',
      pass: ['invoice'],
      edges: [{ to: 'sorry', on: 'failed' }],
      ...handoff,
    },
    { id: 'sorry', type: 'end', say: 'Nobody is free. Goodbye.' },
    ...('back' in handoff ? MORE : []),
  ],
});
const BILLING_FLOW: Flow = {
  start: 'paid',
  nodes: [
    {
      id: 'paid',
      type: 'choose',
      ask: 'Have you paid {{invoice}}?',
      answers: [{ name: 'yes' }, { name: 'no' }],
      edges: [{ to: 'bye' }, { to: 'bye', on: 'failed' }],
    },
    { id: 'bye', type: 'end', say: 'Thank you. Goodbye.' },
  ],
};

/** Waits for two keys. */
const PIN: ToolSpec = {
  name: 'ask_pin',
  description: '',
  kind: 'wait_for_keys',
  parameters: { type: 'object', properties: {} },
  timeoutMs: 20_000,
  keys: { digits: 2, end: null },
};

/** A voice that notes which of its sentences it spoke by which voice. */
function voices(time: Parameters<typeof createFakeTts>[0]) {
  const spoken: [voice: string, text: string][] = [];
  const provider = (): TtsProvider => ({
    ...createFakeTts(time),
    open: (options: TtsOptions) =>
      createFakeTts({
        ...time,
        ttsMs: 50,
        onSpeak: (text) => void spoken.push([options.voiceKey, text]),
      }).open(options),
  });
  return { spoken, provider };
}

/** A call of the front desk, and the answers of the main thread to its handoffs. */
function deskCall(
  finals: string[],
  agent: Partial<AgentSnapshot> = {},
  model: FakeLlmOptions = {},
  handoff: object = {},
) {
  const call = answerVirtualCall({
    finals,
    spec: { handsOver: true, maxCallMs: 600_000 },
    agent: {
      voiceKey: 'fake:desk',
      introMessage: 'City Dental.',
      flow: { document: frontDesk(handoff), zone: 'UTC' },
    },
    llm: { replies: ['They ask about invoice 42.'] },
  });
  const { spoken, provider } = voices({ scheduler: call.time });
  const billing = virtualSpec({
    spec: { variables: { invoice: 'four two' }, tools: [PIN] },
    agent: { name: 'Billing', voiceKey: 'fake:billing', introMessage: 'This is billing.', ...agent },
  });
  const llm = createFakeLlm({ llmMs: 100, scheduler: call.time, ...model });
  return {
    call,
    spoken,
    requested: () =>
      call.time.until('the handoff', () => call.tools.some(({ name }) => name === 'hand_over')),
    handOver: () => {
      const { requestId } = call.tools.find(({ name }) => name === 'hand_over')!;
      const result = { status: 'handed_over', agent_id: BILLING, agent_name: 'Billing' };
      const outcome = { ok: true, result, next: { id: BILLING, spec: billing } };
      call.session.toolResult(requestId, outcome, { llm, tts: provider() });
    },
  };
}

/** The agent's lines, each with the name of the agent that took over; null: the first agent. */
const saidBy = (transcript: ConversationResult['transcript']): [text: string, agent: string | null][] =>
  transcript
    .filter(({ role }) => role === 'agent')
    .map(({ text, spokenBy }) => [text, spokenBy?.agent?.name ?? null]);
const TO_BILLING = [
  ['City Dental.', null],
  ['Which invoice?', null],
  ['My colleague takes over.', null],
  ['This is billing. Have you paid four two?', 'Billing'],
  ['Thank you. Goodbye.', 'Billing'],
];

describe('a call that an agent hands over', () => {
  it('goes on with the voice, the first message and the flow of the other agent, and replays the same', async () => {
    const { call, spoken, requested, handOver } = deskCall(['four two', 'yes'], {
      flow: { document: BILLING_FLOW, zone: 'UTC' },
    });
    await call.hasSaid(/Which invoice/);
    call.talk(900);
    await requested();
    expect(call.tools[0]?.args).toEqual({ agent_id: BILLING, variables: { invoice: 'four two' } });
    handOver();
    await call.hasSaid(/Have you paid/);
    call.talk(700);
    const { reason, transcript, toolLog, eventLog, turns, usage, handovers, startedAt, endedAt } =
      await call.result();
    expect(reason).toBe('AGENT_ENDED');
    expect(saidBy(transcript)).toEqual([...TO_BILLING]);
    expect(new Set(spoken.map(([voice]) => voice))).toEqual(new Set(['fake:billing']));
    expect(spoken.map(([, text]) => text).join(' ')).toMatch(/^This is billing. Have you paid .* Goodbye\.$/);
    expect(turns?.at(-1)?.spokenBy?.agent).toEqual({ id: BILLING, name: 'Billing' });
    expect(toolLog.map(({ name, ok }) => [name, ok])).toContainEqual(['hand_over', true]);
    expect(handovers?.map(({ agent }) => agent)).toEqual([{ id: BILLING, name: 'Billing' }]);
    const usedBy = (name: string | null) =>
      usage!.filter(({ agent }) => (agent?.name ?? null) === name).map(({ part }) => part);
    expect([usedBy(null), usedBy('Billing')]).toEqual([
      ['stt', 'tts'],
      ['stt', 'tts'],
    ]);
    const { at } = handovers![0]!;
    const heardMs = (name: string | null): number =>
      usage!.find(({ part, agent }) => part === 'stt' && (agent?.name ?? null) === name)!.audioMs;
    expect(heardMs('Billing')).toBeGreaterThanOrEqual(endedAt - at - FRAME_MS);
    expect(Math.abs(heardMs(null) - (at - startedAt))).toBeLessThanOrEqual(2 * FRAME_MS);
    const log = readLog(gunzipSync(Buffer.from(eventLog!, 'base64')).toString());
    expect(firstDifference(log)).toBeNull();
  });

  it('has the model of the next agent read a summary, which is a note of the event log', async () => {
    const read: string[][] = [];
    const { call, requested, handOver } = deskCall(
      ['four two', 'I paid it', 'and now'],
      {},
      {
        replies: ['I see.'],
        onRequest: ({ history }) =>
          read.push(history.map((item) => ('text' in item ? item.text : item.role))),
      },
      { context: 'summary' },
    );
    await call.hasSaid(/Which invoice/);
    call.talk(900);
    await requested();
    const args = call.tools.find(({ name }) => name === 'hand_over')!.args;
    expect(args['summary']).toBe(
      'Known: invoice: four two.\nLast said:\nagent: City Dental.\nagent: Which invoice?\ncaller: four two',
    );
    handOver();
    await call.hasSaid(/This is billing/);
    call.talk(900);
    await call.hasSaid(/I see/);
    call.session.remoteHangup(call.time.now());
    const { eventLog } = await call.result();
    const note = 'Summary of the conversation before the handover: They ask about invoice 42.';
    expect(read[0]).toEqual([note, 'This is billing.', 'I paid it']);
    const log = readLog(gunzipSync(Buffer.from(eventLog!, 'base64')).toString());
    expect(log.entries.map(({ event }) => event)).toContainEqual(
      expect.objectContaining({ type: 'note', text: note }),
    );
    expect(firstDifference(log)).toBeNull();
  });

  it('has the model of an agent without a flow answer from its first message on', async () => {
    const { call, requested, handOver } = deskCall(['four two', 'I paid it'], {}, { replies: ['I see.'] });
    await call.hasSaid(/Which invoice/);
    call.talk(900);
    await requested();
    handOver();
    await call.hasSaid(/This is billing/);
    call.talk(900);
    await call.hasSaid(/I see/);
    call.session.remoteHangup(call.time.now());
    const { transcript } = await call.result();
    expect(transcript.at(-1)?.spokenBy?.agent?.name).toBe('Billing');
  });

  it('runs the tools of the next agent by their own rules', async () => {
    const { call, requested, handOver } = deskCall(
      ['four two', 'I paid it'],
      {},
      {
        replies: ['Your PIN, please.', 'Thank you.'],
        tools: [{ reply: 0, name: 'ask_pin' }],
      },
    );
    await call.hasSaid(/Which invoice/);
    call.talk(900);
    await requested();
    handOver();
    await call.hasSaid(/This is billing/);
    call.talk(900);
    await call.hasSaid(/Your PIN/);
    call.person.press('4');
    call.person.press('7');
    await call.hasSaid(/Thank you/);
    call.session.remoteHangup(call.time.now());
    const { toolLog, eventLog } = await call.result();
    expect(toolLog.at(-1)).toMatchObject({ name: 'ask_pin', result: { digits: '47', status: 'pressed' } });
    const log = readLog(gunzipSync(Buffer.from(eventLog!, 'base64')).toString());
    expect(firstDifference(log)).toBeNull();
  });

  it('comes back to the first agent, its place in the flow, its voice and its languages, and replays the same', async () => {
    const { call, spoken, requested, handOver } = deskCall(
      ['four two', 'yes', 'goodbye now'],
      { flow: { document: BILLING_FLOW, zone: 'UTC' } },
      {},
      { back: true, edges: [{ to: 'more', on: 'back' }] },
    );
    await call.hasSaid(/Which invoice/);
    call.talk(900);
    await requested();
    expect(call.tools[0]?.args).toMatchObject({ back: true });
    handOver();
    await call.hasSaid(/Have you paid/);
    call.talk(700);
    await call.time.until('the way back', () => call.tools.some(({ args }) => args['comes_back'] === true));
    const { requestId, args } = call.tools.at(-1)!;
    expect(args).toEqual({ comes_back: true });
    const desk = virtualSpec({ spec: {}, agent: { name: 'Desk', voiceKey: 'fake:desk' } });
    const result = { status: 'came_back', agent_id: DESK, agent_name: 'Desk' };
    const { time: scheduler } = call;
    call.session.toolResult(
      requestId,
      { ok: true, result, next: { id: DESK, spec: desk, again: 'first' } },
      { llm: createFakeLlm({ llmMs: 100, scheduler }), tts: createFakeTts({ scheduler }) },
    );
    await call.hasSaid(/Anything else about four two/);
    call.talk(900);
    const { reason, transcript, eventLog, handovers, usage } = await call.result();
    expect(reason).toBe('AGENT_ENDED');
    expect(saidBy(transcript)).toEqual([
      ...TO_BILLING,
      ['Anything else about four two?', null],
      ['Bye.', null],
    ]);
    expect(spoken.map(([, text]) => text).join(' ')).not.toContain('Anything else');
    expect(handovers?.map(({ agent }) => agent.name)).toEqual(['Billing', 'Desk']);
    // What the desk's voice spoke before and after is its own.
    const spokenBy = (name: string | null): number =>
      usage!
        .filter(({ part, agent }) => part === 'tts' && (agent?.name ?? null) === name)
        .reduce((sum, { characters }) => sum + characters, 0);
    const written = (name: string | null): number =>
      saidBy(transcript)
        .filter(([, agent]) => agent === name)
        .reduce((sum, [text]) => sum + text.replaceAll(' ', '').length, 0);
    for (const name of [null, 'Billing']) expect(spokenBy(name)).toBeGreaterThanOrEqual(written(name));
    const log = readLog(gunzipSync(Buffer.from(eventLog!, 'base64')).toString());
    expect(firstDifference(log)).toBeNull();
  });

  it('has the next agent sound as soon after the last words as any reply', async () => {
    const { call, requested, handOver } = deskCall(['four two'], {
      flow: { document: BILLING_FLOW, zone: 'UTC' },
    });
    await call.hasSaid(/Which invoice/);
    call.talk(900);
    await requested();
    handOver();
    await call.hasSaid(/Have you paid/);
    call.session.remoteHangup(call.time.now());
    const { transcript } = await call.result();
    const [before, after] = transcript.filter(({ role }) => role === 'agent').slice(-2);
    // The voice takes 50 ms, and a frame is 20 ms.
    expect(after!.startedAt - before!.endedAt).toBeLessThanOrEqual(100);
  });

  it('keeps its agent and takes the failed edge when no agent takes the call over', async () => {
    const { call, requested } = deskCall(['four two']);
    await call.hasSaid(/Which invoice/);
    call.talk(900);
    await requested();
    call.session.toolResult(call.tools[0]!.requestId, { ok: false, result: { error: 'it is archived' } });
    await call.hasSaid(/Nobody is free/);
    expect((await call.result()).reason).toBe('AGENT_ENDED');
  });
});
