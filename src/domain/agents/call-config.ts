import type { AgentCallConfig, FirstSpeaker } from '../../store/json/call-config.ts';
import { errors } from '../../errors.ts';
import { DEFAULT_CALL_TIME, mergeCallTime } from '../call-windows/call-time.ts';

/** The keys that a client sent, of create and `edit_call_config`. */
export type AgentCallConfigChange = {
  readonly [K in keyof AgentCallConfig]?: AgentCallConfig[K] extends object | undefined
    ? Partial<AgentCallConfig[K]>
    : AgentCallConfig[K];
};

/** Retries after the first attempt, of a call without `retry_count`. */
export const DEFAULT_RETRIES = { individual: 0, campaign: 2 } as const;
export const DEFAULT_DELAY_MINUTES = 30;

/** The defaults of the interface's `call_config` table. */
export const DEFAULT_CALL_CONFIG: AgentCallConfig = {
  callTime: DEFAULT_CALL_TIME,
  maxCallLength: 240,
  idleTimeoutWarning: 5,
  idleTimeoutEnd: 10,
  noiseFilterConfig: { filterNoise: false, noiseSuppressionLevel: 80 },
  voicemail: { detect: true, action: 'end', staticMessage: null, retry: true },
  backgroundAudioConfig: { audioId: null, volume: null },
  muteDuringIntro: true,
  firstSpeaker: { mode: 'auto', delay: 0, limit: 10 },
  recording: { enabled: true },
};

/** The configuration as shown on read: an old version can lack keys of `call_time`. */
export const showCallConfig = (config: AgentCallConfig): Required<AgentCallConfig> => ({
  ...config,
  callTime: { ...DEFAULT_CALL_CONFIG.callTime, ...config.callTime },
  firstSpeaker: firstSpeakerOf(config),
  recording: recordingOf(config),
});

/** With the defaults where the version has none. */
export const firstSpeakerOf = ({ firstSpeaker: stored }: AgentCallConfig): FirstSpeaker => ({
  mode: 'auto',
  delay: 0,
  limit: 10,
  ...stored,
});

const recordingOf = ({ recording }: AgentCallConfig): { enabled: boolean } => ({
  enabled: recording?.enabled ?? true,
});

/** Overlays the sent keys on `base`, nested objects key by key, and checks the rules that span keys. Throws 422. */
export function mergeCallConfig(base: AgentCallConfig, change: AgentCallConfigChange): AgentCallConfig {
  const merged: AgentCallConfig = {
    ...base,
    ...change,
    callTime: mergeCallTime(base.callTime, change.callTime ?? {}),
    noiseFilterConfig: { ...base.noiseFilterConfig, ...change.noiseFilterConfig },
    voicemail: { ...base.voicemail, ...change.voicemail },
    backgroundAudioConfig: { ...base.backgroundAudioConfig, ...change.backgroundAudioConfig },
    firstSpeaker: { ...firstSpeakerOf(base), ...change.firstSpeaker },
    recording: { ...recordingOf(base), ...change.recording },
  };
  if (merged.idleTimeoutWarning >= merged.idleTimeoutEnd) {
    throw errors.invalid(
      'call_config.idle_timeout_warning',
      `must be less than call_config.idle_timeout_end (${merged.idleTimeoutWarning} is not less than ${merged.idleTimeoutEnd})`,
    );
  }
  if (merged.voicemail.action === 'static_message' && !merged.voicemail.staticMessage) {
    throw errors.invalid(
      'call_config.voicemail.static_message',
      'is required when call_config.voicemail.action is static_message',
    );
  }
  return merged;
}
