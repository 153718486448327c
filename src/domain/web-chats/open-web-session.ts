import { errors } from '../../errors.ts';
import { isUuid, newId } from '../../shared/ids.ts';
import { findAgent, findVersion } from '../../store/agents/agents.ts';
import type { Db } from '../../store/database.ts';
import { checkVariables } from '../agents/check-variables.ts';
import { versionForCall } from '../agents/version-choice.ts';
import { commitChange, type ChangeEntry } from '../audit/change-entry.ts';
import { checkTurn } from '../admission/check-turn.ts';
import { openChatOf, type OpenedWebChat, type OpenWebChatDeps } from './open-web-chat.ts';
import { allowedOrigins } from '../web-calls/agent-of-page.ts';
import {
  checkFree,
  issue,
  type OpenedWebCall,
  type OpenWebCallDeps,
  type Warned,
} from '../web-calls/open-web-call.ts';

/** A session that the workspace's server opens for one visitor. Nothing that the page sends changes its variables. */
export interface SessionRequest {
  readonly agentId: string;
  readonly args: Readonly<Record<string, string>>;
  /** The only page that may use it; null: any page or app that has the token. */
  readonly origin: string | null;
  readonly expiresInMs: number;
  /** The workspace refuses values that its agents lack. */
  readonly isStrict: boolean;
}

/** Opens a browser call for a visitor, by the workspace's key. Throws 404, 403, 402, 422 and 429. */
export async function openWebCallSession(
  deps: OpenWebCallDeps,
  workspaceId: string,
  change: ChangeEntry | null,
  request: SessionRequest & { readonly mediaType: 'audio' | 'text' },
): Promise<OpenedWebCall & Warned> {
  const callId = newId();
  const { warnings, ...chosen } = await agentOfSession(deps, workspaceId, request, callId);
  await checkFree(deps, workspaceId, false);
  const call = { ...chosen, workspaceId, callId, origin: request.origin, maxMs: null, byStranger: false };
  const opened = await commitChange(deps.db, change, (tx) =>
    issue(deps, tx, call, request, request.expiresInMs),
  );
  return { ...opened, warnings };
}

/** Opens a chat for a visitor, by the workspace's key. Throws 404, 403, 402, 422 and 429. */
export async function openWebChatSession(
  deps: OpenWebChatDeps,
  workspaceId: string,
  change: ChangeEntry | null,
  request: SessionRequest,
): Promise<OpenedWebChat & Warned> {
  const chatId = newId();
  const { warnings, ...chosen } = await agentOfSession(deps, workspaceId, request, chatId);
  await checkTurn(deps, workspaceId, 'chat');
  const chat = { ...chosen, workspaceId, chatId, origin: request.origin, args: request.args };
  const opened = await commitChange(deps.db, change, (tx) => openChatOf(deps, tx, chat, request.expiresInMs));
  return { ...opened, warnings };
}

/**
 * The agent and its version for a new call or chat, and what its values lack. Throws 404, 403 for an origin that the agent
 * does not list, and 422 in a strict workspace.
 */
async function agentOfSession(
  deps: { readonly db: Db; readonly link: { readonly publicUrl: string } },
  workspaceId: string,
  { agentId, origin, args, isStrict }: SessionRequest,
  id: string,
): Promise<{ readonly agentId: string; readonly versionId: string } & Warned> {
  const agent = isUuid(agentId) ? await findAgent(deps.db, workspaceId, agentId) : undefined;
  if (agent === undefined) throw errors.agentNotFound();
  const active = await findVersion(deps.db, workspaceId, agent.id, agent.activeVersionId);
  if (active === undefined) throw errors.versionNotFound();
  const listed = allowedOrigins(active.config, deps.link.publicUrl);
  if (origin !== null && !listed.includes(origin)) throw errors.originNotAllowed(origin);
  const version = await versionForCall(deps.db, workspaceId, agent, id, null);
  const warnings = checkVariables(version.config, isStrict, args);
  return { agentId: agent.id, versionId: version.id, warnings };
}
