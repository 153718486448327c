import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { isUuid, newId } from '../../shared/ids.ts';
import { chatVersionConfig, lockChat, saveTalk, type ChatRow } from '../../store/chats/chats.ts';
import { insertMessages, markAnswered, unansweredMessages } from '../../store/chats/messages.ts';
import {
  giveToAgent,
  giveToPerson,
  noteTaker,
  postponeEnd,
  type TakenChat,
  type Taker,
} from '../../store/chats/take-over.ts';
import { insertAudit } from '../../store/audit.ts';
import type { Db, Tx } from '../../store/database.ts';
import type { HistoryItem } from '@callwright/turns';
import type { LaterAction } from '../audit/actions.ts';
import { auditRow } from '../audit/audit-trail.ts';
import { commitChange, type ChangeEntry } from '../audit/change-entry.ts';
import { isWindowOpen } from './service-window.ts';
import { endChat } from './end-chat.ts';
import { endsAt, sessionOf } from '../agents/session-limits.ts';

export interface TakeOverDeps {
  readonly db: Db;
  readonly clock: Clock;
}

/** A chat and who acts on it. `by`: as the audit log names them. */
export interface ChatAction {
  readonly workspaceId: string;
  readonly chatId: string;
  readonly by: string;
  readonly taker: Taker;
}

/** What the change left behind. */
export interface ChatChange {
  readonly chatId: string;
  readonly state: ChatRow['state'];
  readonly takenBy: string | null;
}

/**
 * A person answers instead of the agent. Throws 404, 400 for a chat that has ended, and 409 while another person has it,
 * unless `isForced`.
 */
export const takeOver = (
  deps: TakeOverDeps,
  change: ChangeEntry | null,
  action: ChatAction,
  isForced: boolean,
): Promise<ChatChange> =>
  onOpenChat(deps, change, action, async (tx, chat, at) => {
    const isTheirs = chat.takenBy === action.by;
    if (chat.state === 'with_person' && !isTheirs && !isForced) throw errors.chatWithPerson(chat.takenBy);
    const { by, taker } = action;
    if (isTheirs) await noteTaker(tx, chat, taker);
    else await giveToPerson(tx, chat, { by, taker, at, endsAt: await nextEnd(tx, chat, at) });
    return { chatId: chat.id, state: 'with_person', takenBy: action.by };
  });

/** The agent answers again; it knows what the person and the customer wrote. */
export const handBack = (
  deps: TakeOverDeps,
  change: ChangeEntry | null,
  action: ChatAction,
): Promise<ChatChange> =>
  onOpenChat(deps, change, action, async (tx, chat, at) => {
    if (chat.state === 'with_person')
      await giveToAgent(tx, chat, { at, endsAt: await nextEnd(tx, chat, at) });
    return { chatId: chat.id, state: 'open', takenBy: null };
  });

/** The agent answers again, because the person who had the chat may no longer write. */
export const handBackRevoked = (deps: TakeOverDeps, taken: TakenChat): Promise<void> =>
  onOpenChat(deps, null, taken, async (tx, chat, at) => {
    const { workspaceId, chatId, takenBy } = taken;
    if (chat.state !== 'with_person' || chat.takenBy !== takenBy) return;
    await giveToAgent(tx, chat, { at, endsAt: await nextEnd(tx, chat, at) });
    const entry = {
      workspaceId,
      actor: { type: taken.keyId === null ? 'user' : 'api_key', name: takenBy },
      action: 'endTakeOver' satisfies LaterAction,
      method: 'POST',
      route: '/chat/:chat_id/take-over',
      status: 200,
      objects: { chat_id: chatId, reason: 'access_revoked' },
      requestId: newId(),
      address: null,
    } as const;
    await insertAudit(tx, [auditRow(deps.clock, entry)]);
  });

/** Ends the chat for both sides. */
export const endForPerson = (
  deps: TakeOverDeps,
  change: ChangeEntry | null,
  action: ChatAction,
): Promise<ChatChange> =>
  onOpenChat(deps, change, action, async (tx, chat, at) => {
    await endChat(tx, chat, 'USER_TERMINATED', at);
    return { chatId: chat.id, state: 'closed', takenBy: null };
  });

/**
 * Sends a person's line to the customer. Throws 409 unless this person has the chat, and 400 on WhatsApp once the
 * customer's last message is older than 24 hours.
 */
export const writeAsPerson = (
  deps: TakeOverDeps,
  change: ChangeEntry | null,
  action: ChatAction & { readonly text: string },
  onStored: (tx: Tx, messageId: string) => Promise<void>,
): Promise<string> =>
  onOpenChat(deps, change, action, async (tx, chat, at) => {
    const { by, text } = action;
    if (chat.state !== 'with_person') throw errors.chatNotTaken();
    if (chat.takenBy !== by) throw errors.chatWithPerson(chat.takenBy);
    const isWhatsapp = chat.channel === 'whatsapp';
    if (isWhatsapp && !isWindowOpen(chat.customerAt, at.getTime())) throw errors.whatsappWindowClosed();
    const id = newId();
    await noteExchange(tx, chat, text);
    await insertMessages(
      tx,
      chat,
      [
        {
          id,
          role: 'person',
          kind: 'text',
          text,
          sentAt: at,
          state: isWhatsapp ? 'queued' : 'sent',
          turn: chat.turn,
          author: by,
        },
      ],
      at,
    );
    await postponeEnd(tx, chat, await nextEnd(tx, chat, at));
    await noteTaker(tx, chat, action.taker);
    await onStored(tx, id);
    return id;
  });

/** What the customer wrote and the person's line become part of the conversation that the agent knows. */
async function noteExchange(tx: Tx, chat: ChatRow, text: string): Promise<void> {
  const waiting = await unansweredMessages(tx, chat);
  const before = (chat.talk['history'] ?? []) as readonly HistoryItem[];
  const history: readonly HistoryItem[] = [
    ...before,
    ...waiting.map((message) => ({ role: 'caller', text: message.text, by: 'text' }) as const),
    { role: 'agent', text, interrupted: false, by: 'person' },
  ];
  // A chat that the agent has not begun keeps its tools before the first turn.
  await saveTalk(tx, chat, { hasBegun: before.length > 0, ...chat.talk, history });
  await markAnswered(
    tx,
    chat,
    waiting.map(({ id }) => id),
    chat.turn,
  );
}

const nextEnd = async (tx: Tx, chat: ChatRow, at: Date): Promise<Date> =>
  endsAt(sessionOf(await chatVersionConfig(tx, chat)), chat.createdAt, at.getTime());

function onOpenChat<T>(
  deps: TakeOverDeps,
  change: ChangeEntry | null,
  { workspaceId, chatId }: Pick<ChatAction, 'workspaceId' | 'chatId'>,
  work: (tx: Tx, chat: ChatRow, at: Date) => Promise<T>,
): Promise<T> {
  return commitChange(deps.db, change, async (tx) => {
    const chat = isUuid(chatId) ? await lockChat(tx, workspaceId, chatId) : null;
    if (chat === null || chat.channel === 'test') throw errors.chatNotFound();
    if (chat.state === 'closed') throw errors.chatClosed();
    return work(tx, chat, new Date(deps.clock.now()));
  });
}
