import { Type } from 'typebox';
import { errors } from '../../../errors.ts';
import { MOST_MINUTES, sessionOf } from '../session-limits.ts';
import { isChatAgent } from '../agent-version.ts';
import { operation } from './operation.ts';

const minutes = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_MINUTES, description }));

/** How long chats of a WhatsApp agent stay open; absent fields keep their values. */
export const editChatSettings = operation(
  Type.Object(
    {
      chat_settings: Type.Object({
        whatsapp_session: Type.Object({
          idle_timeout_minutes: minutes('A chat ends after so long without a message. Default 30.'),
          max_duration_minutes: minutes('A chat ends after so long in any case. Default 1440.'),
        }),
      }),
    },
    { description: 'For WhatsApp agents; a voice agent answers 400.' },
  ),
  ({ agent, config }, { chat_settings: { whatsapp_session: sent } }) => {
    if (!isChatAgent(agent.agentType)) throw errors.notChatAgent();
    const session = { ...sessionOf(config), ...sent };
    if (session.idle_timeout_minutes > session.max_duration_minutes) {
      throw errors.invalid(
        'chat_settings.whatsapp_session.idle_timeout_minutes',
        `must be at most max_duration_minutes (${session.max_duration_minutes})`,
      );
    }
    return { config: { ...config, chat_settings: { whatsapp_session: session } } };
  },
);
