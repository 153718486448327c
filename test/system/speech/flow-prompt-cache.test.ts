import { fakeOpenai, startFakeVendor, type FakeVendor } from '@callwright/stand-ins';
import type { HistoryItem } from '@callwright/turns';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openModel } from '../../../src/providers/choose/models.ts';
import { openFlow } from '../../../src/providers/flow/session.ts';
import type { BrainContext, LlmEvent } from '../../../src/providers/ports/model.ts';
import type { Flow } from '../../../src/voice/flow/document.ts';

let vendor: FakeVendor;
beforeAll(async () => {
  vendor = await startFakeVendor(fakeOpenai);
});
afterAll(() => vendor?.close());

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
