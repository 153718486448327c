import type { OnCallTool, PostCallTool, PreCallTool } from '../../store/json/tools.ts';
import { Type, type TSchema } from 'typebox';
import { mapOf, oneOf } from '../../shared/schema-parts.ts';
import type { Wire } from '../../shared/wire-names.ts';
import { VariableName } from './variable-name.ts';
import { TOOL_SECONDS } from '../../domain/tools/tool-types.ts';

const strict = { additionalProperties: false };
const ToolName = Type.String({
  pattern: '^[a-z][a-z0-9_]{0,63}$',
  'x-rule': 'must be 1 to 64 lower-case letters, digits and underscores, beginning with a letter',
  example: 'find_slots',
});
const Description = (what: string) => Type.String({ minLength: 1, maxLength: 1000, description: what });
const WHEN = 'When to use the tool; the model decides by this text.';

const Variable = Type.Object({ source: oneOf(['variable']), name: VariableName }, strict);
const Argument = Type.Object(
  {
    source: oneOf(['argument']),
    type: oneOf(['string', 'number', 'integer', 'boolean']),
    description: Type.Optional(Description('The value that the model should provide.')),
    name: Type.Optional(ToolName),
    enum: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { minItems: 1, maxItems: 50 }),
    ),
    required: Type.Optional(Type.Boolean({ description: 'Default true.' })),
    sensitive: Type.Optional(
      Type.Boolean({
        description:
          "During a call: may get the caller's sensitive keys, and is hidden in the tool log. Default false.",
      }),
    ),
  },
  strict,
);
const ToolValue = Type.Union(
  [Type.String({ maxLength: 4000 }), Type.Number(), Type.Boolean(), Variable, Argument],
  {
    'x-rule':
      'must be a text of at most 4000 characters, a number, a boolean, {source: variable, name} or {source: argument, type}',
    description:
      'A fixed value (text may contain {{variables}}), a variable, or an argument that the model provides (during a call only).',
  },
);
const values = (description: string) =>
  mapOf(ToolValue, { maxProperties: 50, propertyNames: { minLength: 1, maxLength: 100 }, description });
const Headers = mapOf(Type.String({ maxLength: 4096 }), {
  maxProperties: 50,
  description:
    'Values may contain {{variables}}. Values that look like secrets are stored encrypted and shown as four characters and ***; send the mask to keep the stored value.',
});
const Url = Type.String({
  minLength: 1,
  maxLength: 2048,
  example: 'https://api.example.com/v1/clinics/{clinic}/slots',
  description:
    'Fixes the host of the tool: only path and query may contain parameters, and redirects are not followed.',
});

const request = (seconds: { most: number; preset: number }) => ({
  type: oneOf(['API_TOOL']),
  name: ToolName,
  method: oneOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  url: Url,
  path_params: Type.Optional(values('One value per {name} in the url.')),
  query: Type.Optional(values('Query parameters.')),
  headers: Type.Optional(Headers),
  body: Type.Optional(values('A dot in a key creates a nested object: customer.phone.')),
  body_format: Type.Optional(oneOf(['json', 'form'], { description: 'Default json.' })),
  timeout_seconds: Type.Optional(
    Type.Number({ minimum: 1, maximum: seconds.most, description: `Default ${seconds.preset}.` }),
  ),
});
const ResultVariables = Type.Optional(
  mapOf(Type.String({ minLength: 1, maxLength: 200, example: 'data.slots[0].time' }), {
    maxProperties: 50,
    propertyNames: { minLength: 1, maxLength: 100 },
    description: 'Variable name to the path of its value in the JSON answer.',
  }),
);

