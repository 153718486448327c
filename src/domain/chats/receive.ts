import { isOptOutWord } from '@callwright/language';
import { newId } from '../../shared/ids.ts';
import { chatVersionConfig, noteCustomerMessage, type ChatRow } from '../../store/chats/chats.ts';
import { countCustomerMessages, insertMessages } from '../../store/chats/messages.ts';
import type { Tx } from '../../store/database.ts';
import type { JsonObject } from '../../store/schema.ts';
import { optOutNumber } from '../calls/opt-out.ts';
import { endChat } from './end-chat.ts';
import { endsAt, sessionOf } from '../agents/session-limits.ts';

/** A message of a customer, as any channel delivers it. */
export interface CustomerMessage {
  readonly kind: string;
  readonly text: string;
  readonly content: JsonObject | null;
  /** The channel's id, which deduplicates it; null: the channel delivers once. */
  readonly externalId: string | null;
  readonly sentAt: Date;
  readonly customerName: string;
}

/** Longer messages are cut. */
export const MOST_CHARS = 4_096;
/** Messages of one customer in one chat; further ones are stored but not answered. */
const MOST_ANSWERED = 500;

/**
 * Stores a message of a chat that the caller has locked, and makes its answer due after `gatherMs`, so that messages
 * that arrive together are answered together and in order. False for a duplicate.
 */
export async function receiveMessage(
  tx: Tx,
  chat: ChatRow,
  message: CustomerMessage,
  at: Date,
  gatherMs = 0,
): Promise<boolean> {
  const id = newId();
  const isAnswered = (await countCustomerMessages(tx, chat)) < MOST_ANSWERED;
  const added = await insertMessages(
    tx,
    chat,
    [
      {
        id,
        role: 'customer',
        kind: message.kind,
        text: message.text.slice(0, MOST_CHARS),
        content: message.content,
        externalId: message.externalId,
        sentAt: message.sentAt,
        ...(isAnswered ? {} : { turn: 0 }),
      },
    ],
    at,
  );
  if (added.size === 0) return false;
  const session = sessionOf(await chatVersionConfig(tx, chat));
  await noteCustomerMessage(tx, chat, {
    at: new Date(Math.min(at.getTime(), message.sentAt.getTime())),
    endsAt: endsAt(session, chat.createdAt, at.getTime()),
    dueAt: isAnswered && chat.state === 'open' ? new Date(at.getTime() + gatherMs) : null,
    name: message.customerName.slice(0, 100),
  });
  // The agent, which understands opt-outs in other words too, does not read this message.
  if (chat.state === 'with_person' && isOptOutWord(message.text)) {
    if (chat.customerNumber !== null) await optOutNumber(tx, chat.workspaceId, chat.customerNumber, at);
    await endChat(tx, chat, 'OPTED_OUT', at);
  }
  return true;
}
