import { ANALYSIS_JOB } from '../domain/calls/queue-analyses.ts';
import { modelAnalyst } from '../domain/analysis/model-analyst.ts';
import { rulesAnalyst } from '../domain/analysis/rules-analyst.ts';
import { CHAT_ANALYSIS_JOB } from '../domain/chats/end-chat.ts';
import { analyseCall, analyseChat, type AnalyseDeps, type AnalystOf } from '../jobs/analyse-call.ts';
import { JobRunner, type JobHandler } from '../jobs/job-runner.ts';
import type { Log } from '../shared/log.ts';
import type { ConversationModels } from './conversation-models.ts';

/** Covers two model requests, the repair request between them, and a margin. */
const LEASE_MS = 60_000;

/** The models that the agent of a conversation used analyse it; without one, rules do. */
export const analystOf =
  (models: Pick<ConversationModels, 'of'>): AnalystOf =>
  async (workspaceId, config) => {
    const model = await models.of(workspaceId, config);
    return model === null ? rulesAnalyst : modelAnalyst(model);
  };

interface RunnerOptions {
  readonly log: Log;
  readonly retryAfterMs?: readonly number[];
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
    parallel: 6,
    perWorkspace: 4,
    ...(deps.retryAfterMs === undefined ? {} : { retryAfterMs: deps.retryAfterMs }),
  });
