import type { ClientAnalysis } from '../../../store/json/agent-version.ts';
import { Type } from 'typebox';
import { errors } from '../../../errors.ts';
import { mapOf, oneOf } from '../../../shared/schema-parts.ts';
import { operation } from './operation.ts';

const AnalysisKey = Type.Object({
  type: oneOf(['string', 'number', 'boolean', 'date', 'enum']),
  values: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      minItems: 1,
      maxItems: 50,
      description: 'The values of an enum.',
    }),
  ),
  description: Type.Optional(Type.String({ maxLength: 1000 })),
  default: Type.Optional(
    Type.Union([Type.String({ maxLength: 1000 }), Type.Number(), Type.Boolean(), Type.Null()], {
      'x-rule': 'must be a text of at most 1000 characters, a number, a boolean or null',
    }),
  ),
});

/** Replaces the client analysis; no keys removes it. The labels belong to the agent, not to the version. */
export const editClientAnalysis = operation(
  Type.Object({
    context: Type.Optional(Type.String({ maxLength: 5000 })),
    goal_key: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'One of keys.' })),
    classification_labels: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
        maxItems: 30,
        description:
          "Labels for the calls of the agent, in every version; replaces the list, and an empty one restores the service's own labels.",
      }),
    ),
    keys: mapOf(AnalysisKey, {
      maxProperties: 50,
      propertyNames: { minLength: 1, maxLength: 100 },
      description: 'Questions about every call. Replaces the analysis; an empty object removes it.',
    }),
  }),
  ({ config }, input) => {
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
  },
);

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
