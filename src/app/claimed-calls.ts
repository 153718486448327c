import { callSpec, type SpecDeps, OUTBOUND_BUDGET_MS, type PrepareTools } from '../dialer/prepare-call.ts';
import { placeOutbound, type DialDeps } from '../dialer/outbound.ts';
import type { VersionConfig } from '../domain/agents/agent-version.ts';
import { callKnowledge } from '../domain/knowledge/call-knowledge.ts';
import type { MeaningSearch } from '../domain/knowledge/meaning-search.ts';
import type { ReadProviders } from './provider-reader.ts';
import type { Claimed } from '../scheduler/claim.ts';
import type { KnowledgeItem } from '../shared/knowledge/knowledge-index.ts';
import type { Log } from '../shared/log.ts';
import type { Db } from '../store/database.ts';

type ReadKnowledge = (workspaceId: string, config: VersionConfig) => Promise<readonly KnowledgeItem[]>;

/** A call goes on without knowledge that cannot be read: the agent answers that it does not know. */
export const knowledgeReader =
  (db: Db, log: Log, meaning: MeaningSearch | null): ReadKnowledge =>
  (workspaceId, config) => {
    meaning?.warm(workspaceId, config.knowledge_base_ids ?? []);
    return callKnowledge(db, workspaceId, config).catch((error: unknown) => {
      log.error({ err: error, workspaceId }, 'the knowledge of a call could not be read');
      return [];
    });
  };

export type ClaimedCallDeps = DialDeps & {
  readonly spec: SpecDeps;
  readonly prepare: PrepareTools;
  readonly knowledge: ReadKnowledge;
  readonly providers: ReadProviders;
  readonly ringTimeoutMs: number;
};

/** Places a claimed call; resolves when it is over. */
export function placeClaimed(deps: ClaimedCallDeps, claimed: Claimed): Promise<void> {
  const { versionConfig: config, fromNumber: from, toNumber: to } = claimed;
  const variables = { callee_name: claimed.calleeName, mobile_number: to, ...claimed.args };
  const direction = 'outbound';
  return placeOutbound(deps, {
    workspaceId: claimed.workspaceId,
    callId: claimed.callId,
    attempt: claimed.attempt,
    nodeId: claimed.nodeId,
    trunkId: claimed.trunkId,
    from,
    to,
    displayName: claimed.numberDisplayName === '' ? null : claimed.numberDisplayName,
    ringTimeoutMs: deps.ringTimeoutMs,
    spec: callSpec(deps.spec, { ...claimed, direction, config, variables }),
    knowledge: deps.knowledge(claimed.workspaceId, config),
    providers: deps.providers(claimed.workspaceId, config),
    prepare: () =>
      deps.prepare({
        ...claimed,
        config,
        variables,
        direction,
        from,
        to,
        callTime: claimed.callConfig?.call_time ?? null,
        budgetMs: OUTBOUND_BUDGET_MS,
      }),
  });
}
