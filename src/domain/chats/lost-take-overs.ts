import type { Clock } from '../../shared/clock.ts';
import type { Log } from '../../shared/log.ts';
import { listTakenChats, type TakenChat } from '../../store/chats/take-over.ts';
import type { Db } from '../../store/database.ts';
import { stillGiven, type Grant } from '../access/live-access.ts';
import { roleFor } from '../access/table.ts';
import { handBackRevoked } from './take-over.ts';

const AT_ONCE = 1_000;

/**
 * Gives the chats of people back to their agents whose session has ended, whose role was lowered, or whose key was
 * replaced. True: at least one was given back.
 */
export async function returnLostChats(deps: {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
}): Promise<boolean> {
  const taken = (await listTakenChats(deps.db, AT_ONCE)).map((chat) => ({ chat, grant: grantOf(chat) }));
  if (taken.length === 0) return false;
  const given = await stillGiven(deps, taken);
  const lost = taken.filter((each) => !given.has(each));
  for (const { chat } of lost) {
    await handBackRevoked(deps, chat).catch((error: unknown) => {
      deps.log.warn({ err: error, chatId: chat.chatId }, 'a chat could not be given back to its agent');
    });
  }
  return lost.length > 0;
}

const grantOf = ({ workspaceId, sessionId, keyId }: TakenChat): Grant =>
  keyId === null
    ? { kind: 'session', sessionId: sessionId ?? '', workspaceId, need: roleFor('takeOverChat') }
    : { kind: 'key', keyId };