const PreCall = Type.Object(
  {
    ...request(TOOL_SECONDS.preCall),
    description: Type.Optional(Description('For people.')),
    result_variables: ResultVariables,
    on_failure: Type.Optional(
      oneOf(['continue', 'fail_call'], {
        description:
          'Default continue. fail_call: the call is not dialled; it ends as PRE_CALL_API_FAILED or is retried like a failed call.',
      }),
    ),
  },
  strict,
);
const PostCall = Type.Object(
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
          description: 'Default: every tool of the server, at most 32.',
        }),
      ),
      timeout_seconds: Type.Optional(Type.Number({ minimum: 1, maximum: TOOL_SECONDS.onCall.most })),
    },
    {
      ...strict,
      description:
        'An MCP server (Model Context Protocol, streamable HTTP). Its tools are listed at call start under the names name_tool; a call starts without a server that does not answer in time.',
    },
  ),
  own('END_CALL_TOOL', 'Every agent can end its calls; the description says when.'),
  own('OPT_OUT_TOOL', 'Every agent can add the person to the do-not-call list; the description says when.'),
  own('SCHEDULE_CALLBACK_TOOL', 'Every agent can schedule a callback; the description says when.'),
  own('RECORDING_TOOL', 'Lets the agent pause and resume the recording: pause_recording, resume_recording.'),
  Type.Object(
    {
      type: oneOf(['DTMF_TOOL']),
      name: Type.Optional(ToolName),
      description: Type.Optional(Description(WHEN)),
      digits: Type.Optional(
        Type.String({
          pattern: '^[0-9A-D*#]{1,32}$',
          'x-rule': 'must be 1 to 32 keys out of 0-9, *, # and A-D',
          description: 'Default: the model chooses the keys.',
        }),
      ),
    },
    { ...strict, description: 'Sends DTMF keys to the far side (RFC 4733).' },
  ),
  Type.Object(
    {
      type: oneOf(['WAIT_FOR_DTMF_TOOL']),
      name: Type.Optional(ToolName),
      description: Type.Optional(Description(WHEN)),
      digits: Type.Optional(Type.Integer({ minimum: 1, maximum: 32 })),
      timeout_seconds: Type.Optional(Type.Number({ minimum: 1, maximum: TOOL_SECONDS.keys.most })),
      end: Type.Optional(oneOf(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '#'])),
      sensitive: Type.Optional(
        Type.Boolean({
          description:
            'The keys are hidden from transcript, tool log, events, live watchers and model, and the recording is silent meanwhile; only arguments marked sensitive get them. Default false.',
        }),
      ),
    },
    { ...strict, description: 'Waits for DTMF keys of the caller; speech ends the wait.' },
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
        oneOf(['cold', 'warm', 'auto', 'join'], {
          description:
            'Default cold: the far side calls the number itself (SIP REFER). warm: the service calls it through the trunk of the call and bridges both legs. auto: as cold, and as warm when the far side refuses REFER, as many carriers do. join: the service calls it, and the person joins caller and agent; the agent introduces them, and stays, or leaves the two alone by using the tool again. After a failed transfer the caller stays with the agent.',
        }),
      ),
      briefing: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 300,
          example: 'This is {{callee_name}}, about an appointment.',
          description:
            "Not for cold transfers: spoken to the person in the agent's voice before the caller is connected. May contain {{variables}}.",
        }),
      ),
      ring_timeout_seconds: Type.Optional(Type.Integer({ minimum: 5, maximum: TOOL_SECONDS.ring.most })),
    },
    strict,
  ),
] as const;

/** A union discriminated by `type`: errors refer to the named shape. */
const OnCall = Type.Unsafe<Wire<OnCallTool>>({
  type: 'object',
  required: ['type'],
  properties: { type: { type: 'string' } },
  discriminator: { propertyName: 'type' },
  oneOf: ON_CALL as unknown as TSchema[],
});

const list = <T>(item: TSchema, description: string) =>
  Type.Unsafe<Wire<T>[]>({ type: 'array', items: item, maxItems: 32, description });

export const PreCallTools = list<PreCallTool>(
  PreCall,
  'Requests sent in this order before the call is dialled (or answered); their answers can set prompt variables. Replaces the list.',
);
export const OnCallTools = list<OnCallTool>(
  OnCall,
  'Tools that the agent may use during a call. Replaces the list.',
);
export const PostCallTools = list<PostCallTool>(
  PostCall,
  'Requests sent once each after the call has ended, with retries and an Idempotency-Key. Available besides the variables of the call: call_id, call_status, call_sub_status, call_duration, call_direction, from_number, to_number, agent_id, answered_at, ended_at, hangup_by, transcript, callback_at. Replaces the list.',
);
