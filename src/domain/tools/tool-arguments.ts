import { wireName } from '../../shared/wire-names.ts';
import type { StoredApiTool, ToolValue } from '../../store/json/tools.ts';

type Argument = Extract<ToolValue, { source: 'argument' }>;

export interface PlacedArgument {
  /** The model's name for the argument. */
  readonly name: string;
  /** Its path in the tool as the API names it: `query.day`. */
  readonly place: string;
  readonly argument: Argument;
}

const PLACES = ['pathParams', 'query', 'body'] as const;

export const isArgument = (value: unknown): value is Argument =>
  typeof value === 'object' && value !== null && (value as { source?: unknown }).source === 'argument';

/** The arguments of a request, in order of appearance. */
export function argumentsOf(tool: StoredApiTool): PlacedArgument[] {
  return PLACES.flatMap((place) =>
    Object.entries(tool[place] ?? {}).flatMap(([key, value]) =>
      isArgument(value)
        ? [{ name: value.name ?? key, place: `${wireName(place)}.${key}`, argument: value }]
        : [],
    ),
  );
}

/** The arguments as a JSON Schema. */
export function parametersOf(tool: StoredApiTool): Record<string, unknown> {
  const all = argumentsOf(tool);
  return {
    type: 'object',
    properties: Object.fromEntries(
      all.map(({ name, argument }) => [
        name,
        {
          // The model passes a text in place of the keys.
          type: argument.sensitive === true ? 'string' : argument.type,
          ...(argument.description === undefined ? {} : { description: argument.description }),
          ...(argument.enum === undefined ? {} : { enum: argument.enum }),
        },
      ]),
    ),
    required: all.filter(({ argument }) => argument.required !== false).map(({ name }) => name),
    additionalProperties: false,
  };
}
