import { Type } from 'typebox';
import { IsoTime, mapOf, nullable, oneOf } from '../common/schemas.ts';
import { LineSource } from './vendor-usage-schemas.ts';

/** One line of a conversation. */
const TranscriptEntry = Type.Object({
  role: oneOf(['agent', 'user', 'person'], {
    description: 'person: a member of the workspace said the line, or wrote it for the agent to say.',
  }),
  text: Type.String(),
  at: IsoTime,
  offset_ms: nullable(
    Type.Integer({ description: 'From the start of the recording, in milliseconds; null without one.' }),
  ),
});

/** Who of the workspace said or wrote a line. */
const Author = { author: Type.Optional(Type.String({ description: 'Of a line of a person.' })) };

/** With the person of the workspace whose line it is. */
export const LiveEntry = Type.Object({ ...TranscriptEntry.properties, ...Author });

/** With the engine that gave the reply. */
export const RepliedEntry = Type.Object({ ...LiveEntry.properties, ...LineSource });

/** One use of a tool. Entries of earlier versions can lack keys. */
export const ToolCall = Type.Object(
  {
    name: Type.String({ example: 'book_slot' }),
    args: Type.Optional(mapOf(Type.Unknown(), { description: 'Hidden values are [keys hidden].' })),
    result: Type.Optional(Type.Unknown({ description: 'Any JSON value: of an API tool, status and body.' })),
    at: Type.Optional(Type.Number({ description: 'Unix time in ms.', example: 1767607200000 })),
    ms: Type.Optional(Type.Number({ description: 'How long it took.' })),
    ok: Type.Optional(Type.Boolean()),
    phase: Type.Optional(oneOf(['pre_call', 'on_call', 'post_call'])),
    variables: Type.Optional(mapOf(Type.String(), { description: 'Variables that it set.' })),
  },
  { additionalProperties: true },
);
