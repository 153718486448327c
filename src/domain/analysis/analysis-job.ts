import { DEFAULT_CALL_TIME } from '../call-windows/call-time.ts';
import type { VersionConfig } from '../../store/json/agent-version.ts';
import { isLanguage, isValidZone } from '@callwright/language';
import { findCallToAnalyse } from '../../store/analysis/analyses.ts';
import type { Db } from '../../store/database.ts';
import type { AnalysedConversation } from './analysis.ts';

/**
 * A call to analyse; null for a call without a conversation, with an erased one, or with finished analyses, so
 * that a repeated job makes no model request.
 */
export async function readCallToAnalyse(
  db: Db,
  workspaceId: string,
  callId: string,
): Promise<AnalysedConversation | null> {
  const call = await findCallToAnalyse(db, workspaceId, callId);
  if (call?.transcript == null || call.transcript.length === 0 || call.isFinished) return null;
  const config = call.versionConfig as Partial<VersionConfig>;
  const ownTime = call.callConfig?.callTime;
  const zone = ownTime?.timezone ?? config.callConfig?.callTime?.timezone ?? '';
  const input = {
    language: isLanguage(config.language ?? '') ? (config.language ?? 'en-US') : ('en-US' as const),
    timeZone: isValidZone(zone) ? zone : DEFAULT_CALL_TIME.timezone,
    endedAt: call.endedAt?.getTime() ?? 0,
    subStatus: call.subStatus,
    hangupBy: call.hangupBy,
    agentName: call.agentName,
    prompt: config.agentConfig?.agentPrompt ?? '',
    transcript: call.transcript.map((line) => ({
      role: line['role'] === 'agent' ? ('agent' as const) : ('caller' as const),
      text: textOf(line['text']),
    })),
    tools: (call.toolLog ?? []).map((tool) => ({
      name: textOf(tool['name']),
      args: tool['args'] ?? {},
    })),
    labels: call.labels,
    client: config.clientAnalysis ?? null,
    evaluations: config.evaluations ?? [],
  };
  return { byStranger: call.byStranger, input, config: config as VersionConfig };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
