import type { Answer } from '../../api/client.ts';
import { DETECTOR_NAMES } from '../call/detector-names.ts';

export type Criterion = NonNullable<Answer<'getScorecard'>['scorecard']>['criteria'][number];
export type Rule = Criterion['rule'];

/** A criterion as the form has it: one text for what its rule needs. */
export interface CriterionDraft {
  readonly name: string;
  readonly points: string;
  readonly rule: Rule;
  readonly text: string;
}

/** How each rule is called, and what its text means. */
export const RULES: Readonly<Record<Rule, { readonly name: string; readonly asks: string }>> = {
  no_finding: { name: 'A detector finds nothing', asks: 'Detector' },
  result_is: { name: 'The result is one of', asks: 'Results, one a line' },
  captured: { name: 'A value was captured', asks: 'Key of the client analysis' },
  duration: { name: 'The call is no longer than', asks: 'Seconds' },
  agent_says: { name: 'The assistant says one of', asks: 'Phrases, one a line' },
  agent_never_says: { name: 'The assistant says none of', asks: 'Phrases, one a line' },
  criterion_met: { name: 'A criterion of the analysis is met', asks: 'Name of the criterion' },
};

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const DETECTORS = Object.keys(DETECTOR_NAMES) as (keyof typeof DETECTOR_NAMES)[];
const detectorOf = (text: string) => DETECTORS.find((name) => name === text) ?? 'dead_air';

/** What the API takes; a text that is not valid is refused there. */
export function toCriterion({ name, points, rule, text }: CriterionDraft): Criterion {
  const base = { name: name.trim(), points: Number(points) };
  switch (rule) {
    case 'no_finding':
      return { ...base, rule, detector: detectorOf(text) };
    case 'captured':
      return { ...base, rule, key: text.trim() };
    case 'duration':
      return { ...base, rule, max: Number(text) };
    case 'criterion_met':
      return { ...base, rule, criterion: text.trim() };
    case 'agent_never_says':
    case 'agent_says':
    case 'result_is':
      return { ...base, rule, of: linesOf(text) };
    default:
      return rule satisfies never;
  }
}

export function toDraft(criterion: Criterion): CriterionDraft {
  const { name, points, rule } = criterion;
  const base = { name, points: String(points), rule };
  if ('detector' in criterion) return { ...base, text: criterion.detector };
  if ('key' in criterion) return { ...base, text: criterion.key };
  if ('criterion' in criterion) return { ...base, text: criterion.criterion };
  if ('of' in criterion) return { ...base, text: criterion.of.join('\n') };
  return { ...base, text: 'max' in criterion ? String(criterion.max ?? '') : '' };
}
