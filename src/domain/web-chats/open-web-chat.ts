import { newId, randomToken, sha256 } from '../../shared/ids.ts';
import { insertWebChat, sweepWebChats } from '../../store/chats/web-chats.ts';
import type { Db } from '../../store/database.ts';
import { checkTurn, type TurnCheckDeps } from '../admission/check-turn.ts';
import { checkVariables } from '../agents/check-variables.ts';
import type { Warned } from '../web-calls/open-web-call.ts';
import { agentOfPage, versionOfPage, type PageDeps } from '../web-calls/agent-of-page.ts';
import type { PageValues } from '../web-calls/page-values.ts';

export interface OpenWebChatDeps extends TurnCheckDeps {
  readonly link: { readonly publicUrl: string };
}

/** What a page needs to begin its chat. The token connects once. */
export interface OpenedWebChat {
  readonly chatId: string;
  readonly token: string;
  readonly expiresAt: Date;
}

const TOKEN_MS = 60_000;
/** Longer than a chat may last. */
const KEPT_MS = 25 * 3_600_000;

/**
 * Opens a chat for a page that holds the agent's public key. Throws 401 for an unknown key, 403 for a page of another
 * origin, and 402 or 429 when the workspace cannot pay for a turn or has reached its storage quota of chats.
 */
export async function openWebChat(
  deps: OpenWebChatDeps & PageDeps,
  publicKey: string,
  origin: string | null,
  request: PageValues & { readonly agentId: string },
): Promise<OpenedWebChat & Warned> {
  const agent = await agentOfPage(deps, publicKey, origin, request);
  const { workspaceId, agentId, values: args } = agent;
  const warnings = [...agent.reserved, ...checkVariables(agent.versionConfig, agent.isStrict, args)];
  const chatId = newId();
  await checkTurn(deps, workspaceId, 'chat');
  const versionId = await versionOfPage(deps, agent, chatId);
  const chat = { workspaceId, chatId, agentId, versionId, origin: agent.origin, args };
  return { ...(await openChatOf(deps, deps.db, chat, TOKEN_MS)), warnings };
}

/** Stores the opening of a chat, whose token connects once within `lifeMs`. */
export async function openChatOf(
  { clock }: Pick<OpenWebChatDeps, 'clock'>,
  db: Db,
  opening: Omit<Parameters<typeof insertWebChat>[1], 'tokenHash' | 'expiresAt'>,
  lifeMs: number,
): Promise<OpenedWebChat> {
  const token = randomToken(43);
  const now = clock.now();
  const expiresAt = new Date(now + lifeMs);
  await insertWebChat(db, { ...opening, tokenHash: sha256(token), expiresAt }, new Date(now));
  await sweepWebChats(db, new Date(now - KEPT_MS));
  return { chatId: opening.chatId, token, expiresAt };
}
