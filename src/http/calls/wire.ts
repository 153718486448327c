import type { CallRecord } from '../../domain/calls/call-record.ts';
import type { CallAttempt, CallDetails, TranscriptLine } from '../../domain/calls/details.ts';
import type { HistoryPage } from '../../domain/calls/history.ts';
import type { PlacedCall } from '../../domain/calls/place.ts';
import { toAnsweredBy, toFailure } from '../../wire/events/conversation.ts';
import { toCredits } from '../../domain/credits/price.ts';
import { authorOf, callEntry } from '../../shared/transcript-entry.ts';
import type { PriceTable } from '../../shared/prices.ts';
import { toLatency, toLineSource, toNetwork } from './quality-wire.ts';
import { toAgents, toUsage } from './usage-wire.ts';
import { toFollowUp } from './follow-up-wire.ts';
import { toFinding, toScore } from '../quality/wire.ts';
import { toCallingWindow } from '../common/calling-window-wire.ts';
import { iso, isoOrNull, secondsOrNull, toToolCalls } from '../common/values.ts';

export const toPlacedCall = (call: PlacedCall) => ({
  status: 'success',
  data: {
    call_id: call.callId,
    call_direction: 'outbound',
    call_status: call.status,
    call_sub_status: call.isWindowOpen ? 'QUEUED' : 'WINDOW_CLOSED',
    initiated_at: iso(call.initiatedAt),
    agent_id: call.agentId,
    custom_args_values: call.customArgsValues,
    next_attempt_at: iso(call.nextAttemptAt),
    calling_window: toCallingWindow(call.window),
    warnings: [...call.warnings],
  },
  message: call.isWindowOpen
    ? 'Call initiated successfully'
    : `Call registered; it waits for the calling window to open: ${call.window.opensAt} (${call.window.shownZone})`,
});

export const toCall = (call: CallRecord) => ({
  id: call.id,
  call_id: call.id,
  call_direction: call.type === 'outbound' ? 'outbound' : 'inbound',
  call_type: call.type,
  call_status: call.status,
  call_sub_status: call.subStatus,
  result: call.result,
  result_source: call.resultSource,
  from_number: call.fromNumber,
  to_number: call.toNumber,
  callee_name: call.calleeName,
  agent_id: call.agentId,
  agent_name: call.agentName,
  version_id: call.versionId,
  bulk_list_id: call.campaignId,
  call_category: call.category,
  parent_call_id: call.parentCallId,
  scheduled_callback_call_id: call.callbackCallId,
  custom_args_values: call.args,
  call_duration: secondsOrNull(call.durationMs),
  call_cost: toCredits(call.cost),
  retry_count: call.retriesUsed,
  next_attempt_at: isoOrNull(call.nextAttemptAt),
  initiation_time: iso(call.createdAt),
  last_dialed_at: isoOrNull(call.dialedAt),
  answered_at: isoOrNull(call.answeredAt),
  ended_at: isoOrNull(call.endedAt),
  hangup_by: call.hangupBy,
  recording_url: call.recordingUrl,
  purpose: call.purpose,
  dlt_template_id: call.dltTemplateId,
});

export const toHistoryPage = ({ calls, limit, offset, total, nextCursor }: HistoryPage) => ({
  calls: calls.map(toCall),
  limit,
  offset,
  count: calls.length,
  total,
  next_cursor: nextCursor,
});

