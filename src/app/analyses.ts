import type { Config } from '../config.ts';
import type { VersionConfig } from '../store/json/agent-version.ts';
import { ANALYSIS_JOB } from '../domain/calls/queue-analyses.ts';
import { modelAnalyst, type StructuredModel } from '../domain/analysis/model-analyst.ts';
import { paidAnalyst, type AnalysisChargeDeps } from '../domain/analysis/paid-analyst.ts';
import { rulesAnalyst } from '../domain/analysis/rules-analyst.ts';
import { CHAT_ANALYSIS_JOB } from '../domain/chats/end-chat.ts';
import { analyseCall, analyseChat, type AnalyseDeps, type AnalystOf } from '../jobs/analyse-call.ts';
import { JobRunner, type JobHandler } from '../jobs/job-runner.ts';
import type { Log } from '../shared/log.ts';
import { openReach, type VendorReach } from '../providers/wire/reach.ts';
import type { ReadProviders } from './provider-reader.ts';
import { structuredModel } from './workspace-models.ts';

/** Covers two model requests, the repair request between them, and a margin. */
const LEASE_MS = 60_000;

export interface ConversationModelsDeps {
  /** The installation's models, in order. */
  readonly installation: Config['llm'];
  readonly providers: ReadProviders;
  /** SAFE_FETCH_ALLOW. */
  readonly allow: readonly string[];
  /** Limit of one answer. */
  readonly timeoutMs?: number;
}

/** The models that judge a finished conversation: those that its agent used. */
export class ConversationModels {
  readonly #deps: ConversationModelsDeps;
  readonly #reach: VendorReach;

  constructor(deps: ConversationModelsDeps) {
    this.#deps = deps;
    this.#reach = openReach({ allow: deps.allow });
  }

  /** Null: none is configured, or the workspace keeps models out. */
  async of(workspaceId: string, config: VersionConfig): Promise<StructuredModel | null> {
    const { installation, providers, timeoutMs } = this.#deps;
    const { llm } = await providers(workspaceId, config);
    return structuredModel(llm, installation, this.#reach, timeoutMs);
  }

  close(): Promise<void> {
    return this.#reach.close();
  }
}

/**
 * The models that the agent of a conversation used analyse it, for the price of an analysis; without one, rules do. `charges` absent:
 * free.
 */
export const analystOf =
  (models: Pick<ConversationModels, 'of'>, charges?: AnalysisChargeDeps): AnalystOf =>
  async (subject, config) => {
    const model = await models.of(subject.workspaceId, config);
    if (model === null) return rulesAnalyst;
    const analyst = modelAnalyst(model);
    return charges === undefined ? analyst : paidAnalyst(charges, subject, analyst);
  };

interface RunnerOptions {
  readonly log: Log;
  readonly retryAfterMs?: readonly number[];
  readonly pollMs?: number;
}

/** A separate job runner, so that slow documents do not delay analyses (head-of-line blocking). */
export const analysisRunner = (deps: AnalyseDeps & RunnerOptions): JobRunner =>
  runnerOf(deps, ANALYSIS_JOB, analyseCall(deps));

/** The same for chats, so that neither delays the other. */
export const chatAnalysisRunner = (deps: Omit<AnalyseDeps, 'recordingUrl'> & RunnerOptions): JobRunner =>
  runnerOf(deps, CHAT_ANALYSIS_JOB, analyseChat(deps));

const runnerOf = (
  deps: Pick<AnalyseDeps, 'db' | 'clock'> & RunnerOptions,
  kind: string,
  handler: JobHandler,
): JobRunner =>
  new JobRunner({
    db: deps.db,
    clock: deps.clock,
    log: deps.log,
    kind,
    handler,
    leaseMs: LEASE_MS,
    parallel: 8,
    parts: 2,
    ...(deps.retryAfterMs === undefined ? {} : { retryAfterMs: deps.retryAfterMs }),
    ...(deps.pollMs === undefined ? {} : { pollMs: deps.pollMs }),
  });
