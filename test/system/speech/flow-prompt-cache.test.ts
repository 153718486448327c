import { fakeAnthropic, fakeOpenai, startFakeVendor, type FakeVendor } from '@callwright/stand-ins';
import type { HistoryItem } from '@callwright/turns';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openModel } from '../../../src/providers/choose/models.ts';
import { openFlow } from '../../../src/providers/flow/session.ts';
import type { BrainContext, LlmEvent } from '../../../src/providers/ports/model.ts';
import type { Flow } from '../../../src/voice/flow/document.ts';

let vendor: FakeVendor;
let anthropic: FakeVendor;
beforeAll(async () => {
  vendor = await startFakeVendor(fakeOpenai);
  anthropic = await startFakeVendor(fakeAnthropic, {
    settings: {
      replies: [
        { text: 'Hello.' },
        { text: 'Yes.' },
        { tools: [{ name: 'go_to_step', args: { step: 'book' } }] },
        { text: 'Which day?' },
      ],
    },
  });
});
afterAll(() => Promise.all([vendor?.close(), anthropic?.close()]));

const CONTEXT: BrainContext = {
  language: 'en-US',
  secondaryLanguage: null,
  prompt: '',
  instructions: `You are Asha of City Dental. ${'The practice is open from nine to five. '.repeat(20)}`,
  sections: [],
  introMessage: 'Hello.',
  agentName: 'Asha',
  variables: {},
  understandsSpeech: true,
  tools: [],
  callDirection: 'outbound',
};
const FLOW: Flow = {
  start: 'lead',
  nodes: [
    {
      id: 'lead',
      type: 'talk',
      prompt: 'Answer questions about the practice.',
      edges: [{ to: 'bye', when: 'takes leave', examples: ['goodbye'] }],
    },
    { id: 'bye', type: 'end', say: 'Goodbye.' },
  ],
};

it('a step that a model leads asks with the same prompt prefix in each turn, which the vendor has in its cache', async () => {
  const llm = openModel({
    vendor: 'openai-compatible',
    baseUrl: `${vendor.baseUrl}/v1`,
    key: 'sk-test',
    model: 'tiny',
    firstTokenMs: 30_000,
    betweenTokensMs: 10_000,
  });
  const session = openFlow(llm, { document: FLOW, zone: 'UTC' }, CONTEXT, () => 0);
  const history: HistoryItem[] = [{ role: 'agent', text: 'Hello.', interrupted: false }];
  let memory: unknown = null;
  const counts: (readonly [input: number, cached: number])[] = [];
  for (const text of ['Are you open?', 'When do you close?', 'Is it far?', 'And on Friday?']) {
    history.push({ role: 'caller', text, by: 'speech' });
    const done = await new Promise<Extract<LlmEvent, { type: 'done' }>>((resolve, reject) => {
      session.reply({ history, memory, signal: new AbortController().signal }, (event) => {
        if (event.type === 'done') resolve(event);
        if (event.type === 'failed') reject(new Error(event.message));
      });
    });
    memory = done.memory;
    history.push({ role: 'agent', text: 'From nine to five.', interrupted: false });
    counts.push([done.usage?.inputTokens ?? 0, done.usage?.cachedTokens ?? 0]);
  }
  session.close();
  await llm.close();
  const instructions = Math.floor(CONTEXT.instructions.length / 4);
  expect(counts[0]?.[1]).toBe(0);
  // Every later turn reads the instructions from the cache, and pays for the conversation alone.
  expect(counts.slice(1).every(([input, cached]) => cached >= instructions && cached < input)).toBe(true);
  expect(new Set(counts.slice(1).map(([, cached]) => cached)).size).toBe(1);
});

it('the next step of a flow asks with the tools and the prompt prefix of the one before, which the vendor has in its cache', async () => {
  const tools = ['slots', 'refund'].map((name) => ({
    name,
    description: '',
    parameters: { type: 'object', properties: {} },
  }));
  const flow: Flow = {
    start: 'lead',
    nodes: [
      {
        id: 'lead',
        type: 'talk',
        prompt: 'Answer questions about the practice.',
        tools: [],
        edges: [{ to: 'book', when: 'wants to book' }],
      },
      {
        id: 'book',
        type: 'talk',
        prompt: 'Find a day.',
        tools: ['slots'],
        edges: [{ to: 'bye', when: 'takes leave' }],
      },
      { id: 'bye', type: 'end', say: 'Goodbye.' },
    ],
  };
  const llm = openModel({
    vendor: 'anthropic',
    baseUrl: anthropic.baseUrl,
    key: 'sk-test',
    model: 'claude',
    firstTokenMs: 30_000,
    betweenTokensMs: 10_000,
  });
  const session = openFlow(llm, { document: flow, zone: 'UTC' }, { ...CONTEXT, tools }, () => 0);
  const history: HistoryItem[] = [{ role: 'agent', text: 'Hello.', interrupted: false }];
  let memory: unknown = null;
  const cached: number[] = [];
  const steps: (string | null)[] = [];
  for (const text of ['Are you open?', 'I would like to come in', 'On Friday']) {
    history.push({ role: 'caller', text, by: 'speech' });
    const done = await new Promise<Extract<LlmEvent, { type: 'done' }>>((resolve, reject) => {
      session.reply({ history, memory, signal: new AbortController().signal }, (event) => {
        if (event.type === 'done') resolve(event);
        if (event.type === 'failed') reject(new Error(event.message));
      });
    });
    memory = done.memory;
    steps.push((memory as { flow: { at: string | null } }).flow.at);
    history.push({ role: 'agent', text: 'Yes.', interrupted: false });
    cached.push(done.usage?.cachedTokens ?? 0);
  }
  session.close();
  await llm.close();
  expect(steps).toEqual(['lead', 'book', 'book']);
  const bodies = anthropic.received.map(
    (body) => JSON.parse(body) as { tools: unknown; system: { text: string }[] },
  );
  expect(bodies).toHaveLength(5);
  expect(new Set(bodies.map((body) => JSON.stringify(body.tools))).size).toBe(1);
  expect(new Set(bodies.map(({ system }) => system[0]?.text)).size).toBe(1);
  expect(new Set(bodies.map(({ system }) => system[1]?.text)).size).toBe(2);
  // The second reply asks in the old step, in the new one, and again because the stand-in chooses the new one twice.
  const prefix = cached[2]!;
  expect(prefix).toBeGreaterThanOrEqual(Math.floor(CONTEXT.instructions.length / 4));
  expect(cached).toEqual([0, 3 * prefix, prefix]);
});
