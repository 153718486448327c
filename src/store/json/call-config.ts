import { wireDocument, type Described } from '../../shared/wire-names.ts';

export type Weekday = 'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun';

/** Local `HH:MM` times; may cross midnight. */
export interface TimeSlot {
  start: string;
  end: string;
}

/** The calling window: local `HH:MM` times in an IANA zone; it may cross midnight. */
export interface CallTime {
  callStartTime: string;
  callEndTime: string;
  timezone: string;
  /** Days on which the window opens; null: every day. */
  days: Weekday[] | null;
  /** Several windows per day instead of start and end; null: start and end are the only window. */
  slots: TimeSlot[] | null;
  /** The window applies in the time zones of the callee's number. */
  useCalleeTimezone: boolean;
}

const CALL_TIME: Described<CallTime> = { callStartTime: true, callEndTime: true, useCalleeTimezone: true };
export const callTimeDocument = wireDocument<Partial<CallTime>>(CALL_TIME);

/** Who speaks first; `delay` belongs to the mode agent, `limit` to the mode caller. */
export interface FirstSpeaker {
  mode: 'auto' | 'agent' | 'caller';
  delay: number;
  limit: number;
}

/** The agent's `call_config` with all defaults, as stored in a version and shown on read. */
export interface AgentCallConfig {
  callTime: CallTime;
  /** Seconds, like both idle timeouts. */
  maxCallLength: number;
  idleTimeoutWarning: number;
  idleTimeoutEnd: number;
  noiseFilterConfig: { filterNoise: boolean; noiseSuppressionLevel: number };
  voicemail: {
    detect: boolean;
    action: 'end' | 'summarise' | 'static_message';
    staticMessage: string | null;
    retry: boolean;
  };
  backgroundAudioConfig: { audioId: 'office_ambience' | null; volume: number | null };
  muteDuringIntro: boolean;
  /** Absent in versions that were stored before the setting existed: `auto`. Times in seconds. */
  firstSpeaker?: FirstSpeaker;
  /** Absent in versions that were stored before the setting existed: recorded. */
  recording?: { enabled: boolean };
}

export const AGENT_CALL_CONFIG: Described<AgentCallConfig> = {
  callTime: CALL_TIME,
  maxCallLength: true,
  idleTimeoutWarning: true,
  idleTimeoutEnd: true,
  noiseFilterConfig: { filterNoise: true, noiseSuppressionLevel: true },
  voicemail: { staticMessage: true },
  backgroundAudioConfig: { audioId: true },
  muteDuringIntro: true,
  firstSpeaker: true,
};
export const agentCallConfigDocument = wireDocument<AgentCallConfig>(AGENT_CALL_CONFIG);

/** The `call_config` of one call or campaign, as sent. */
export interface CallLevelConfig {
  callTime?: Partial<CallTime>;
  callRetryConfig?: {
    retryCount?: number;
    retryBusy?: number;
    retryNotPicked?: number;
    retryFailed?: number;
  };
}

export const callLevelDocument = wireDocument<CallLevelConfig>({
  callTime: CALL_TIME,
  callRetryConfig: { retryCount: true, retryBusy: true, retryNotPicked: true, retryFailed: true },
});
