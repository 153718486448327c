import type { ClientAnalysis } from '../../../store/json/agent-version.ts';
import { errors } from '../../../errors.ts';
import { operation } from './operation.ts';

interface ClientAnalysisEdit {
  readonly context?: string;
  /** One of `keys`. */
  readonly goalKey?: string;
  /** Of the agent's calls in every version; absent: they stay. */
  readonly classificationLabels?: readonly string[];
  readonly keys: ClientAnalysis['keys'];
}

/** Replaces the client analysis; no keys removes it. The labels belong to the agent, not to the version. */
export const editClientAnalysis = operation<ClientAnalysisEdit>(({ config }, input) => {
  for (const [name, key] of Object.entries(input.keys)) checkKey(`keys.${name}`, key);
  const goal = input.goalKey ?? null;
  if (goal !== null && !Object.hasOwn(input.keys, goal))
    throw errors.invalid('goal_key', 'must be one of keys');
  const labels = input.classificationLabels;
  const isEmpty = Object.keys(input.keys).length === 0;
  return {
    ...(labels === undefined ? {} : { classificationLabels: [...new Set(labels)] }),
    config: {
      ...config,
      clientAnalysis: isEmpty ? null : { context: input.context ?? '', goalKey: goal, keys: input.keys },
    },
  };
});

const DATE = /^\d{4}-\d{2}-\d{2}$/;

function checkKey(path: string, key: ClientAnalysis['keys'][string]): void {
  const values = key.values ?? [];
  if (key.type === 'enum' && values.length === 0) {
    throw errors.invalid(`${path}.values`, 'is required for the type enum');
  }
  if (key.type !== 'enum' && key.values !== undefined) {
    throw errors.invalid(`${path}.values`, 'is only for the type enum');
  }
  const preset = key.default;
  if (preset === undefined || preset === null) return;
  const fits = {
    string: typeof preset === 'string',
    number: typeof preset === 'number',
    boolean: typeof preset === 'boolean',
    date: typeof preset === 'string' && DATE.test(preset),
    enum: typeof preset === 'string' && values.includes(preset),
  }[key.type];
  if (!fits) throw errors.invalid(`${path}.default`, `must be a value of the type ${key.type}`);
}
