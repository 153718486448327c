import { Type, type Static } from 'typebox';
import { MOST_MINUTES } from '../../../domain/agents/session-limits.ts';
import { VariableNames } from '../call-config-schemas.ts';

/** The rule is of the list itself: a broken item is named by its own path. */
const PageVariables = Type.Unsafe<Static<typeof VariableNames>>({
  ...VariableNames,
  'x-rule': 'must be a list of at most 200 variable names, or null',
});

export const WebSessionFields = Type.Object({
  web_sessions: Type.Object(
    {
      require_session: Type.Optional(
        Type.Boolean({
          description:
            'true: browser calls and chats begin only in sessions that your server opens (POST /calling/webcall/session, POST /chat/web/session); pages with the public key get 403.',
        }),
      ),
      page_variables: Type.Optional(
        Type.Union([PageVariables, Type.Null()], {
          description: 'The variables that a page with the public key may set; null: every one.',
        }),
      ),
    },
    { additionalProperties: false, minProperties: 1, example: { require_session: true } },
  ),
});

export const WhitelistedDomainFields = Type.Object({
  whitelisted_domains: Type.Array(Type.String({ minLength: 1, maxLength: 300 }), {
    maxItems: 50,
    example: ['https://www.example.com'],
    description:
      "Web addresses whose pages may start web calls. Replaces the list; it must keep the service's own address.",
  }),
});

const minutes = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_MINUTES, description }));

export const ChatSettingFields = Type.Object(
  {
    chat_settings: Type.Object({
      whatsapp_session: Type.Object({
        idle_timeout_minutes: minutes('A chat ends after so long without a message. Default 30.'),
        max_duration_minutes: minutes('A chat ends after so long in any case. Default 1440.'),
      }),
    }),
  },
  { description: 'For WhatsApp agents; a voice agent answers 400.' },
);
