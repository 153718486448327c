import type { EvaluationCriterion } from '../../../store/json/agent-version.ts';
import { errors } from '../../../errors.ts';
import { operation } from './operation.ts';

/** Replaces the criteria by which every conversation is judged; an empty list removes them. */
export const editEvaluations = operation<{ evaluations: EvaluationCriterion[] }>(
  ({ config }, { evaluations }) => ({ config: { ...config, evaluations } }),
  ({ evaluations }) => {
    const names = evaluations.map(({ name }) => name);
    const again = names.findIndex((name, at) => names.indexOf(name) !== at);
    if (again !== -1) throw errors.invalid(`evaluations[${again}].name`, 'must differ from the other names');
  },
);
