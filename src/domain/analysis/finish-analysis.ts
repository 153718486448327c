import type { VersionConfig } from '../../store/json/agent-version.ts';
import { platformDocument, type PlatformAnalysis } from '../../store/json/analysis.ts';
import type { Evaluation } from '../../store/json/call-record.ts';
import type { Clock } from '../../shared/clock.ts';
import { type CallEnd, lockEnds, saveAnalyses } from '../../store/analysis/analyses.ts';
import { type CallFacts, lockCall } from '../../store/calls/facts.ts';
import { changeResult } from '../../store/analysis/results.ts';
import type { Db, Tx } from '../../store/database.ts';
import type { JsonObject } from '../../store/schema.ts';
import { processingEnd } from '../calls/end-processing.ts';
import { resultOfAnswers, type CallResult } from '../calls/result.ts';
import type { CallEventType } from '../../wire/events/call.ts';
import { clientKeys, platformKeys } from '../../wire/events/conversation.ts';
import { queueCheck } from '../quality/check-call.ts';
import { appendEvent } from '../webhooks/events.ts';
import type { AnalysisInput, Findings } from './analysis.ts';

export interface FinishDeps {
  readonly db: Db;
  readonly clock: Clock;
  /** The URL of a call's recording. */
  readonly recordingUrl: (workspaceId: string, callId: string) => string;
}

export interface Analyses {
  readonly platform: PlatformAnalysis;
  readonly client: JsonObject | null;
  /** Null: the agent has no criteria. */
  readonly evaluations: readonly Evaluation[] | null;
  /** The analyst's name. */
  readonly analyst: string;
  /** False: every retry failed, and the stored analysis only reports the failure. */
  readonly isMade: boolean;
}

/**
 * Stores a call's analyses and appends their events and all_processing_completed in one transaction. Idempotent: a repeat
 * changes nothing. `analyses` is null for a call without any; they are discarded if the conversation was erased meanwhile.
 */
export async function finishAnalysis(
  deps: FinishDeps,
  workspaceId: string,
  callId: string,
  analyses: Analyses | null,
): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const call = await lockCall(tx, workspaceId, callId);
    if (call === null) return;
    const end = (await lockEnds(tx, workspaceId, [callId])).get(callId);
    if (end === undefined || end.isFinished) return;
    const at = new Date(deps.clock.now());
    const kept = end.transcript === null ? null : analyses;
    if (kept !== null) {
      await saveAnalyses(tx, workspaceId, callId, kept, at);
      const result = resultOf(call, kept);
      if (result !== null) await changeResult(tx, workspaceId, callId, result);
    }
    if (kept !== null) await queueCheck(tx, workspaceId, callId, at);
    await appendEvents(tx, deps, call, { end, analyses: kept, at });
  });
}

/** Null: the call keeps the result of its ending. */
function resultOf(call: CallFacts, { platform, client }: Analyses): CallResult | null {
  const config = call.versionConfig as Partial<VersionConfig>;
  return resultOfAnswers({
    subStatus: platform.callDisconnectReason,
    goalKey: config.clientAnalysis?.goalKey ?? null,
    client,
    classification: platform.classification,
  });
}

async function appendEvents(
  tx: Tx,
  deps: FinishDeps,
  call: CallFacts,
  done: { readonly end: CallEnd; readonly analyses: Analyses | null; readonly at: Date },
): Promise<void> {
  const { end, analyses, at } = done;
  const append = (type: CallEventType, more: JsonObject): Promise<boolean> =>
    appendEvent(tx, call, { type, attempt: null, at, toolLog: end.toolLog ?? [], more });
  const platform = platformDocument.write(analyses?.platform ?? null);
  if (analyses?.isMade === true) {
    const evaluations = toEvents(analyses.evaluations);
    await append('platform_analysis_completed', platformKeys(platform, evaluations));
    if (analyses.client !== null)
      await append('client_analysis_completed', clientKeys(analyses.client, analyses.analyst));
  }
  const last = processingEnd(
    end,
    {
      recordingUrl: deps.recordingUrl(call.workspaceId, call.id),
      platformAnalysis: platform,
      clientAnalysis: analyses?.client ?? null,
      evaluations: toEvents(analyses?.evaluations ?? null),
    },
    at,
  );
  await appendEvent(tx, call, last);
}

/** The platform analysis of a conversation. */
export function platformAnalysis(
  input: AnalysisInput,
  findings: Findings,
  analyst: string,
): PlatformAnalysis {
  const { callback } = findings;
  return {
    summary: findings.summary,
    classification: findings.classification,
    keyPoints: findings.keyPoints,
    actionItems: findings.actionItems,
    sentiment: findings.sentiment,
    callbackRequested: callback !== null,
    callbackRequestedTime: callback?.at == null ? null : new Date(callback.at).toISOString(),
    callbackRequestedWords: callback === null || callback.words === '' ? null : callback.words,
    callDisconnectReason: input.subStatus,
    timezone: input.timeZone,
    status: 'analyzed',
    analyzedBy: analyst,
  };
}

/** The platform analysis after every retry failed: no findings. */
export const failedAnalysis = (input: AnalysisInput, analyst: string): PlatformAnalysis => ({
  summary: null,
  classification: null,
  keyPoints: [],
  actionItems: [],
  sentiment: null,
  callbackRequested: null,
  callbackRequestedTime: null,
  callbackRequestedWords: null,
  callDisconnectReason: input.subStatus,
  timezone: input.timeZone,
  status: 'failed',
  analyzedBy: analyst,
});

/** The evaluations in the stored and wire form of events, which have a list in any case. */
export const toEvents = (evaluations: Analyses['evaluations']): Evaluation[] =>
  (evaluations ?? []).map(({ name, result, reason }) => ({ name, result, reason }));

/** The evaluations after every retry failed. */
export const failedEvaluations = ({ evaluations }: AnalysisInput): Evaluation[] | null =>
  evaluationsOf(
    evaluations.map(({ name }) => ({
      name,
      result: 'not_judged',
      reason: 'The analysis of the call failed.',
    })),
  );

/** Null for an agent without criteria. */
export const evaluationsOf = (evaluations: readonly Evaluation[]): Evaluation[] | null =>
  evaluations.length === 0 ? null : [...evaluations];
