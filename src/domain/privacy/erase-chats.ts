import type { Tx } from '../../store/database.ts';
import { eraseMessages } from '../../store/campaigns/message-rows.ts';
import { chatsToErase, eraseChatData } from '../../store/privacy/chats.ts';
import type { Erasure } from '../../store/privacy/erasure.ts';
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
  for (const id of ids) await endChat(tx, { workspaceId, id }, 'ERASED', at);
  if (ids.length > 0) await eraseChatData(tx, workspaceId, ids, at);
  await eraseRequests(tx, workspaceId, { numbers: mobileNumbers, ids }, requestedAt);
}
