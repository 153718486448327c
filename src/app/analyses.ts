import type { Config } from '../config.ts';
import type { Analyst } from '../domain/analysis/analysis.ts';
import { modelAnalyst } from '../domain/analysis/model-analyst.ts';
import { ANALYSIS_JOB } from '../domain/analysis/analysis-job.ts';
import { rulesAnalyst } from '../domain/analysis/rules-analyst.ts';
import { CHAT_ANALYSIS_JOB } from '../domain/chats/end-chat.ts';
import { analyseCall, analyseChat, type AnalyseDeps } from '../jobs/analyse-call.ts';
import { JobRunner, type JobHandler } from '../jobs/job-runner.ts';
import type { Log } from '../shared/log.ts';
import { once } from '../shared/once.ts';

/** Covers two model requests, the repair request between them, and a margin. */
const LEASE_MS = 60_000;

/** The configured models, loaded for the first analysis; without one the rules analyst. */
export function analystFor([first, ...others]: Config['llm'], timeoutMs?: number): Analyst {
  if (first === undefined) return rulesAnalyst;
  const models = once(async () => {
    const { structuredModels } = await import('../providers/llm/structured-answer.ts');
    return structuredModels([first, ...others], timeoutMs);
  });
  return modelAnalyst({ name: first.model, answer: async (request) => (await models()).answer(request) });
}

interface RunnerOptions {
  readonly log: Log;
  readonly llm: Config['llm'];
  readonly modelTimeoutMs?: number;
  readonly retryAfterMs?: readonly number[];
}

/** A separate job runner, so that slow documents do not delay analyses (head-of-line blocking). */
export const analysisRunner = (deps: Omit<AnalyseDeps, 'analyst'> & RunnerOptions): JobRunner =>
  runnerOf(deps, ANALYSIS_JOB, (analyst) => analyseCall({ ...deps, analyst }));

/** The same for chats, so that neither delays the other. */
export const chatAnalysisRunner = (
  deps: Omit<AnalyseDeps, 'analyst' | 'recordingUrl'> & RunnerOptions,
): JobRunner => runnerOf(deps, CHAT_ANALYSIS_JOB, (analyst) => analyseChat({ ...deps, analyst }));

const runnerOf = (
  deps: Pick<AnalyseDeps, 'db' | 'clock'> & RunnerOptions,
  kind: string,
  handlerOf: (analyst: Analyst) => JobHandler,
): JobRunner =>
  new JobRunner({
    db: deps.db,
    clock: deps.clock,
    log: deps.log,
    kind,
    handler: handlerOf(analystFor(deps.llm, deps.modelTimeoutMs)),
    leaseMs: LEASE_MS,
    parallel: 6,
    perWorkspace: 4,
    ...(deps.retryAfterMs === undefined ? {} : { retryAfterMs: deps.retryAfterMs }),
  });
