import type { Tx } from '../../store/database.ts';
import { eraseMessages } from '../../store/campaigns/message-rows.ts';
import { chatsToErase, eraseChatData } from '../../store/privacy/chats.ts';
import type { Erasure } from '../../store/privacy/erasure.ts';
import { endChat } from '../chats/end-chat.ts';

/** Erases the chats with the numbers of an erasure, and campaigns' messages to them; an open one ends first. Idempotent. */
export async function eraseChats(
  tx: Tx,
  { workspaceId, mobileNumbers, requestedAt }: Erasure,
  at: Date,
): Promise<void> {
  await eraseMessages(tx, workspaceId, mobileNumbers, requestedAt, at);
  const ids = await chatsToErase(tx, workspaceId, mobileNumbers, requestedAt);
  if (ids.length === 0) return;
  for (const id of ids) await endChat(tx, { workspaceId, id }, 'ERASED', at);
  await eraseChatData(tx, workspaceId, ids, at);
}
