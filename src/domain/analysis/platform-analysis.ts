import type { JsonObject } from '../../store/schema.ts';
import type { AnalysisInput, Findings } from './analysis.ts';

/** A platform analysis as it is stored, shown and sent (open-points, Webhooks). */
export function platformAnalysis(input: AnalysisInput, findings: Findings, analyst: string): JsonObject {
  const { callback } = findings;
  return {
    summary: findings.summary,
    classification: findings.classification,
    key_points: findings.keyPoints,
    action_items: findings.actionItems,
    sentiment: findings.sentiment,
    callback_requested: callback !== null,
    callback_requested_time: callback?.at == null ? null : new Date(callback.at).toISOString(),
    callback_requested_words: callback === null || callback.words === '' ? null : callback.words,
    call_disconnect_reason: input.subStatus,
    timezone: input.timeZone,
    status: 'analyzed',
    analyzed_by: analyst,
  };
}

/** Every try failed: said so, with nothing in the place of findings. */
export const failedAnalysis = (input: AnalysisInput, analyst: string): JsonObject => ({
  summary: null,
  classification: null,
  key_points: [],
  action_items: [],
  sentiment: null,
  callback_requested: null,
  callback_requested_time: null,
  callback_requested_words: null,
  call_disconnect_reason: input.subStatus,
  timezone: input.timeZone,
  status: 'failed',
  analyzed_by: analyst,
});
