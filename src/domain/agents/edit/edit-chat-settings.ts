import { errors } from '../../../errors.ts';
import { sessionOf, type SessionMinutes } from '../session-limits.ts';
import { isChatAgent } from '../agent-version.ts';
import { operation } from './operation.ts';

/** How long chats of a WhatsApp agent stay open; absent fields keep their values. */
export const editChatSettings = operation<{ chatSettings: { whatsappSession: Partial<SessionMinutes> } }>(
  ({ agent, config }, { chatSettings: { whatsappSession: sent } }) => {
    if (!isChatAgent(agent.agentType)) throw errors.notChatAgent();
    const session = { ...sessionOf(config), ...sent };
    if (session.idleTimeoutMinutes > session.maxDurationMinutes) {
      throw errors.invalid(
        'chat_settings.whatsapp_session.idle_timeout_minutes',
        `must be at most max_duration_minutes (${session.maxDurationMinutes})`,
      );
    }
    return { config: { ...config, chatSettings: { whatsappSession: session } } };
  },
);
