import { ApiError } from './api-error.ts';

/** Answers about a cap or storage quota of the workspace's limits. */
export const admissionErrors = {
  /** The cap by its name in the limits: 402 for credits, 429 for what counts. */
  capReached: (cap: string): ApiError => {
    const isOfMinute = cap.endsWith('_per_minute');
    const again = isOfMinute ? 'try again in a minute' : 'try again tomorrow (UTC)';
    const message = `The workspace has reached ${cap} of its limits; ${again}`;
    if (cap.includes('credits')) return new ApiError(402, 'DAILY_SPEND_REACHED', message);
    return isOfMinute
      ? new ApiError(429, 'CALLS_PER_MINUTE_REACHED', message, [], {}, 60)
      : new ApiError(429, 'DAILY_TURNS_REACHED', message);
  },
  /** The quota by its name in the limits. `what`: the data that it bounds. */
  storageQuotaReached: (quota: string, what: string, mb: number): ApiError =>
    new ApiError(
      429,
      'STORAGE_QUOTA_REACHED',
      `${quota}: the ${what} of this workspace have reached its quota of ${mb} MB. Delete some, shorten their retention or ask the operator to raise ${quota}; the service counts again within the hour`,
    ),
};
