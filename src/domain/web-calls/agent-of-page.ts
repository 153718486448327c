import { errors } from '../../errors.ts';
import { findWebAgent, type WebAgent } from '../../store/calls/web-calls.ts';
import type { Db } from '../../store/database.ts';
import { checkPage } from './page-rules.ts';
import { versionForCall } from '../agents/version-choice.ts';

interface PageDeps {
  readonly db: Db;
  readonly link: { readonly publicUrl: string };
}

/** Origins whose pages may begin calls and chats with the version's agent: its list, and always the service itself. */
export const allowedOrigins = (
  config: { readonly whitelisted_domains?: readonly string[] },
  publicUrl: string,
): readonly string[] => [new URL(publicUrl).origin, ...(config.whitelisted_domains ?? [])];

/**
 * The agent of a page that holds its public key. Throws 401 for an unknown key, 403 for a page of another origin or an agent
 * that takes sessions only, and 422 for a variable that pages may not set.
 */
export async function agentOfPage(
  deps: PageDeps,
  publicKey: string,
  origin: string | null,
  { agentId, args }: { readonly agentId: string; readonly args: Readonly<Record<string, string>> },
): Promise<WebAgent & { readonly origin: string }> {
  const agent = await findWebAgent(deps.db, publicKey, agentId);
  if (agent === null) throw errors.invalidCredentials();
  const config = agent.versionConfig;
  if (origin === null || !allowedOrigins(config, deps.link.publicUrl).includes(origin)) {
    throw errors.originNotAllowed(origin);
  }
  checkPage(config, args);
  return { ...agent, origin };
}

/**
 * The agent's version for a new call or chat: the active one, or the one that a running A/B test assigns, whose rules for
 * pages hold too.
 */
export async function versionOfPage(
  { db }: PageDeps,
  agent: WebAgent,
  id: string,
  args: Readonly<Record<string, string>>,
): Promise<string> {
  if (!agent.isAbLive) return agent.versionId;
  const tested = { id: agent.agentId, activeVersionId: agent.versionId, abStartedAt: new Date(0) };
  const version = await versionForCall(db, agent.workspaceId, tested, id, null);
  checkPage(version.config, args);
  return version.id;
}
