export type Weekday = 'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun';

/** Local `HH:MM` times; may cross midnight. */
export interface TimeSlot {
  start: string;
  end: string;
}

/** The calling window: local `HH:MM` times in an IANA zone; it may cross midnight. */
export interface CallTime {
  call_start_time: string;
  call_end_time: string;
  timezone: string;
  /** Days on which the window opens; null: every day. */
  days: Weekday[] | null;
  /** Several windows per day instead of start and end; null: start and end are the only window. */
  slots: TimeSlot[] | null;
  /** The window applies in the time zones of the callee's number. */
  use_callee_timezone: boolean;
}

/** Who speaks first; `delay` belongs to the mode agent, `limit` to the mode caller. */
export interface FirstSpeaker {
  mode: 'auto' | 'agent' | 'caller';
  delay: number;
  limit: number;
}

/** The agent's `call_config` with all defaults, as stored in a version and shown on read. */
export interface AgentCallConfig {
  call_time: CallTime;
  /** Seconds, like both idle timeouts. */
  max_call_length: number;
  idle_timeout_warning: number;
  idle_timeout_end: number;
  noise_filter_config: { filter_noise: boolean; noise_suppression_level: number };
  voicemail: {
    detect: boolean;
    action: 'end' | 'summarise' | 'static_message';
    static_message: string | null;
    retry: boolean;
  };
  background_audio_config: { audio_id: 'office_ambience' | null; volume: number | null };
  mute_during_intro: boolean;
  /** Absent in versions that were stored before the setting existed: `auto`. Times in seconds. */
  first_speaker?: FirstSpeaker;
  /** Absent in versions that were stored before the setting existed: recorded. */
  recording?: { enabled: boolean };
}

/** The `call_config` of one call or campaign, as sent. */
export interface CallLevelConfig {
  call_time?: Partial<CallTime>;
  call_retry_config?: {
    retry_count?: number;
    retry_busy?: number;
    retry_not_picked?: number;
    retry_failed?: number;
  };
}
