import { expect, it } from 'vitest';
import { OUTCOMES as LABELS } from '../../../src/domain/calls/outcomes.ts';
import { ENDING_TEXTS } from '../../../src/domain/calls/result.ts';
import { TRANSLATED, wordsOf } from '../../../test/helpers/words.ts';
import { OUTCOMES, outcomeName } from './outcomes.ts';
import { RESULT_NAMES, SENTIMENT_NAMES } from './result-names.ts';

const inWords = (label: string): string =>
  label.charAt(0).toUpperCase() + label.slice(1).replaceAll('_', ' ');

it('names every result that the service gives a call', () => {
  expect([...RESULT_NAMES].toSorted()).toEqual(
    [...new Set([...ENDING_TEXTS, ...LABELS.map(inWords)])].toSorted(),
  );
});

it.each(TRANSLATED)('has a word for every result and every way a call ends, %s', async (language) => {
  const words = await wordsOf(language);
  const shown = [...RESULT_NAMES, ...SENTIMENT_NAMES, ...Object.values(OUTCOMES)];
  expect(shown.filter((text) => words[text] === undefined)).toEqual([]);
});

it('says of a call with words in it that it is on the phone', () => {
  expect(['RINGING', 'ACCEPTED'].map(outcomeName)).toEqual(['Ringing', 'On the phone']);
});

it('says how a call ended without the words of programs', () => {
  expect(['AGENT_ENDED', 'USER_LEFT', 'DND_SKIPPED', 'PRE_CALL_API_FAILED'].map(outcomeName)).toEqual([
    'The assistant hung up',
    'The person hung up',
    'On the do-not-call list',
    'A tool before the call failed',
  ]);
  expect(outcomeName(null)).toBe('–');
});
