import { isLanguage } from '../../shared/languages.ts';
import { findCallToAnalyse } from '../../store/analyses.ts';
import type { Db } from '../../store/database.ts';
import type { VersionConfig } from '../agents/agent-version.ts';
import { DEFAULT_CALL_CONFIG, type CallLevelConfig } from '../agents/call-config.ts';
import { isValidZone } from '../calls/time-zone.ts';
import type { AnalysisInput } from './analysis.ts';

/**
 * What an analysis is made from; null for a call that nobody talked on, whose conversation was erased, or whose
 * analysis is there already: a job that runs again costs no answer of a model.
 */
export async function readCallToAnalyse(
  db: Db,
  workspaceId: string,
  callId: string,
): Promise<AnalysisInput | null> {
  const call = await findCallToAnalyse(db, workspaceId, callId);
  if (call?.transcript == null || call.transcript.length === 0 || call.isFinished) return null;
  const config = call.versionConfig as Partial<VersionConfig>;
  const ownTime = (call.callConfig as CallLevelConfig | null)?.call_time;
  const zone = ownTime?.timezone ?? config.call_config?.call_time?.timezone ?? '';
  return {
    language: isLanguage(config.language ?? '') ? (config.language ?? 'en-US') : 'en-US',
    timeZone: isValidZone(zone) ? zone : DEFAULT_CALL_CONFIG.call_time.timezone,
    endedAt: call.endedAt?.getTime() ?? 0,
    subStatus: call.subStatus,
    hangupBy: call.hangupBy,
    agentName: call.agentName,
    prompt: config.agent_config?.agent_prompt ?? '',
    transcript: call.transcript.map((line) => ({
      role: line['role'] === 'agent' ? 'agent' : 'caller',
      text: textOf(line['text']),
    })),
    tools: (call.toolLog ?? []).map((tool) => ({
      name: textOf(tool['name']),
      args: (tool['args'] ?? {}) as Record<string, unknown>,
    })),
    labels: call.labels,
    client: config.client_analysis ?? null,
  };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
