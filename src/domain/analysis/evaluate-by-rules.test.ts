import { describe, expect, it } from 'vitest';
import type { AnalysisInput } from './analysis.ts';
import { evaluateByRules } from './evaluate-by-rules.ts';
import { readModelAnswer } from './model-analyst.ts';
import { modelRequest } from './model-request.ts';

const input = (...criteria: readonly string[]): AnalysisInput => ({
  language: 'en-US',
  timeZone: 'America/New_York',
  endedAt: Date.UTC(2026, 0, 5, 10),
  subStatus: 'AGENT_ENDED',
  hangupBy: 'agent',
  agentName: 'Maya',
  prompt: '',
  transcript: [
    { role: 'agent', text: 'Hello! This call is recorded. Can you come on Tuesday?' },
    { role: 'caller', text: "I can't on Tuesday, but Friday is fine." },
  ],
  tools: [{ name: 'book_slot', args: {} }],
  labels: [],
  client: null,
  evaluations: criteria.map((criterion, n) => ({ name: `c${n}`, criterion })),
});
const results = (...criteria: readonly string[]): string[] =>
  evaluateByRules(input(...criteria)).map(({ result }) => result);

describe('an evaluation by rules', () => {
  it.each([
    ['The agent says "this call is recorded".', 'passed'],
    ['The agent must mention “Tuesday” at least once', 'passed'],
    ['The agent says "goodbye"', 'failed'],
    ['The agent never says "Friday"', 'passed'],
    ['The agent doesn’t say "Tuesday"', 'failed'],
    ['The caller says "Friday is fine"', 'passed'],
    ['The customer said "can\'t"', 'passed'],
    // Words of the other side, and a part of a word.
    ['The caller says "recorded"', 'failed'],
    ['The agent says "record"', 'failed'],
    ['The tool "book_slot" is used', 'passed'],
    ['The agent calls the tool `cancel_slot`.', 'failed'],
    ['The tool "cancel_slot" is not used', 'passed'],
    ['The agent does not use the tool "book_slot"', 'failed'],
  ])('%s: %s', (criterion, result) => {
    expect(results(criterion)).toEqual([result]);
  });

  it.each([
    'The agent is polite.',
    'The agent says hello and asks for a day.',
    'The agent says "hello" and "goodbye"',
    'The mood is "friendly"',
    'The agent says ""',
    '',
  ])('does not judge what needs understanding, and says why: %s', (criterion) => {
    const [judged] = evaluateByRules(input(criterion));
    expect(judged?.result).toBe('not_judged');
    expect(judged?.reason).toMatch(/^Without a language model/);
  });

  it('gives the line or the tool as reason', () => {
    expect(evaluateByRules(input('The caller says "Friday"', 'The tool "x" is used'))).toEqual([
      { name: 'c0', result: 'passed', reason: "The caller said: I can't on Tuesday, but Friday is fine." },
      { name: 'c1', result: 'failed', reason: 'The tool x was not used.' },
    ]);
  });
});

describe('an evaluation by a model', () => {
  const asked = input('The agent is polite.');
  const answer = (evaluations: unknown) =>
    readModelAnswer(
      JSON.stringify({
        summary: 'A call.',
        classification: 'completed',
        key_points: [],
        action_items: [],
        sentiment: 'neutral',
        callback_requested: false,
        callback_requested_time: null,
        evaluations,
      }),
      asked,
    );

  it('is requested with the criteria, as one entry of the schema for each', () => {
    const { user, schema } = modelRequest(asked);
    expect(JSON.parse(user)).toMatchObject({ criteria: asked.evaluations });
    expect(schema).toMatchObject({ properties: { evaluations: { required: ['c0'] } } });
    expect(JSON.stringify(modelRequest(input()))).not.toMatch(/criteria":|evaluations"/);
  });

  it('is accepted with a known result and a reason, and a violation otherwise', () => {
    const good = { c0: { result: 'passed', reason: 'It greets.' } };
    expect(answer(good)).toMatchObject({
      ok: true,
      analysis: { evaluations: [{ name: 'c0', ...good.c0 }] },
    });
    for (const bad of [
      undefined,
      {},
      { c0: null },
      { c0: { result: 'great', reason: '' } },
      { c0: { result: 'failed' } },
    ]) {
      expect(answer(bad)).toMatchObject({
        ok: false,
        problems: [expect.stringMatching(/^evaluations\.c0 must/)],
      });
    }
  });
});
