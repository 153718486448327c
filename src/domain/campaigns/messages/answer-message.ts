import { newId } from '../../../shared/ids.ts';
import {
  lockAnswered,
  noteAnswer,
  setChatCampaign,
  type AnsweredMessage,
} from '../../../store/campaigns/message-answers.ts';
import { saveTalk, type ChatRow } from '../../../store/chats/chats.ts';
import { insertMessages } from '../../../store/chats/messages.ts';
import type { Tx } from '../../../store/database.ts';

export type { AnsweredMessage };

/** Messages of campaigns that are older are answered only by quoting them. */
const ANSWERED_WITHIN_MS = 7 * 86_400_000;

/** The campaign's message that an incoming message of a person answers; null: none. */
export const findAnswered = (
  tx: Tx,
  by: Omit<Parameters<typeof lockAnswered>[1], 'since'>,
  at: Date,
): Promise<AnsweredMessage | null> =>
  lockAnswered(tx, { ...by, since: new Date(at.getTime() - ANSWERED_WITHIN_MS) });

/**
 * The person answered in this chat. A chat that the answer opened begins with the campaign's message, and the agent
 * goes on from its words.
 */
export async function takeAnswer(
  tx: Tx,
  chat: ChatRow,
  answered: AnsweredMessage,
  isOpened: boolean,
  at: Date,
): Promise<void> {
  await noteAnswer(tx, chat.workspaceId, answered.id, { chatId: chat.id, at });
  if (!isOpened) return;
  const { name, language } = answered.template;
  const { text } = answered;
  await insertMessages(
    tx,
    chat,
    [
      {
        id: newId(),
        role: 'agent',
        kind: 'template',
        text,
        content: { template: { name, language }, campaign_id: answered.campaignId },
        sentAt: answered.sentAt,
        state: 'read',
        turn: 0,
      },
    ],
    at,
  );
  await saveTalk(tx, chat, { hasBegun: false, history: [{ role: 'agent', text, interrupted: false }] });
  await setChatCampaign(tx, chat, answered.campaignId);
}
