import { expect, it } from 'vitest';
import { AgentBrains } from '../providers/ports/agent-brains.ts';
import type { LlmSession, ModelUsage } from '../providers/ports/model.ts';
import { NEW_TALK, takeTurn } from './turn.ts';

const BILLING = '0190a2f4-0000-7000-8000-000000000001';
const usage = (inputTokens: number): ModelUsage => ({
  vendor: 'v',
  model: 'm',
  inputTokens,
  cachedTokens: 0,
  outputTokens: 5,
});

/** Hands over at once with a summary, which its model writes. */
const desk: LlmSession = {
  reply: (_request, onEvent) => {
    const args = { agent_id: BILLING, summary: 'Nothing was said before.' };
    onEvent({ type: 'tool', id: 't', name: 'hand_over', args });
    onEvent({ type: 'done', memory: null, expected: null, usage: usage(10) });
  },
  summarise: (_history, _signal, onDone) => onDone('They ask for a bill.', usage(70)),
  close: () => undefined,
};
const billing: LlmSession = {
  reply: (_request, onEvent) => {
    onEvent({ type: 'delta', text: 'Which bill?' });
    onEvent({ type: 'done', memory: null, expected: null, usage: usage(20) });
  },
  close: () => undefined,
};

it('a turn counts the tokens of the summary that a model writes for a handover', async () => {
  const brains = new AgentBrains(desk);
  const turn = await takeTurn(
    {
      llm: brains,
      optOut: { words: () => false, keys: () => false },
      runTool: async () => {
        const by = { vendor: 'v', model: 'm', isFirst: true, agent: { id: BILLING, name: 'Billing' } };
        brains.add(BILLING, { session: billing, introMessage: '', goesOn: true, by });
        const summary = await brains.summary();
        return { ok: true, result: { status: 'handed_over', agent_id: BILLING, summary } };
      },
      phrases: { apology: '', technicalGoodbye: '' },
      now: () => 0,
      signal: new AbortController().signal,
    },
    NEW_TALK,
    ['my bill'],
  );
  expect(turn.said).toEqual(['Which bill?']);
  expect(new Set(turn.usage.map(({ inputTokens }) => inputTokens))).toEqual(new Set([10, 20, 70]));
  expect(turn.rounds).toBe(2);
});

it('a turn that enters a step with a summary keeps it in the history for the next one, and counts its tokens', async () => {
  const step: LlmSession = {
    reply: (_request, onEvent) => {
      onEvent({ type: 'delta', text: 'Gladly.' });
      const summarises = [{ role: 'caller', text: 'my bill', by: 'text' }] as const;
      onEvent({ type: 'done', memory: null, expected: null, usage: usage(10), summarises });
    },
    summarise: (history, _signal, onDone) => onDone(`${history.length} line.`, usage(70)),
    close: () => undefined,
  };
  const { talk, usage: used } = await takeTurn(
    {
      llm: new AgentBrains(step),
      optOut: { words: () => false, keys: () => false },
      runTool: () => Promise.resolve({ ok: true, result: null }),
      phrases: { apology: '', technicalGoodbye: '' },
      now: () => 0,
      signal: new AbortController().signal,
    },
    NEW_TALK,
    ['my bill'],
  );
  expect(talk.history.at(-1)).toEqual({
    role: 'note',
    text: 'Summary of the conversation before this step: 1 line.',
  });
  expect(new Set(used.map(({ inputTokens }) => inputTokens))).toEqual(new Set([10, 70]));
});
