import { Type, type TSchema } from 'typebox';
import { TOOL_SECONDS } from '../../domain/tools/tool-types.ts';
import { mapOf, oneOf } from './common.ts';

const strict = { additionalProperties: false };
const ToolName = Type.String({
  pattern: '^[a-z][a-z0-9_]{0,63}$',
  'x-rule': 'must be 1 to 64 lower-case letters, digits and underscores, beginning with a letter',
  example: 'find_slots',
});
const VariableName = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[^{}\\r\\n]*$',
  'x-rule': 'must be 1 to 100 characters long, without braces and line ends',
});
const Description = (what: string) => Type.String({ minLength: 1, maxLength: 1000, description: what });
const WHEN = 'When to use it: the model decides by this text.';

const Variable = Type.Object({ source: oneOf(['variable']), name: VariableName }, strict);
const Argument = Type.Object(
  {
    source: oneOf(['argument']),
    type: oneOf(['string', 'number', 'integer', 'boolean']),
    description: Type.Optional(Description('What the model should give.')),
    name: Type.Optional(ToolName),
    enum: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { minItems: 1, maxItems: 50 }),
    ),
    required: Type.Optional(Type.Boolean({ description: 'Default true.' })),
  },
  strict,
);
const ToolValue = Type.Union(
  [Type.String({ maxLength: 4000 }), Type.Number(), Type.Boolean(), Variable, Argument],
  {
    'x-rule':
      'must be a text of at most 4000 characters, a number, a boolean, {source: variable, name} or {source: argument, type}',
    description:
      'Fixed (a text may hold {{variables}}), a variable, or an argument: what the model gives, during a call only.',
  },
);
const values = (description: string) =>
  mapOf(ToolValue, { maxProperties: 50, propertyNames: { minLength: 1, maxLength: 100 }, description });
const Headers = mapOf(Type.String({ maxLength: 4096 }), {
  maxProperties: 50,
  description:
    'A value may hold {{variables}}. What looks like a secret is kept encrypted and shown as four characters and ***; sent back so, it stays.',
});
const Url = Type.String({
  minLength: 1,
  maxLength: 2048,
  example: 'https://api.example.com/v1/clinics/{clinic}/slots',
  description:
    'The only host the tool can reach: nothing before the path may vary, and redirects are not followed.',
});

const request = (seconds: { most: number; preset: number }) => ({
  type: oneOf(['API_TOOL']),
  name: ToolName,
  method: oneOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  url: Url,
  path_params: Type.Optional(values('One for each {name} in the url.')),
  query: Type.Optional(values('Added to the url.')),
  headers: Type.Optional(Headers),
  body: Type.Optional(values('A dot in a key makes an object: customer.phone.')),
  body_format: Type.Optional(oneOf(['json', 'form'], { description: 'Default json.' })),
  timeout_seconds: Type.Optional(
    Type.Number({ minimum: 1, maximum: seconds.most, description: `Default ${seconds.preset}.` }),
  ),
});
const ResultVariables = Type.Optional(
  mapOf(Type.String({ minLength: 1, maxLength: 200, example: 'data.slots[0].time' }), {
    maxProperties: 50,
    propertyNames: { minLength: 1, maxLength: 100 },
    description: 'Variable name to its place in the JSON answer.',
  }),
);

export const PreCallTool = Type.Object(
  {
    ...request(TOOL_SECONDS.preCall),
    description: Type.Optional(Description('For people.')),
    result_variables: ResultVariables,
    on_failure: Type.Optional(
      oneOf(['continue', 'fail_call'], {
        description:
          'Default continue. fail_call: nobody is rung, and the call ends as PRE_CALL_API_FAILED or is retried as a failed one.',
      }),
    ),
  },
  strict,
);
export const PostCallTool = Type.Object(
  { ...request(TOOL_SECONDS.postCall), description: Type.Optional(Description('For people.')) },
  strict,
);

const own = (type: string, description: string) =>
  Type.Object(
    { type: oneOf([type]), description: Type.Optional(Description(WHEN)) },
    { ...strict, description },
  );

