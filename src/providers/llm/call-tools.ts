import type { ToolSpec } from '../ports/model.ts';
import type { SdkRequest } from './vendor-model.ts';

/** Built-in tools of every agent; the session runs them. */
const CALL_TOOLS: readonly ToolSpec[] = [
  {
    name: 'end_call',
    description: 'Hang up once your goodbye has been heard.',
    parameters: { type: 'object', properties: {}, additionalProperties: false },
  },
  {
    name: 'opt_out',
    description: 'The caller does not want to be called again. Ends the call after your last sentence.',
    parameters: { type: 'object', properties: {}, additionalProperties: false },
  },
  {
    name: 'schedule_callback',
    description: 'The caller wants to be called back at another time.',
    parameters: {
      type: 'object',
      properties: {
        when: {
          type: 'string',
          description: 'Day and time as YYYY-MM-DDTHH:MM, or in English words such as "tomorrow at 3 pm".',
        },
      },
      required: ['when'],
      additionalProperties: false,
    },
  },
];

/** The tools of a call: those of the agent and the built-in ones. */
export function callTools(specs: readonly ToolSpec[]): readonly ToolSpec[] {
  const known = new Map(CALL_TOOLS.map((spec) => [spec.name, spec]));
  for (const spec of specs) {
    const own = known.get(spec.name);
    // An agent may override the description of a built-in tool, not its schema.
    const description = spec.description === '' ? own?.description : spec.description;
    known.set(spec.name, own === undefined ? spec : { ...own, description: description ?? own.description });
  }
  return [...known.values()];
}

/** The same as a language model's SDK takes them. */
export const toolsOf = (specs: readonly ToolSpec[]): NonNullable<SdkRequest['tools']> =>
  callTools(specs).map(({ name, description, parameters }) => ({
    type: 'function',
    name,
    description,
    inputSchema: parameters,
  }));
