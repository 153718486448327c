import { errors } from '../../errors.ts';
import { isUuid, newId, randomToken, sha256 } from '../../shared/ids.ts';
import { findAgent } from '../../store/agents/agents.ts';
import { insertWebCallToken, sweepWebCallTokens } from '../../store/calls/web-calls.ts';
import type { Db } from '../../store/database.ts';
import { checkVariables } from '../agents/check-variables.ts';
import { versionForCall } from '../agents/version-choice.ts';
import { commitChange, type ChangeEntry } from '../audit/change-entry.ts';
import { judge, type GateDeps } from '../admission/gate.ts';
import { refusedError } from '../admission/refused.ts';
import type { Rate } from '../credits/price.ts';
import type { Warning } from '../warnings.ts';
import { agentOfPage, versionOfPage, type PageDeps } from './agent-of-page.ts';
import type { PageValues } from './page-values.ts';

export interface OpenWebCallDeps extends GateDeps {
  readonly rate: Rate;
  readonly link: { readonly publicUrl: string };
  /** WEBCALL_MAX_SECONDS in ms: the longest call that the public key begins. */
  readonly maxWebCallMs: number;
}

export interface WebCallRequest {
  readonly agentId: string;
  readonly args: Readonly<Record<string, string>>;
  readonly mediaType: 'audio' | 'text';
}

/** What a page needs to begin its call. The token connects once. */
export interface OpenedWebCall {
  readonly callId: string;
  readonly token: string;
  readonly expiresAt: Date;
}

/** What the values of a page lack. */
export interface Warned {
  /** About the variables of the agent. */
  readonly warnings: readonly Warning[];
}

const TOKEN_MS = 60_000;
/** How long a call can be rated by its caller. */
const KEPT_MS = 86_400_000;

/**
 * Opens a browser call for a page that holds the agent's public key. Throws 401 for an unknown key, 403 for a page of
 * another origin, 402 without balance and 429 when every line is in use.
 */
export async function openPublicWebCall(
  deps: OpenWebCallDeps & PageDeps,
  publicKey: string,
  origin: string | null,
  request: WebCallRequest & Pick<PageValues, 'signed'>,
): Promise<OpenedWebCall & Warned> {
  const agent = await agentOfPage(deps, publicKey, origin, request);
  const { workspaceId, agentId, values: args } = agent;
  const warnings = [...agent.reserved, ...checkVariables(agent.versionConfig, agent.isStrict, args)];
  await checkFree(deps, workspaceId, true);
  const callId = newId();
  const versionId = await versionOfPage(deps, agent, callId);
  const call = {
    workspaceId,
    agentId,
    versionId,
    callId,
    origin: agent.origin,
    maxMs: deps.maxWebCallMs,
    byStranger: true,
  };
  return { ...(await issue(deps, deps.db, call, { ...request, args })), warnings };
}

/** Opens a test call from the dashboard, with any version of the agent. Throws 404, 402 and 429. */
export async function openTestWebCall(
  deps: OpenWebCallDeps,
  workspaceId: string,
  change: ChangeEntry | null,
  request: WebCallRequest & { readonly versionId: string | null; readonly isStrict: boolean },
): Promise<OpenedWebCall & Warned> {
  const { agentId } = request;
  const agent = isUuid(agentId) ? await findAgent(deps.db, workspaceId, agentId) : undefined;
  if (agent === undefined) throw errors.agentNotFound();
  await checkFree(deps, workspaceId, false);
  const callId = newId();
  const version = await versionForCall(deps.db, workspaceId, agent, callId, request.versionId);
  const { id: versionId } = version;
  const warnings = checkVariables(version.config, request.isStrict, request.args);
  const { origin } = new URL(deps.link.publicUrl);
  const call = { workspaceId, agentId: agent.id, versionId, callId, origin, maxMs: null, byStranger: false };
  const opened = await commitChange(deps.db, change, (tx) => issue(deps, tx, call, request));
  return { ...opened, warnings };
}

/** A readable answer ahead of the connection, which passes the gate again and then takes what it needs. */
export async function checkFree(
  deps: OpenWebCallDeps,
  workspaceId: string,
  byStranger: boolean,
): Promise<void> {
  const price = { talkMs: 1, rate: deps.rate };
  const judged = await deps.db
    .transaction()
    .execute((tx) => judge(tx, deps, workspaceId, { kind: 'webcall', price, byStranger }));
  if (!judged.admitted) throw refusedError(judged.reason);
}

export async function issue(
  deps: OpenWebCallDeps,
  db: Db,
  call: {
    readonly workspaceId: string;
    readonly agentId: string;
    readonly versionId: string;
    readonly callId: string;
    readonly origin: string | null;
    readonly maxMs: number | null;
    readonly byStranger: boolean;
  },
  { args, mediaType }: Pick<WebCallRequest, 'args' | 'mediaType'>,
  lifeMs = TOKEN_MS,
): Promise<OpenedWebCall> {
  const now = deps.clock.now();
  const token = randomToken(43);
  const expiresAt = new Date(now + lifeMs);
  const row = { ...call, tokenHash: sha256(token), mediaType, args: { ...args }, expiresAt };
  await insertWebCallToken(db, row, new Date(now));
  await sweepWebCallTokens(db, new Date(now - KEPT_MS));
  return { callId: call.callId, token, expiresAt };
}
