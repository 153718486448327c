import { errors } from '../../errors.ts';
import { findWebAgent, type WebAgent } from '../../store/calls/web-calls.ts';
import type { Db } from '../../store/database.ts';
import { toVersionConfig } from '../agents/agent-version.ts';
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

/** The agent of a page that holds its public key. Throws 401 for an unknown key, 403 for a page of another origin. */
export async function agentOfPage(
  deps: PageDeps,
  publicKey: string,
  origin: string | null,
  agentId: string,
): Promise<WebAgent & { readonly origin: string }> {
  const agent = await findWebAgent(deps.db, publicKey, agentId);
  if (agent === null) throw errors.invalidCredentials();
  const config = toVersionConfig(agent.versionConfig);
  if (origin === null || !allowedOrigins(config, deps.link.publicUrl).includes(origin)) {
    throw errors.originNotAllowed(origin);
  }
  return { ...agent, origin };
}

/** The agent's version for a new call or chat: the active one, or the one that a running A/B test assigns. */
export async function versionOfPage({ db }: PageDeps, agent: WebAgent, id: string): Promise<string> {
  if (!agent.isAbLive) return agent.versionId;
  const tested = { id: agent.agentId, active_version_id: agent.versionId, ab_started_at: new Date(0) };
  return (await versionForCall(db, agent.workspaceId, tested, id, null)).id;
}
