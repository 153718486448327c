import type { Clock } from '../../shared/clock.ts';
import { storable } from '../../shared/storable.ts';
import { lockChat } from '../../store/chats/chats.ts';
import type { Db } from '../../store/database.ts';
import { endChat } from '../chats/end-chat.ts';
import { receiveMessage } from '../chats/receive.ts';

interface PageDeps {
  readonly db: Db;
  readonly clock: Clock;
}
interface PageChat {
  readonly workspaceId: string;
  readonly chatId: string;
}

/** Words that a person types in a row are answered together. */
const GATHER_MS = 200;

/** Stores a line of the page's visitor, once for each `id` of the page. No effect once the chat has ended. */
export function writeAsPage(
  { db, clock }: PageDeps,
  { workspaceId, chatId }: PageChat,
  line: { readonly id: string; readonly text: string },
): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const chat = await lockChat(tx, workspaceId, chatId);
    if (chat === null || chat.state === 'closed') return;
    const at = new Date(clock.now());
    const message = {
      kind: 'text',
      text: storable(line.text),
      content: null,
      externalId: externalIdOf(chatId, line.id),
      sentAt: at,
      customerName: '',
    };
    await receiveMessage(tx, chat, message, at, GATHER_MS);
  });
}

/** The visitor ended the chat. */
export function endAsPage({ db, clock }: PageDeps, { workspaceId, chatId }: PageChat): Promise<void> {
  return db.transaction().execute(async (tx) => {
    await endChat(tx, { workspaceId, id: chatId }, 'USER_LEFT', new Date(clock.now()));
  });
}

const externalIdOf = (chatId: string, id: string): string => `web:${chatId}:${id}`;
/** The page's own id of a line; null: it is none of the page's. */
export const pageIdOf = (chatId: string, externalId: string | null): string | null =>
  externalId?.startsWith(`web:${chatId}:`) === true
    ? externalId.slice(externalIdOf(chatId, '').length)
    : null;
