import type { Clock } from '../../shared/clock.ts';
import { chatVersionConfig, closeChat, findChat, lockChat, type ChatRow } from '../../store/chats/chats.ts';
import { messagesAfter, unansweredMessages, type ChatMessageRow } from '../../store/chats/messages.ts';
import { giveToAgent } from '../../store/chats/take-over.ts';
import { numberOfWorkspace } from '../../store/chats/whatsapp-numbers.ts';
import type { Db, Tx } from '../../store/database.ts';
import { insertJob } from '../../store/jobs.ts';
import { queuePostCall } from '../tools/post-call.ts';
import { chatKeys } from '../../wire/events/chat.ts';
import { appendChatEvent, type EventChat } from './chat-events.ts';
import { endsAt, sessionOf, timeoutReason } from '../agents/session-limits.ts';

export const CHAT_ANALYSIS_JOB = 'chat.analyse';
/** Longer chats are cut in events and analyses. */
export const MOST_MESSAGES = 2_000;

/** All messages of a chat, in the order of the conversation. */
export const transcriptOf = (db: Db, chat: Pick<ChatRow, 'workspaceId' | 'id'>): Promise<ChatMessageRow[]> =>
  messagesAfter(db, chat, 0, MOST_MESSAGES);

/** What an event tells of the chat. */
export async function eventChat(db: Db, chat: ChatRow): Promise<EventChat> {
  const config = await chatVersionConfig(db, chat);
  const number =
    chat.channelId === null ? null : await numberOfWorkspace(db, chat.workspaceId, { id: chat.channelId });
  return { chat, ownNumber: number?.number ?? '', subscriptions: config.eventSubscriptions };
}

/**
 * Ends a chat in the caller's transaction: `chat_completed` and the analysis that sends the last event are written with
 * it, so each occurs exactly once. A test run leaves nothing. False if the chat has ended.
 */
export async function endChat(
  tx: Tx,
  chat: Pick<ChatRow, 'workspaceId' | 'id'>,
  reason: string,
  at: Date,
): Promise<boolean> {
  if (!(await closeChat(tx, chat, reason, at))) return false;
  const closed = await findChat(tx, chat.workspaceId, chat.id);
  if (closed === null || closed.channel === 'test') return true;
  const of = await eventChat(tx, closed);
  await appendChatEvent(tx, of, 'chat_completed', chatKeys(closed, await transcriptOf(tx, closed)), at);
  await insertJob(
    tx,
    {
      workspaceId: closed.workspaceId,
      kind: CHAT_ANALYSIS_JOB,
      dedup: closed.id,
      payload: { workspaceId: closed.workspaceId, chatId: closed.id },
    },
    at,
  );
  const config = await chatVersionConfig(tx, closed);
  await queuePostCall(tx, { workspaceId: closed.workspaceId, id: closed.id, versionConfig: config }, at);
  return true;
}

/**
 * Ends a chat whose time is over; false if someone wrote meanwhile, or a message still waits for its answer. A person who
 * leaves the customer's messages unanswered for that long loses the chat to the agent, which answers them.
 */
export function endIdleChat(
  deps: { readonly db: Db; readonly clock: Clock },
  workspaceId: string,
  id: string,
): Promise<boolean> {
  return deps.db.transaction().execute(async (tx) => {
    const chat = await lockChat(tx, workspaceId, id);
    const now = deps.clock.now();
    if (chat === null || chat.state === 'closed' || chat.endsAt.getTime() > now) return false;
    const isWaiting = (await unansweredMessages(tx, chat)).length > 0;
    if (chat.state === 'open' && isWaiting) return false;
    const session = sessionOf(await chatVersionConfig(tx, chat));
    const reason = timeoutReason(session, chat.createdAt, now);
    const at = new Date(now);
    if (!isWaiting || reason !== 'IDLE_TIMEOUT') return endChat(tx, chat, reason, at);
    await giveToAgent(tx, chat, { at, endsAt: endsAt(session, chat.createdAt, now) });
    return true;
  });
}
