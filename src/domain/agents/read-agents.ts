import { DEFAULT_CALL_TIME } from '../call-windows/call-time.ts';
import type { AgentType, VersionConfig } from '../../store/json/agent-version.ts';
import { agentTag } from './agent-tag.ts';
import { errors } from '../../errors.ts';
import { isUuid } from '../../shared/ids.ts';
import { abResults, type AbResult } from '../../store/agents/versions.ts';
import {
  findAgent,
  inboundNumbersOf,
  listAgents,
  listVersions,
  type AgentRow,
  type VersionRow,
  languagesOfAgents,
} from '../../store/agents/agents.ts';
import type { Db } from '../../store/database.ts';
import { knowledgeBaseNames } from '../../store/knowledge/bases.ts';
import { takesInboundCalls } from './agent-version.ts';
import type { VoiceCatalogue } from './voice-catalogue.ts';

export interface Agent {
  readonly id: string;
  readonly displayName: string;
  readonly type: AgentType;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly inboundNumberId: string | null;
  readonly activeVersionId: string;
  readonly classificationLabels: readonly string[];
  readonly webcallPublicKey: string;
  readonly isAbLive: boolean;
  /** The active version has a flow. */
  readonly hasFlow: boolean;
  /** The versions of the running A/B test, with their results since it began. */
  readonly abVersions: readonly AbResult[];
}

/** An agent of a list, with what its active version sounds like. */
export interface ListedAgent extends Agent {
  readonly active: {
    readonly slug: string;
    readonly language: string;
    readonly voiceId: string;
    /** Of its calling window. */
    readonly timezone: string;
    /** Seconds after which its calls are ended. */
    readonly maxCallLength: number;
  };
}

export interface AgentVersion {
  readonly id: string;
  readonly slug: string;
  readonly description: string;
  /** Percent of new calls. */
  readonly callTraffic: number;
  readonly config: VersionConfig;
  readonly voiceName: string | null;
  readonly knowledgeBases: readonly { readonly id: string; readonly name: string }[];
  readonly whitelistedDomains: readonly string[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface AgentDetails {
  /** The ETag (`agentTag`). */
  readonly tag: string;
  readonly agent: Agent;
  readonly versions: readonly AgentVersion[];
}

const toAgent = (
  row: AgentRow,
  hasFlow: boolean,
  inboundNumberId: string | null,
  results: readonly AbResult[],
): Agent => ({
  id: row.id,
  displayName: row.displayName,
  type: row.agentType,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  inboundNumberId,
  activeVersionId: row.activeVersionId,
  classificationLabels: row.classificationLabels,
  webcallPublicKey: row.webcallPublicKey,
  isAbLive: row.abStartedAt !== null,
  hasFlow,
  abVersions: results.filter((result) => result.agentId === row.id),
});

/** The languages in which the workspace's agents talk on the phone. */
export const readAgentLanguages = (deps: { db: Db }, workspaceId: string): Promise<string[]> =>
  languagesOfAgents(deps.db, workspaceId);

/** A page of the workspace's agents, newest first; all of them for a `limit` of null. */
export async function readAgents(
  deps: { db: Db },
  workspaceId: string,
  page: { limit: number | null; offset: number },
): Promise<{ agents: ListedAgent[]; total: number }> {
  const { agents, total } = await listAgents(deps.db, workspaceId, page);
  const ids = agents.map((agent) => agent.id);
  const inbound = await inboundNumbersOf(deps.db, workspaceId, ids);
  const tested = agents.filter((agent) => agent.abStartedAt !== null).map((agent) => agent.id);
  const results = await abResults(deps.db, workspaceId, tested);
  const listed = agents.map((row) => ({
    ...toAgent(row, row.hasFlow, inbound.get(row.id) ?? null, results),
    active: {
      slug: row.slug,
      language: row.language,
      voiceId: row.voiceId,
      timezone: row.timezone ?? DEFAULT_CALL_TIME.timezone,
      maxCallLength: row.maxCallLength,
    },
  }));
  return { agents: listed, total };
}

/**
 * One agent with its versions. Throws 404 for an unknown agent, and with `inboundOnly` 400 for an agent that takes no
 * inbound calls.
 */
export async function readAgent(
  deps: { db: Db; voices: VoiceCatalogue; link: { publicUrl: string } },
  workspaceId: string,
  agentId: string,
  inboundOnly: boolean,
): Promise<AgentDetails> {
  const agent = isUuid(agentId) ? await findAgent(deps.db, workspaceId, agentId) : undefined;
  if (agent === undefined) throw errors.agentNotFound();
  if (inboundOnly && !takesInboundCalls(agent.agentType)) throw errors.agentNotInbound();
  const rows = await listVersions(deps.db, workspaceId, agent.id);
  const inbound = await inboundNumbersOf(deps.db, workspaceId, [agent.id]);
  const results = agent.abStartedAt === null ? [] : await abResults(deps.db, workspaceId, [agent.id]);
  return {
    tag: agentTag(agent, rows),
    agent: toAgent(
      agent,
      rows.some(({ id, config }) => id === agent.activeVersionId && config.flow != null),
      inbound.get(agent.id) ?? null,
      results,
    ),
    versions: await shownVersions(deps, workspaceId, rows),
  };
}

/** Rows of versions with the names of their voices and knowledge bases. */
export async function shownVersions(
  deps: { db: Db; voices: VoiceCatalogue; link: { publicUrl: string } },
  workspaceId: string,
  rows: readonly VersionRow[],
): Promise<AgentVersion[]> {
  const kbIds = new Set(rows.flatMap(({ config }) => config.knowledgeBaseIds ?? []));
  const kbNames = await knowledgeBaseNames(deps.db, workspaceId, [...kbIds]);
  return rows.map(({ id, slug, description, callTraffic, config, createdAt, updatedAt }) => ({
    id,
    slug,
    description,
    callTraffic,
    config,
    voiceName: deps.voices.byId(config.voiceId)?.name ?? null,
    knowledgeBases: (config.knowledgeBaseIds ?? []).flatMap((kbId) => {
      const name = kbNames.get(kbId);
      return name === undefined ? [] : [{ id: kbId, name }];
    }),
    whitelistedDomains: config.whitelistedDomains ?? [new URL(deps.link.publicUrl).origin],
    createdAt,
    updatedAt,
  }));
}