const ON_CALL = [
  Type.Object(
    {
      ...request(TOOL_SECONDS.onCall),
      description: Description(WHEN),
      result_variables: ResultVariables,
    },
    strict,
  ),
  Type.Object(
    {
      type: oneOf(['MCP_SERVER']),
      name: ToolName,
      url: Type.String({ minLength: 1, maxLength: 2048, example: 'https://mcp.example.com/mcp' }),
      headers: Type.Optional(Headers),
      allowed_tools: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 128 }), {
          maxItems: 50,
          description: 'Default: every tool of the server, 32 at most.',
        }),
      ),
      timeout_seconds: Type.Optional(Type.Number({ minimum: 1, maximum: TOOL_SECONDS.onCall.most })),
    },
    {
      ...strict,
      description:
        'A server of the Model Context Protocol (streamable HTTP). Its tools are listed when a call starts and named name_tool; one that does not answer in time stops no call.',
    },
  ),
  own('END_CALL_TOOL', 'Every agent can end its calls; this says when.'),
  own('OPT_OUT_TOOL', 'Every agent can put the person on the do-not-call list; this says when.'),
  own('SCHEDULE_CALLBACK_TOOL', 'Every agent can have a call back scheduled; this says when.'),
  Type.Object(
    {
      type: oneOf(['DTMF_TOOL']),
      name: Type.Optional(ToolName),
      description: Type.Optional(Description(WHEN)),
      digits: Type.Optional(
        Type.String({
          pattern: '^[0-9A-D*#]{1,32}$',
          'x-rule': 'must be 1 to 32 keys out of 0-9, *, # and A-D',
          description: 'Default: the model says which keys.',
        }),
      ),
    },
    { ...strict, description: 'Sends keys to the far side (RFC 4733).' },
  ),
  Type.Object(
    {
      type: oneOf(['WAIT_FOR_DTMF_TOOL']),
      name: Type.Optional(ToolName),
      description: Type.Optional(Description(WHEN)),
      digits: Type.Optional(Type.Integer({ minimum: 1, maximum: 32 })),
      timeout_seconds: Type.Optional(Type.Number({ minimum: 1, maximum: TOOL_SECONDS.keys.most })),
      end: Type.Optional(oneOf(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '#'])),
    },
    { ...strict, description: 'Waits for keys of the caller; speech instead of keys ends the wait.' },
  ),
  Type.Object(
    {
      type: oneOf(['CALL_TRANSFER_TOOL']),
      name: Type.Optional(ToolName),
      description: Type.Optional(Description(WHEN)),
      transfer_to: Type.String({
        minLength: 1,
        maxLength: 330,
        example: '+14155550111',
        description: 'A number in E.164 form, or a SIP address.',
      }),
      mode: Type.Optional(
        oneOf(['cold', 'warm'], {
          description:
            'Default cold: the far side is asked to call the number itself (SIP REFER). warm: the service calls it through the trunk of the call, and connects the two. A transfer that fails keeps the caller.',
        }),
      ),
      briefing: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 300,
          example: 'This is {{callee_name}}, about an appointment.',
          description:
            'A warm transfer only: what the person hears, in the voice of the agent, before the caller is connected. May hold {{variables}}.',
        }),
      ),
      ring_timeout_seconds: Type.Optional(Type.Integer({ minimum: 5, maximum: TOOL_SECONDS.ring.most })),
    },
    strict,
  ),
] as const;

/** One of several shapes told apart by `type`: errors are those of the shape named. */
const OnCallToolSchema = Type.Unsafe<never>({
  type: 'object',
  required: ['type'],
  properties: { type: { type: 'string' } },
  discriminator: { propertyName: 'type' },
  oneOf: ON_CALL as unknown as TSchema[],
});

const list = (item: TSchema, description: string) =>
  Type.Unsafe<never[]>({ type: 'array', items: item, maxItems: 32, description });

export const TOOL_FIELDS = {
  edit_pre_call_tools: Type.Object({
    pre_call_tools: list(
      PreCallTool,
      'Asked in this order before the call is dialled (or answered); what they answer can be variables of the prompt. Replaces the list.',
    ),
  }),
  edit_on_call_tools: Type.Object({
    on_call_tools: list(OnCallToolSchema, 'What the agent may use during a call. Replaces the list.'),
  }),
  edit_post_call_tools: Type.Object({
    post_call_tools: list(
      PostCallTool,
      'Sent once each when a call is over, with retries and an Idempotency-Key. Beside the variables of the call: call_id, call_status, call_sub_status, call_duration, call_direction, from_number, to_number, agent_id, answered_at, ended_at, hangup_by, transcript, callback_at. Replaces the list.',
    ),
  }),
  edit_llm: Type.Object({
    llm: Type.Object(
      {
        provider: oneOf(['default', 'openai_compatible'], {
          description: "default: the service's own model; openai_compatible: a server of yours.",
        }),
        model: Type.Optional(Type.String({ minLength: 1, maxLength: 200, example: 'my-model' })),
        base_url: Type.Optional(
          Type.String({ minLength: 1, maxLength: 2048, example: 'https://llm.example.com/v1' }),
        ),
        api_key: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 500,
            description: 'Kept encrypted, shown as four characters and ***; sent back so, it stays.',
          }),
        ),
        temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 2 })),
        max_tokens: Type.Optional(Type.Integer({ minimum: 16, maximum: 4000 })),
      },
      strict,
    ),
  }),
};

/** Tools as shown: whatever shape they have. */
export const ShownTools = Type.Array(Type.Object({}, { additionalProperties: true }), {
  description: 'As sent; what looks like a secret is masked.',
});
export const ShownLlm = Type.Unsafe<object | null>({
  type: ['object', 'null'],
  additionalProperties: true,
  description: 'Set by edit_llm, its key masked; null: the model of the service.',
});
