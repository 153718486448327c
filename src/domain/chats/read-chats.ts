import { errors } from '../../errors.ts';
import { nextCursor, type PageRequest } from '../cursor.ts';
import { isUuid } from '../../shared/ids.ts';
import { findChat, type ChatRow } from '../../store/chats/chats.ts';
import type { ChatMessageRow } from '../../store/chats/messages.ts';
import {
  listChats,
  readChatTotals,
  type ChatFilter,
  type ChatTotals,
  type ListedChat,
} from '../../store/chats/reading.ts';
import type { Db } from '../../store/database.ts';
import { transcriptOf } from './end-chat.ts';

export type { ChatFilter, ChatMessageRow, ChatRow, ChatTotals, ListedChat };
/** Text that is not a UUID matches nothing, like an id of another workspace. */
const NO_AGENT = '00000000-0000-0000-0000-000000000000';

export interface ChatPage {
  readonly chats: readonly ListedChat[];
  readonly limit: number;
  readonly offset: number;
  readonly total: number;
  readonly nextCursor: string | null;
}

/** A page of the workspace's chats without test runs, newest first. */
export async function readChatHistory(
  deps: { db: Db },
  workspaceId: string,
  filter: ChatFilter,
  page: PageRequest,
): Promise<ChatPage> {
  const { agentId, campaignId } = filter;
  const canMatch = [agentId, campaignId].every((id) => id === null || isUuid(id));
  const found = canMatch ? await listChats(deps.db, workspaceId, filter, page) : { chats: [], total: 0 };
  const { limit, offset } = page;
  const next = nextCursor(
    page,
    found.chats.map((chat) => ({ at: chat.createdAt, id: chat.id })),
  );
  return { ...found, limit, offset, nextCursor: next };
}

export interface ChatDetails {
  readonly chat: ChatRow;
  readonly messages: readonly ChatMessageRow[];
}

/** One chat with its messages. Throws 404 for a chat of another workspace. */
export async function readChat(deps: { db: Db }, workspaceId: string, id: string): Promise<ChatDetails> {
  const chat = isUuid(id) ? await findChat(deps.db, workspaceId, id) : null;
  if (chat === null) throw errors.chatNotFound();
  return { chat, messages: await transcriptOf(deps.db, chat) };
}

/** Totals of the workspace's chats; calls are counted elsewhere. */
export async function readChatAnalytics(
  deps: { db: Db },
  workspaceId: string,
  filter: ChatFilter,
): Promise<ChatTotals> {
  const isKnowable = filter.agentId === null || isUuid(filter.agentId);
  return readChatTotals(deps.db, workspaceId, isKnowable ? filter : { ...filter, agentId: NO_AGENT });
}
