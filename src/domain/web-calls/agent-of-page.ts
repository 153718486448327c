import { errors } from '../../errors.ts';
import { findWebAgent, type WebAgent } from '../../store/calls/web-calls.ts';
import type { Warning } from '../warnings.ts';
import type { SigningDeps } from '../webhooks/signing-secrets.ts';
import { checkPage } from './page-rules.ts';
import { ownValues, signedValues, type PageValues } from './page-values.ts';
import { versionForCall } from '../agents/version-choice.ts';

export interface PageDeps extends SigningDeps {
  readonly link: { readonly publicUrl: string };
}

/** Origins whose pages may begin calls and chats with the version's agent: its list, and always the service itself. */
export const allowedOrigins = (
  config: { readonly whitelistedDomains?: readonly string[] },
  publicUrl: string,
): readonly string[] => [new URL(publicUrl).origin, ...(config.whitelistedDomains ?? [])];

export interface AgentOfPage extends WebAgent {
  readonly origin: string;
  /** The values that the page set by itself. */
  readonly own: Readonly<Record<string, string>>;
  /** Those, and over them the signed ones. */
  readonly values: Readonly<Record<string, string>>;
  /** Warnings about values that the page may not set. */
  readonly reserved: readonly Warning[];
}

/**
 * The agent of a page that holds its public key, with the values of the conversation. Throws 401 for an unknown key, 403 for
 * a page of another origin or an agent that takes sessions only, and 422 for a variable that pages may not set and for values
 * that are not signed as they should be.
 */
export async function agentOfPage(
  deps: PageDeps,
  publicKey: string,
  origin: string | null,
  { agentId, args, signed }: PageValues & { readonly agentId: string },
): Promise<AgentOfPage> {
  const agent = await findWebAgent(deps.db, publicKey, agentId);
  if (agent === null) throw errors.invalidCredentials();
  const config = agent.versionConfig;
  if (origin === null || !allowedOrigins(config, deps.link.publicUrl).includes(origin)) {
    throw errors.originNotAllowed(origin);
  }
  const own = ownValues(args);
  checkPage(config, own.values);
  const values = { ...own.values, ...(await signedValues(deps, agent, signed)) };
  return { ...agent, origin, own: own.values, values, reserved: own.warnings };
}

/**
 * The agent's version for a new call or chat: the active one, or the one that a running A/B test assigns, whose rules for
 * pages hold too.
 */
export async function versionOfPage(
  { db }: Pick<PageDeps, 'db'>,
  agent: AgentOfPage,
  id: string,
): Promise<string> {
  if (!agent.isAbLive) return agent.versionId;
  const tested = { id: agent.agentId, activeVersionId: agent.versionId, abStartedAt: new Date(0) };
  const version = await versionForCall(db, agent.workspaceId, tested, id, null);
  checkPage(version.config, agent.own);
  return version.id;
}
