import type { Clock } from '../../shared/clock.ts';
import { newId, randomToken, sha256 } from '../../shared/ids.ts';
import { insertWebChat, sweepWebChats } from '../../store/chats/web-chats.ts';
import type { Db } from '../../store/database.ts';
import { agentOfPage, versionOfPage } from '../web-calls/agent-of-page.ts';

export interface OpenWebChatDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly link: { readonly publicUrl: string };
}

/** What a page needs to begin its chat. The token connects once. */
export interface OpenedWebChat {
  readonly chatId: string;
  readonly token: string;
}

const TOKEN_MS = 60_000;
/** Longer than a chat may last. */
const KEPT_MS = 25 * 3_600_000;

/**
 * Opens a chat for a page that holds the agent's public key. Throws 401 for an unknown key and 403 for a page of another
 * origin.
 */
export async function openWebChat(
  deps: OpenWebChatDeps,
  publicKey: string,
  origin: string | null,
  request: { readonly agentId: string; readonly args: Readonly<Record<string, string>> },
): Promise<OpenedWebChat> {
  const agent = await agentOfPage(deps, publicKey, origin, request.agentId);
  const chatId = newId();
  const token = randomToken(43);
  const now = deps.clock.now();
  const chat = {
    workspaceId: agent.workspaceId,
    chatId,
    agentId: agent.agentId,
    versionId: await versionOfPage(deps, agent, chatId),
    origin: agent.origin,
    args: request.args,
    tokenHash: sha256(token),
    expiresAt: new Date(now + TOKEN_MS),
  };
  await insertWebChat(deps.db, chat, new Date(now));
  await sweepWebChats(deps.db, new Date(now - KEPT_MS));
  return { chatId, token };
}