/** The body of GET /calling/call-details; `withAnalysis` adds the analyses that exist. */
export function toCallDetails(details: CallDetails, prices: PriceTable, withAnalysis: boolean) {
  const { transcript, media, platformAnalysis, clientAnalysis } = details;
  return {
    ...toCall(details.call),
    failure: toFailure(details.failure),
    transcription_url:
      transcript === null ? null : JSON.stringify(toTranscript(transcript, details.audioStartedAt)),
    transcript:
      transcript === null
        ? null
        : transcript.map((line) => ({
            ...callEntry(line, details.audioStartedAt),
            ...authorOf(line),
            ...toLineSource(line.spokenBy),
          })),
    transcript_partial: details.isTranscriptPartial,
    recording_duration: secondsOrNull(details.recordingMs),
    recording_pauses: details.recordingPauses.map(({ fromMs, toMs }) => ({
      from_seconds: fromMs / 1000,
      to_seconds: secondsOrNull(toMs),
    })),
    attempts: details.attempts.map(toAttempt),
    latency: toLatency(details.latencies, media, transcript ?? []),
    usage: toUsage(details.usage, prices, details.call.durationMs),
    agents: toAgents(details.agents, prices),
    vendor_faults: details.faults.map(({ part, vendor, kind, status, effect, message, at }) => ({
      part,
      vendor,
      reason: kind,
      status,
      effect,
      message,
      at: iso(new Date(at)),
    })),
    network: media === null ? null : toNetwork(media),
    transfer_network: details.transferMedia.map(toNetwork),
    first_utterance_seconds: secondsOrNull(details.firstUtteranceMs),
    answered_by: toAnsweredBy(details.answeredBy),
    interruptions: details.interruptions,
    follow_up: toFollowUp(details.followUp),
    findings: details.findings === null ? null : details.findings.map(toFinding),
    score: toScore(details.score),
    tool_call_logs: toToolCalls(details.toolLog),
    feedback: details.feedback,
    listeners: details.listeners.map(({ listener, startedAt, endedAt }) => ({
      listener,
      from: iso(startedAt),
      until: isoOrNull(endedAt ?? details.call.endedAt),
    })),
    erased_at: isoOrNull(details.erasedAt),
    ...(withAnalysis && platformAnalysis !== null ? { platform_analysis: platformAnalysis } : {}),
    ...(withAnalysis && clientAnalysis !== null ? { client_analysis: clientAnalysis } : {}),
    ...(withAnalysis && details.evaluations !== null ? { evaluations: [...details.evaluations] } : {}),
  };
}

/** One `{bot}` or `{user}` entry per line, with its time and its offset in the recording. */
const toTranscript = (lines: readonly TranscriptLine[], audioStartedAt: number | null) =>
  lines.map((line) => {
    const { at, offset_ms } = callEntry(line, audioStartedAt);
    return {
      [line.role === 'agent' ? 'bot' : 'user']: line.text,
      timestamp: at,
      audio_offset_ms: offset_ms,
      interrupted: line.interrupted,
      by: line.by,
    };
  });

/** Seconds between two times; null if one is unknown. */
const between = (from: Date | null, to: Date | null): number | null =>
  from === null || to === null ? null : Math.max(0, to.getTime() - from.getTime()) / 1000;

const toAttempt = (attempt: CallAttempt) => ({
  attempt_number: attempt.attempt,
  started_at: iso(attempt.dialedAt ?? attempt.claimedAt),
  ringing_at: isoOrNull(attempt.ringingAt),
  answered_at: isoOrNull(attempt.answeredAt),
  ended_at: isoOrNull(attempt.endedAt),
  status: attempt.status,
  sub_status: attempt.subStatus,
  sip_code: attempt.sipCode,
  sip_call_id: attempt.sipCallId,
  reason: attempt.reason,
  failure: toFailure(attempt.failure),
  sip_messages: attempt.sipMessages.map(({ at, direction, what, note }) => ({
    at: iso(new Date(at)),
    direction,
    message: what,
    note,
  })),
  // Ringing ends with the answer or the end of the attempt.
  ring_seconds: between(attempt.ringingAt, attempt.answeredAt ?? attempt.endedAt),
  setup_seconds: between(attempt.dialedAt, attempt.ringingAt ?? attempt.answeredAt),
  cost: toCredits(attempt.cost),
  duration: secondsOrNull(attempt.durationMs),
  recording_url: attempt.recordingUrl,
});
