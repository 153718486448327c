import { Type } from 'typebox';
import { RequestWarnings } from '../common/calling-window-schemas.ts';
import { IsoTime, LookupId, mapOf, nullable, oneOf, Uuid } from '../common/schemas.ts';

const strict = { additionalProperties: false };

const WebCallFields = {
  agent_id: LookupId,
  custom_args_values: Type.Optional(
    mapOf(Type.String({ maxLength: 1000 }), {
      maxProperties: 100,
      propertyNames: { minLength: 1, maxLength: 100 },
      description: 'One key per prompt variable.',
      example: { callee_name: 'Priya' },
    }),
  ),
  media_type: Type.Optional(
    oneOf(['audio', 'text'], {
      description: 'text: the caller types, and the page sends no audio. Default audio.',
    }),
  ),
};

const { agent_id, custom_args_values } = WebCallFields;
const signed_values = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 20_000,
    description:
      'Values that your server signed with the signing secret of the workspace; they go before custom_args_values, and may set reserved variables such as mobile_number. See docs/widget.md.',
  }),
);
export const WebChatBody = Type.Object({ agent_id, custom_args_values, signed_values }, strict);
export const WebCallBody = Type.Object({ ...WebCallFields, signed_values }, strict);
export const TestWebCallBody = Type.Object(
  {
    ...WebCallFields,
    version_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Default: the active version, or the version that a running A/B test assigns.',
      }),
    ),
  },
  strict,
);
const session = {
  origin: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 300,
      example: 'https://www.example.com',
      description:
        'The only page that may connect, one of whitelisted_domains. Absent: any page or app that has the token.',
    }),
  ),
  expires_in: Type.Optional(
    Type.Integer({
      minimum: 10,
      maximum: 3600,
      description: 'Seconds until the token must connect. Default 300.',
    }),
  ),
};
export const WebCallSessionBody = Type.Object({ ...WebCallFields, ...session }, strict);
export const WebChatSessionBody = Type.Object({ agent_id, custom_args_values, ...session }, strict);
const SessionToken = Type.String({
  description: 'Connects once, before expires_at. Give it to one visitor.',
  example: 'k3v0PDr8aUuQbB5mWq1xGz7LhY2nTc4RsJe6Xo9AfIi',
});
export const WebCallSession = Type.Object({
  call_id: Uuid,
  token: SessionToken,
  ws_url: Type.String({ example: 'wss://calls.example.com/web-call' }),
  expires_at: IsoTime,
  warnings: RequestWarnings,
});
export const WebChatSession = Type.Object({
  chat_id: Uuid,
  token: SessionToken,
  ws_url: Type.String({ example: 'wss://calls.example.com/web-chat' }),
  expires_at: IsoTime,
  warnings: RequestWarnings,
});
export const OpenedWebCall = Type.Object({
  call_id: Uuid,
  token: Type.String({
    description: 'Connects once, within 60 seconds, as the WebSocket protocol token.<token>.',
    example: 'k3v0PDr8aUuQbB5mWq1xGz7LhY2nTc4RsJe6Xo9AfIi',
  }),
  ws_url: Type.String({ example: 'wss://calls.example.com/web-call' }),
  warnings: RequestWarnings,
});
export const OpenedListening = Type.Object({
  listener_id: Uuid,
  token: Type.String({
    description: 'Connects once, within 60 seconds, as the WebSocket protocol token.<token>.',
    example: 'k3v0PDr8aUuQbB5mWq1xGz7LhY2nTc4RsJe6Xo9AfIi',
  }),
  ws_url: Type.String({ example: 'wss://calls.example.com/listen' }),
});
export const OpenedWebChat = Type.Object({
  chat_id: Uuid,
  token: Type.String({
    description: 'Connects once, within 60 seconds, as the WebSocket protocol token.<token>.',
    example: 'k3v0PDr8aUuQbB5mWq1xGz7LhY2nTc4RsJe6Xo9AfIi',
  }),
  ws_url: Type.String({ example: 'wss://calls.example.com/web-chat' }),
  warnings: RequestWarnings,
});
export const FeedbackBody = Type.Object(
  {
    rating: Type.Integer({ minimum: 1, maximum: 5, description: '1 (poor) to 5 (good).' }),
    comment: Type.Optional(nullable(Type.String({ maxLength: 2000, example: 'Quick and friendly.' }))),
  },
  strict,
);
export const FeedbackAnswer = Type.Object({
  status: Type.String({ example: 'success' }),
  data: Type.Object({ call_id: Uuid }),
  message: Type.String({ example: 'Thank you for your feedback' }),
});
export const AgentParams = Type.Object({ agent_id: LookupId });
export const PublicKeyAnswer = Type.Object({ webcall_public_key: Type.String() });
