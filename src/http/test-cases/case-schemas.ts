import type { Expectation } from '../../store/json/test-case.ts';
import type { Wire } from '../../shared/wire-names.ts';
import { Type, type TSchema } from 'typebox';
import { mapOf, oneOf } from '../../shared/schema-parts.ts';

const strict = { additionalProperties: false };
const MOST_LINES = 30;
const MOST_EXPECTATIONS = 30;
const MOST_RESULTS = 20;

const Turn = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: MOST_LINES,
    description:
      '0: the first message of the agent; n: its answer to the n-th line. Absent: anywhere in the conversation.',
  }),
);
const Phrases = Type.Array(Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' }), {
  minItems: 1,
  maxItems: 10,
  description: 'Words or phrases; case and punctuation do not matter.',
});
const ToolName = Type.String({ minLength: 1, maxLength: 100, example: 'book_slot' });
const Arguments = (description: string) =>
  Type.Optional(mapOf(Type.Unknown(), { maxProperties: 50, description }));

const expectation = <const T extends string>(type: T, description: string, fields: Record<string, TSchema>) =>
  Type.Object({ type: oneOf([type]), ...fields }, { ...strict, description });

/** Discriminated by `type`: errors refer to the named shape. */
const ExpectationSchema = Type.Unsafe<Wire<Expectation>>({
  type: 'object',
  required: ['type'],
  properties: { type: { type: 'string' } },
  discriminator: { propertyName: 'type' },
  oneOf: [
    expectation('says', 'The agent says one of the phrases.', { any_of: Phrases, turn: Turn }),
    expectation('never_says', 'The agent says none of the phrases.', { any_of: Phrases, turn: Turn }),
    expectation('calls_tool', 'The agent calls the tool with at least these arguments.', {
      tool: ToolName,
      arguments: Arguments('The arguments that matter; further ones are allowed.'),
      turn: Turn,
    }),
    expectation('never_calls_tool', 'The agent does not call the tool, or not with these arguments.', {
      tool: ToolName,
      arguments: Arguments('Absent: the tool is not called at all.'),
      turn: Turn,
    }),
    expectation('ends', 'How the conversation is after the last line.', {
      as: Type.Array(oneOf(['AGENT_ENDED', 'CALL_TRANSFERRED', 'OPTED_OUT', 'OPEN']), {
        minItems: 1,
        maxItems: 4,
        description: 'One of these; OPEN: the agent has not ended it.',
      }),
    }),
    expectation('criterion', 'A sentence that must be true of the conversation, judged like evaluations.', {
      criterion: Type.String({
        minLength: 1,
        maxLength: 1000,
        pattern: '\\S',
        example: 'The agent repeats the day before it says goodbye.',
      }),
    }),
  ],
});

export const ToolResults = Type.Array(
  Type.Object(
    {
      tool: ToolName,
      arguments: Arguments('Only for calls with at least these arguments.'),
      ok: Type.Optional(Type.Boolean({ description: 'Default true.' })),
      result: Type.Unknown({ description: 'What the agent gets, at most 8000 characters of JSON.' }),
      variables: Type.Optional(
        mapOf(Type.String({ maxLength: 1000 }), {
          maxProperties: 50,
          description: 'Variables that the answer sets.',
        }),
      ),
    },
    strict,
  ),
  {
    maxItems: MOST_RESULTS,
    description:
      'Answers of tools in this case. Each call takes the first one that fits and was not used; later calls repeat the last that fits.',
  },
);

/** The parts of a test case that a person writes. */
export const CASE_FIELDS = {
  name: Type.String({ minLength: 1, maxLength: 100, pattern: '\\S', example: 'Books Monday at ten' }),
  custom_args_values: Type.Optional(
    mapOf(Type.String({ maxLength: 1000 }), {
      maxProperties: 200,
      description: 'Values of the prompt variables.',
    }),
  ),
  lines: Type.Array(Type.String({ minLength: 1, maxLength: 1000, pattern: '\\S' }), {
    maxItems: MOST_LINES,
    example: ['Yes, speaking.', 'Monday suits me.'],
    description: 'The words of the caller in order; each is answered before the next.',
  }),
  expectations: Type.Array(ExpectationSchema, { maxItems: MOST_EXPECTATIONS }),
  tool_results: Type.Optional(ToolResults),
};
