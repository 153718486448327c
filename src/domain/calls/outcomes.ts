/** Outcomes of a call, most significant first; the default labels. */
export const OUTCOMES = [
  'voicemail',
  'call_screened',
  'do_not_call',
  'wrong_number',
  'callback_requested',
  'transferred',
  'human_requested',
  'not_interested',
  'no_response',
  'interested',
  'completed',
  'incomplete',
] as const;
export type CallOutcome = (typeof OUTCOMES)[number];
