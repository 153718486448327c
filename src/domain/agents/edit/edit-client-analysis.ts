import { errors } from '../../../errors.ts';
import type { ClientAnalysis } from '../agent-version.ts';
import type { EditChange, EditContext } from './edit-context.ts';

export interface EditClientAnalysis {
  context?: string;
  goal_key?: string;
  classification_labels?: string[];
  keys: ClientAnalysis['keys'];
}

/** Replaces what is asked about every call; no keys ends the analysis. Labels are the agent's, whatever the version. */
export function editClientAnalysis({ config }: EditContext, input: EditClientAnalysis): EditChange {
  for (const [name, key] of Object.entries(input.keys)) checkKey(`keys.${name}`, key);
  const goal = input.goal_key ?? null;
  if (goal !== null && !Object.hasOwn(input.keys, goal))
    throw errors.invalid('goal_key', 'must be one of keys');
  const labels = input.classification_labels;
  const isEmpty = Object.keys(input.keys).length === 0;
  return {
    ...(labels === undefined ? {} : { classificationLabels: [...new Set(labels)] }),
    config: {
      ...config,
      client_analysis: isEmpty ? null : { context: input.context ?? '', goal_key: goal, keys: input.keys },
    },
  };
}

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
