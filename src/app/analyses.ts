import type { Config } from '../config.ts';
import type { Analyst } from '../domain/analysis/analysis.ts';
import { modelAnalyst } from '../domain/analysis/model-analyst.ts';
import { ANALYSIS_JOB } from '../domain/analysis/queue-analysis.ts';
import { rulesAnalyst } from '../domain/analysis/rules-analyst.ts';
import { analyseCall, type AnalyseDeps } from '../jobs/analyse-call.ts';
import { JobRunner } from '../jobs/job-runner.ts';
import { languageSense } from '../providers/llm/offline/language-sense.ts';
import { createStructuredModel } from '../providers/llm/structured-answer.ts';
import type { Log } from '../shared/log.ts';

/** Two requests of a model with a repair between them, and some air. */
const LEASE_MS = 60_000;

/** What analyses calls here: the configured model, or rules without one. */
export const analystFor = (llm: Config['llm']): Analyst =>
  llm === null ? rulesAnalyst(languageSense) : modelAnalyst(createStructuredModel(llm));

/** A runner of its own: a document that is slow to read keeps no call waiting. */
export const analysisRunner = (
  deps: Omit<AnalyseDeps, 'analyst'> & {
    readonly log: Log;
    readonly llm: Config['llm'];
    readonly retryAfterMs?: readonly number[];
  },
): JobRunner =>
  new JobRunner({
    db: deps.db,
    clock: deps.clock,
    log: deps.log,
    handlers: { [ANALYSIS_JOB]: analyseCall({ ...deps, analyst: analystFor(deps.llm) }) },
    leaseMs: LEASE_MS,
    parallel: 4,
    ...(deps.retryAfterMs === undefined ? {} : { retryAfterMs: deps.retryAfterMs }),
  });
