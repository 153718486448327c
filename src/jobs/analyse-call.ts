import type { VersionConfig } from '../store/json/agent-version.ts';
import type { AnalysedConversation, Analyst } from '../domain/analysis/analysis.ts';
import {
  evaluationsOf,
  failedAnalysis,
  failedEvaluations,
  finishAnalysis,
  platformAnalysis,
  type Analyses,
  type FinishDeps,
} from '../domain/analysis/finish-analysis.ts';
import { readCallToAnalyse } from '../domain/analysis/analysis-job.ts';
import { finishChatAnalysis, readChatToAnalyse } from '../domain/analysis/analyse-chat.ts';
import type { DueJob, JobHandler } from './job-runner.ts';

/** The analyst of a conversation that an agent of this version had. */
export type AnalystOf = (workspaceId: string, config: VersionConfig) => Promise<Analyst>;

interface AnalystDeps {
  readonly analystOf: AnalystOf;
  /** Called after events were queued for delivery. */
  onEvents(): void;
}
export type AnalyseDeps = FinishDeps & AnalystDeps;

/** A conversation that a job analyses. */
interface Conversation {
  readonly workspaceId: string;
  /** Null: there is nothing to analyse. */
  read(): Promise<AnalysedConversation | null>;
  /** Stores the result with its events; idempotent. */
  finish(analyses: Analyses | null): Promise<void>;
}

/** Job that analyses one ended call. Idempotent: a second run changes nothing and sends no second event. */
export const analyseCall = (deps: AnalyseDeps): JobHandler =>
  analysing(deps, ({ payload }) => {
    const call = [String(payload['workspaceId']), String(payload['callId'])] as const;
    return {
      workspaceId: call[0],
      read: () => readCallToAnalyse(deps.db, ...call),
      finish: (analyses) => finishAnalysis(deps, ...call, analyses),
    };
  });

/** The same for a chat. */
export const analyseChat = (deps: Pick<FinishDeps, 'db' | 'clock'> & AnalystDeps): JobHandler =>
  analysing(deps, ({ payload }) => {
    const chat = [String(payload['workspaceId']), String(payload['chatId'])] as const;
    return {
      workspaceId: chat[0],
      read: () => readChatToAnalyse(deps.db, ...chat),
      finish: (analyses) => finishChatAnalysis(deps, ...chat, analyses),
    };
  });

function analysing(deps: AnalystDeps, conversationOf: (job: DueJob) => Conversation): JobHandler {
  return {
    async run(job) {
      const conversation = conversationOf(job);
      const found = await conversation.read();
      if (found === null) await conversation.finish(null);
      else {
        const { input, config } = found;
        const analyst = await deps.analystOf(conversation.workspaceId, config);
        const { findings, client, evaluations } = await analyst.analyse(input);
        const platform = platformAnalysis(input, findings, analyst.name);
        await conversation.finish({
          platform,
          client,
          evaluations: evaluationsOf(evaluations),
          analyst: analyst.name,
          isMade: true,
        });
      }
      deps.onEvents();
    },
    async gaveUp(job) {
      const conversation = conversationOf(job);
      const found = await conversation.read();
      if (found === null) await conversation.finish(null);
      else {
        const { name } = await deps.analystOf(conversation.workspaceId, found.config);
        const platform = failedAnalysis(found.input, name);
        await conversation.finish({
          platform,
          client: null,
          evaluations: failedEvaluations(found.input),
          analyst: name,
          isMade: false,
        });
      }
      deps.onEvents();
    },
  };
}
