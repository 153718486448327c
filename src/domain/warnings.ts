/** Something that a request did not forbid, and that its sender should know. */
export interface Warning {
  readonly code:
    /** A variable that the agent uses has neither a value nor a fallback. */
    | 'VARIABLE_MISSING'
    /** A value was sent for something that is no variable of the agent. */
    | 'VARIABLE_UNKNOWN'
    /** A page sent a value that only the workspace's server may set. */
    | 'VARIABLE_RESERVED'
    /** A workspace on a carrier without a cap of its daily spending. */
    | 'NO_DAILY_CAP'
    /** The keys of SRTP travel in signalling without TLS. */
    | 'SRTP_KEYS_IN_CLEAR'
    /** The calling window is the default of the interface. */
    | 'DEFAULT_CALL_TIME'
    /** The calling window is closed: the call or the campaign waits. */
    | 'WINDOW_CLOSED'
    /** Phones would ring before 08:00 or after 21:00 on the callee's clock. */
    | 'NIGHT_AT_CALLEE'
    /** The campaign's start time has passed: it starts at once. */
    | 'START_IN_PAST';
  readonly field: string;
  readonly message: string;
}
