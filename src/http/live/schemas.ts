import { Type, type TSchema } from 'typebox';
import { LiveEntry } from '../calls/conversation-schemas.ts';
import { FLOW_STEP } from '../common/flow-step.ts';
import { IsoTime, nullable, oneOf } from '../common/schemas.ts';
import { Failure } from '../calls/failure-schemas.ts';

const Ms = (description: string) => nullable(Type.Number({ description }));
const At = { at: Type.Number({ description: 'Unix time in ms.' }), occurred_at: IsoTime };
const State = {
  status: Type.String({ description: 'call_status.', example: 'ongoing' }),
  subStatus: Type.String({ description: 'As sub_status.' }),
  sub_status: Type.String({ description: 'call_sub_status.', example: 'CALL_ONGOING' }),
  ...At,
};
const event = (type: string, description: string, fields: Record<string, TSchema>) =>
  Type.Object({ type: Type.Literal(type), ...fields }, { title: type, description });

/** Every event of a live call, with its older camelCase keys beside the others. */
export const LiveEvent = Type.Union(
  [
    event('status', 'The call took another status.', State),
    event('line', 'The agent or the person said a line.', {
      line: Type.Object(
        {
          role: oneOf(['agent', 'caller']),
          text: Type.String(),
          startedAt: Type.Number({ description: 'Unix time in ms.' }),
          endedAt: Type.Number({ description: 'Unix time in ms.' }),
          interrupted: Type.Boolean({ description: 'The person interrupted this line of the agent.' }),
          by: oneOf(['speech', 'keypad', 'text']),
        },
        { description: 'The line with its times in ms.' },
      ),
      entry: LiveEntry,
    }),
    event('latency', 'How long the agent took to reply in one turn.', {
      latency: Type.Object(
        {
          turn: Type.Integer(),
          endpointingMs: Type.Number(),
          recognitionMs: nullable(Type.Number()),
          modelMs: nullable(Type.Number()),
          voiceMs: nullable(Type.Number()),
          totalMs: Type.Number(),
          prepared: Type.Boolean(),
        },
        { description: 'As turn_latency.' },
      ),
      turn_latency: Type.Object({
        turn: Type.Integer(),
        endpointing_ms: Type.Number({ description: 'Silence until the endpointer ended the turn.' }),
        recognition_ms: Ms("From the person's last sound to the final transcript."),
        model_ms: Ms("From the request to the model's first words."),
        voice_ms: Ms('From the first words to the first packet of speech.'),
        total_ms: Type.Number({
          description: "From the person's last sound to the first packet of the reply.",
        }),
        prepared: Type.Boolean({ description: 'The reply was started before the end of the turn.' }),
      }),
    }),
    event('interrupted', 'The person interrupted the agent.', {
      ...At,
      stopMs: Type.Number({ description: 'As stop_ms.' }),
      stop_ms: Type.Number({ description: 'From the interruption to the silence of the agent, in ms.' }),
    }),
    event('dtmf', 'The person pressed a key.', { digit: Type.String({ example: '1' }), ...At }),
    event(
      'words',
      'Words of a line that is not over: those of the person so far, or the sentence that the agent begins. A stream that begins later does not repeat them.',
      { role: oneOf(['agent', 'caller']), text: Type.String(), ...At },
    ),
    event('moved', 'The conversation left a step of its flow.', { ...FLOW_STEP, ...At }),
    event('notice', 'Something happened that no line shows.', {
      code: Type.String({
        description:
          'Stable; ANSWERED_BY: who answered; ASKED_FOR_PERSON: the caller asked for a person, in words that the phrase tables know.',
        example: 'ANSWERED_BY',
      }),
      message: Type.String(),
      part: Type.Optional(
        oneOf(['stt', 'tts', 'llm'], { description: 'Of a fault of a vendor, as the next three.' }),
      ),
      vendor: Type.Optional(Type.String()),
      reason: Type.Optional(Type.String({ description: 'As in vendor_faults.' })),
      status: Type.Optional(nullable(Type.Integer({ description: 'HTTP status of the vendor.' }))),
    }),
    event('ended', 'The attempt ended, and with it the stream.', {
      ...State,
      failure: Type.Optional(Failure),
    }),
  ],
  { $id: 'LiveEvent', description: 'One event of GET /calling/{call_id}/live.' },
);

/** One event of every live call: those of one call, with its id. */
export const WallEvent = Type.Object(
  {
    type: Type.String({ description: 'begun, or as in LiveEvent.', example: 'line' }),
    call_id: nullable(Type.String({ description: 'Null: begun.' })),
  },
  {
    $id: 'WallEvent',
    description: 'One event of GET /calling/live, with the keys of LiveEvent.',
    additionalProperties: true,
  },
);

/** Which parts of a workspace changed. */
export const ChangeEvent = Type.Object(
  {
    topics: Type.Array(Type.String({ example: 'calls' }), {
      description: 'What changed since the last event.',
    }),
  },
  { $id: 'ChangeEvent', description: 'One event of GET /workspace/changes.' },
);

/** The answer of a stream. Its schema describes each event, whose `data` is JSON of `schema`. */
export const eventStream = (schema: TSchema, id: string) => ({
  description: 'The stream. Comment lines keep it open.',
  content: {
    'text/event-stream': {
      schema: Type.Object({
        data: Type.Unsafe<string>({
          type: 'string',
          contentMediaType: 'application/json',
          contentSchema: schema,
        }),
        id: Type.Optional(Type.String({ description: id })),
      }),
    },
  },
});
