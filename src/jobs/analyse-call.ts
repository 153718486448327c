import type { Analyst } from '../domain/analysis/analysis.ts';
import {
  failedAnalysis,
  finishAnalysis,
  type FinishDeps,
  platformAnalysis,
} from '../domain/analysis/finish-analysis.ts';
import { readCallToAnalyse } from '../domain/analysis/analysis-job.ts';
import type { DueJob, JobHandler } from './job-runner.ts';

export interface AnalyseDeps extends FinishDeps {
  readonly analyst: Analyst;
  /** Called after events were queued for delivery. */
  onEvents(): void;
}

/** Job that analyses one ended call. Idempotent: a second run changes nothing and sends no second event. */
export function analyseCall(deps: AnalyseDeps): JobHandler {
  const { analyst } = deps;
  const callOf = ({ payload }: DueJob): [string, string] => [
    String(payload['workspaceId']),
    String(payload['callId']),
  ];
  return {
    async run(job) {
      const call = callOf(job);
      const input = await readCallToAnalyse(deps.db, ...call);
      if (input === null) await finishAnalysis(deps, ...call, null);
      else {
        const { findings, client } = await analyst.analyse(input);
        const platform = platformAnalysis(input, findings, analyst.name);
        await finishAnalysis(deps, ...call, { platform, client, analyst: analyst.name, isMade: true });
      }
      deps.onEvents();
    },
    async gaveUp(job) {
      const call = callOf(job);
      const input = await readCallToAnalyse(deps.db, ...call);
      const analyses =
        input === null
          ? null
          : {
              platform: failedAnalysis(input, analyst.name),
              client: null,
              analyst: analyst.name,
              isMade: false,
            };
      await finishAnalysis(deps, ...call, analyses);
      deps.onEvents();
    },
  };
}
