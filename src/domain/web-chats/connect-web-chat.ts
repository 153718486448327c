import type { WebRefusal } from '../calls/web-refusal.ts';
import type { Clock } from '../../shared/clock.ts';
import { randomToken, sha256 } from '../../shared/ids.ts';
import { findChat, makeDue } from '../../store/chats/chats.ts';
import { lockWebChat, noteConnection, type WebChatRow } from '../../store/chats/web-chats.ts';
import type { Db, Tx } from '../../store/database.ts';
import { openChat } from '../chats/open-chat.ts';

export interface ConnectedChat {
  readonly workspaceId: string;
  readonly chatId: string;
  /** The token of the next connection, once the page has confirmed it. */
  readonly resume: string;
}

const UNKNOWN: WebRefusal = { refuse: 401, reason: 'the token is unknown, used or expired' };

/**
 * Accepts the connection of a page. The opening token connects once, within 60 seconds, and begins the chat; later
 * connections bring the token of the one before, which stays valid until the page confirms that it has the next.
 */
export function connectWebChat(
  deps: { readonly db: Db; readonly clock: Clock },
  { token, origin }: { readonly token: string; readonly origin: string | null },
): Promise<ConnectedChat | WebRefusal> {
  const tokenHash = sha256(token);
  return deps.db.transaction().execute(async (tx) => {
    const at = new Date(deps.clock.now());
    const page = await lockWebChat(tx, tokenHash);
    if (page === null) return UNKNOWN;
    if (page.origin !== null && origin !== page.origin)
      return { refuse: 403, reason: 'the token belongs to a page of another origin' };
    const isFirst = page.connectedAt === null;
    if (isFirst && page.expiresAt <= at) return UNKNOWN;
    const begun = isFirst ? await begin(tx, page, at) : await findChat(tx, page.workspaceId, page.chatId);
    if (begun === null) return { refuse: 404, reason: 'the chat is over' };
    const resume = randomToken(43);
    await noteConnection(tx, page, {
      tokenHash: isFirst ? null : tokenHash,
      nextHash: sha256(resume),
      at,
    });
    return { workspaceId: page.workspaceId, chatId: page.chatId, resume };
  });
}

/** Inserts the chat; the agent says its first message. */
async function begin(tx: Tx, page: WebChatRow, at: Date): Promise<object | null> {
  const { workspaceId, chatId: id, agentId, versionId, args } = page;
  const chat = await openChat(
    tx,
    {
      id,
      workspaceId,
      agentId,
      versionId,
      channel: 'web',
      channelId: null,
      customer: null,
      customerNumber: null,
      customerName: args['callee_name'] ?? '',
      args,
    },
    at,
  );
  await makeDue(tx, chat, at);
  return chat;
}
