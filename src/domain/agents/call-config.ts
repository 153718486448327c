import type { AgentCallConfig, FirstSpeaker } from '../../store/json/call-config.ts';
import { errors } from '../../errors.ts';
import type { Static } from 'typebox';
import { DEFAULT_CALL_TIME, mergeCallTime } from '../call-windows/call-time.ts';
import type { AgentCallConfig as AgentCallConfigSchema } from './agent-schema.ts';

/** The keys that a client sent, of create and `edit_call_config`. */
export type AgentCallConfigChange = Static<typeof AgentCallConfigSchema>;

/** The defaults of the interface's `call_config` table. */
export const DEFAULT_CALL_CONFIG: AgentCallConfig = {
  call_time: DEFAULT_CALL_TIME,
  max_call_length: 240,
  idle_timeout_warning: 5,
  idle_timeout_end: 10,
  noise_filter_config: { filter_noise: false, noise_suppression_level: 80 },
  voicemail: { detect: true, action: 'end', static_message: null, retry: true },
  background_audio_config: { audio_id: null, volume: null },
  mute_during_intro: true,
  first_speaker: { mode: 'auto', delay: 0, limit: 10 },
  recording: { enabled: true },
};

/** The configuration as shown on read: an old version can lack keys of `call_time`. */
export const showCallConfig = (config: AgentCallConfig): Required<AgentCallConfig> => ({
  ...config,
  call_time: { ...DEFAULT_CALL_CONFIG.call_time, ...config.call_time },
  first_speaker: firstSpeakerOf(config),
  recording: recordingOf(config),
});

/** With the defaults where the version has none. */
export const firstSpeakerOf = ({ first_speaker: stored }: AgentCallConfig): FirstSpeaker => ({
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
    call_time: mergeCallTime(base.call_time, change.call_time ?? {}),
    noise_filter_config: { ...base.noise_filter_config, ...change.noise_filter_config },
    voicemail: { ...base.voicemail, ...change.voicemail },
    background_audio_config: { ...base.background_audio_config, ...change.background_audio_config },
    first_speaker: { ...firstSpeakerOf(base), ...change.first_speaker },
    recording: { ...recordingOf(base), ...change.recording },
  };
  if (merged.idle_timeout_warning >= merged.idle_timeout_end) {
    throw errors.invalid(
      'call_config.idle_timeout_warning',
      `must be less than call_config.idle_timeout_end (${merged.idle_timeout_warning} is not less than ${merged.idle_timeout_end})`,
    );
  }
  if (merged.voicemail.action === 'static_message' && !merged.voicemail.static_message) {
    throw errors.invalid(
      'call_config.voicemail.static_message',
      'is required when call_config.voicemail.action is static_message',
    );
  }
  return merged;
}
