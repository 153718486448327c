import { expect, it } from 'vitest';
import { toCriterion, toDraft, type Criterion } from './scorecard-rules.ts';

it.each<readonly [string, Criterion]>([
  ['a detector', { name: 'a', points: 1, rule: 'no_finding', detector: 'loop' }],
  ['results', { name: 'a', points: 2, rule: 'result_is', of: ['Yes', 'No'] }],
  ['a value', { name: 'a', points: 3, rule: 'captured', key: 'day' }],
  ['a length', { name: 'a', points: 4, rule: 'duration', max: 90 }],
  ['phrases', { name: 'a', points: 5, rule: 'agent_says', of: ['is booked'] }],
  ['forbidden phrases', { name: 'a', points: 6, rule: 'agent_never_says', of: ['guarantee'] }],
  ['a criterion of the analysis', { name: 'a', points: 7, rule: 'criterion_met', criterion: 'polite' }],
])('the form keeps a criterion of %s as it is', (_, criterion) => {
  expect(toCriterion(toDraft(criterion))).toEqual(criterion);
});
