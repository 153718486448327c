import type { Log } from '../../shared/log.ts';
import type { Seal } from '../../shared/seal.ts';
import { unansweredMessages } from '../../store/chats/messages.ts';
import type { LeasedChat } from '../../store/chats/turns.ts';
import { numberOfWorkspace } from '../../store/chats/whatsapp-numbers.ts';
import type { Db } from '../../store/database.ts';
import type { GraphClient } from './graph-client.ts';

interface ReadMarkDeps {
  readonly db: Db;
  readonly log: Log;
  readonly seal: Seal;
  readonly graph: Pick<GraphClient, 'markRead'>;
}

/** Requests at a time; further ones are left out, because a mark is never worth a wait. */
const MOST_AT_ONCE = 16;

/** Shows customers that their messages are read and an answer is being written, while the agent takes its turn. */
export class ReadMarks {
  readonly #deps: ReadMarkDeps;
  #running = 0;

  constructor(deps: ReadMarkDeps) {
    this.#deps = deps;
  }

  /** Returns at once; the turn does not wait for it. */
  mark(chat: LeasedChat): void {
    if (chat.channel !== 'whatsapp' || this.#running >= MOST_AT_ONCE) return;
    this.#running += 1;
    this.#send(chat)
      .catch((error: unknown) =>
        this.#deps.log.debug({ err: error, chatId: chat.id }, 'read marks: mark could not be sent; skipped'),
      )
      .finally(() => {
        this.#running -= 1;
      });
  }

  async #send(chat: LeasedChat): Promise<void> {
    const { db, seal, graph } = this.#deps;
    const messages = await unansweredMessages(db, chat);
    const newest = messages.at(-1)?.externalId ?? null;
    if (newest === null || chat.channelId === null) return;
    const number = await numberOfWorkspace(db, chat.workspaceId, { id: chat.channelId });
    const token = number === null ? null : seal.open(number.accessToken);
    if (number !== null && token !== null) await graph.markRead(number.phoneNumberId, token, newest);
  }
}
