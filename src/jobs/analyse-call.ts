import type { VersionConfig } from '../store/json/agent-version.ts';
import type { AnalysedConversation, AnalysedSubject, Analyst } from '../domain/analysis/analysis.ts';
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
export type AnalystOf = (of: AnalysedSubject, config: VersionConfig) => Promise<Analyst>;

interface AnalystDeps {
  readonly analystOf: AnalystOf;
  /** Called after events were queued for delivery. */
  onEvents(): void;
}
export type AnalyseDeps = FinishDeps & AnalystDeps;

/** A conversation that a job analyses. */
interface Conversation {
  readonly subject: Omit<AnalysedSubject, 'byStranger'>;
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
      subject: { kind: 'call', workspaceId: call[0], subjectId: call[1] },
      read: () => readCallToAnalyse(deps.db, ...call),
      finish: (analyses) => finishAnalysis(deps, ...call, analyses),
    };
  });

/** The same for a chat. */
export const analyseChat = (deps: Pick<FinishDeps, 'db' | 'clock'> & AnalystDeps): JobHandler =>
  analysing(deps, ({ payload }) => {
    const chat = [String(payload['workspaceId']), String(payload['chatId'])] as const;
    return {
      subject: { kind: 'chat', workspaceId: chat[0], subjectId: chat[1] },
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
        const { byStranger, input, config } = found;
        const chosen = await deps.analystOf({ ...conversation.subject, byStranger }, config);
        const { analyst, findings, client, evaluations } = await chosen.analyse(input);
        const platform = platformAnalysis(input, findings, analyst);
        await conversation.finish({
          platform,
          client,
          evaluations: evaluationsOf(evaluations),
          analyst,
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
        const { byStranger } = found;
        const { name } = await deps.analystOf({ ...conversation.subject, byStranger }, found.config);
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
