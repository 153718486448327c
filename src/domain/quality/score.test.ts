import { array, assert, constantFrom, integer, property, record } from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ScoreCriterion } from '../../store/json/scorecard.ts';
import { scoreOf, type ScoredCall } from './score.ts';

const CALL: ScoredCall = {
  findings: [{ detector: 'loop', detail: '3 times “Hello”' }],
  result: 'Confirmed: yes',
  durationMs: 42_500,
  captured: { day: 'Tuesday', people: null },
  evaluations: [{ name: 'polite', result: 'not_judged', reason: 'It does not show.' }],
  agentLines: ['Your appointment is booked, thank you!'],
};
const of = (rule: object, call: ScoredCall = CALL) =>
  scoreOf([{ name: 'it', points: 5, ...rule } as ScoreCriterion], call);
const resultOf = (rule: object, call?: ScoredCall) => of(rule, call).verdicts[0]?.result;

describe('scoreOf', () => {
  it.each([
    ['a detector that found nothing', { rule: 'no_finding', detector: 'dead_air' }, 'passed'],
    ['a detector that found something', { rule: 'no_finding', detector: 'loop' }, 'failed'],
    ['a result of the list', { rule: 'result_is', of: ['Confirmed: yes'] }, 'passed'],
    ['another result', { rule: 'result_is', of: ['Busy'] }, 'failed'],
    ['a captured value', { rule: 'captured', key: 'day' }, 'passed'],
    ['a value that is missing', { rule: 'captured', key: 'people' }, 'failed'],
    ['a call that is long enough', { rule: 'duration', min: 30 }, 'passed'],
    ['a call that is too long', { rule: 'duration', max: 30 }, 'failed'],
    ['words that the agent said', { rule: 'agent_says', of: ['is booked'] }, 'passed'],
    ['words that the agent must not say', { rule: 'agent_never_says', of: ['THANK you'] }, 'failed'],
    [
      'a criterion that the analysis did not judge',
      { rule: 'criterion_met', criterion: 'polite' },
      'not_judged',
    ],
    ['a criterion that the agent does not have', { rule: 'criterion_met', criterion: 'brief' }, 'not_judged'],
  ])('judges %s', (_, rule, result) => {
    expect(resultOf(rule)).toBe(result);
  });

  it('judges nothing that the call does not show', () => {
    const empty = { ...CALL, result: null, captured: null, durationMs: null };
    for (const rule of [
      { rule: 'result_is', of: ['x'] },
      { rule: 'captured', key: 'day' },
      { rule: 'duration' },
    ])
      expect(of(rule, empty)).toMatchObject({ score: null, verdicts: [{ result: 'not_judged' }] });
  });

  it('takes the verdict and the reason of the analysis', () => {
    const evaluations = [{ name: 'polite', result: 'failed' as const, reason: 'It shouts.' }];
    expect(of({ rule: 'criterion_met', criterion: 'polite' }, { ...CALL, evaluations })).toMatchObject({
      score: 0,
      verdicts: [{ result: 'failed', reason: 'It shouts.' }],
    });
  });

  it('weighs criteria by their points, and leaves out those that could not be judged', () => {
    const criteria: ScoreCriterion[] = [
      { name: 'a', points: 3, rule: 'no_finding', detector: 'dead_air' },
      { name: 'b', points: 1, rule: 'no_finding', detector: 'loop' },
      { name: 'c', points: 90, rule: 'criterion_met', criterion: 'polite' },
    ];
    expect(scoreOf(criteria, CALL).score).toBe(75);
  });

  it('stays between 0 and 100, and another passed criterion never lowers it', () => {
    const criterion = record({
      name: constantFrom('x'),
      points: integer({ min: 1, max: 100 }),
      rule: constantFrom('no_finding' as const),
      detector: constantFrom('loop', 'dead_air'),
    });
    assert(
      property(array(criterion, { minLength: 1 }), (criteria) => {
        const before = scoreOf(criteria, CALL).score ?? 0;
        const more = { name: 'more', points: 7, rule: 'no_finding' as const, detector: 'talk_over' };
        const after = scoreOf([...criteria, more], CALL).score ?? 0;
        expect(before).toBeGreaterThanOrEqual(0);
        expect(after).toBeLessThanOrEqual(100);
        expect(after).toBeGreaterThanOrEqual(before - 1e-9);
      }),
    );
  });
});
