/** Digits of a UUID v7 that are random. */
const RANDOM_DIGITS = 8;
const RANGE = 16 ** RANDOM_DIGITS;

/** Whether a sample of so many percent has the call. The same call is in every larger sample, too. */
export const isSampled = (callId: string, percent: number): boolean =>
  (Number.parseInt(callId.slice(-RANDOM_DIGITS), 16) / RANGE) * 100 < percent;
