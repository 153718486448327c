import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { isUuid } from '../../shared/ids.ts';
import { lockChat } from '../../store/chats/chats.ts';
import { deleteWebChat } from '../../store/chats/web-chats.ts';
import type { Db, Tx } from '../../store/database.ts';
import { eraseMessages } from '../../store/campaigns/message-rows.ts';
import { chatsToErase, eraseChatData, numbersOfChats } from '../../store/privacy/chats.ts';
import type { Erasure } from '../../store/privacy/erasure.ts';
import { commitChange, type ChangeEntry } from '../audit/change-entry.ts';
import { endChat } from '../chats/end-chat.ts';
import { eraseRequests } from './erase-requests.ts';

/**
 * Erases the chats with the numbers of an erasure, campaigns' messages to them, and logged API requests that name either;
 * an open chat ends first. Idempotent.
 */
export async function eraseChats(
  tx: Tx,
  { workspaceId, mobileNumbers, requestedAt }: Erasure,
  at: Date,
): Promise<void> {
  await eraseMessages(tx, workspaceId, mobileNumbers, requestedAt, at);
  const ids = await chatsToErase(tx, workspaceId, mobileNumbers, requestedAt);
  await eraseLocked(tx, workspaceId, ids, at);
  await eraseRequests(tx, workspaceId, { numbers: mobileNumbers, ids }, requestedAt);
}

/**
 * Erases one chat: name, number, values, messages, tools and analyses, and their copies in events. An open chat ends first;
 * the row stays, because it is counted. Idempotent. Throws 404.
 */
export async function eraseChat(
  deps: { db: Db; clock: Clock },
  workspaceId: string,
  change: ChangeEntry | null,
  chatId: string,
): Promise<{ chatId: string; erasedAt: Date }> {
  if (!isUuid(chatId)) throw errors.chatNotFound();
  return commitChange(deps.db, change, async (tx) => {
    const at = new Date(deps.clock.now());
    const chat = await lockChat(tx, workspaceId, chatId);
    const isHeld = await deleteWebChat(tx, workspaceId, chatId);
    if (chat === null && !isHeld) throw errors.chatNotFound();
    if (chat !== null) await eraseChatsById(tx, workspaceId, [chat.id], at);
    return { chatId: chatId.toLowerCase(), erasedAt: at };
  });
}

/** Erases chats that the caller has locked, and logged API requests that name them; an open chat ends first. Idempotent. */
export async function eraseChatsById(
  tx: Tx,
  workspaceId: string,
  ids: readonly string[],
  at: Date,
): Promise<void> {
  const numbers = await numbersOfChats(tx, workspaceId, ids);
  await eraseLocked(tx, workspaceId, ids, at);
  await eraseRequests(tx, workspaceId, { numbers, ids }, at);
}

async function eraseLocked(tx: Tx, workspaceId: string, ids: readonly string[], at: Date): Promise<void> {
  for (const id of ids) await endChat(tx, { workspaceId, id }, 'ERASED', at);
  if (ids.length > 0) await eraseChatData(tx, workspaceId, ids, at);
}
