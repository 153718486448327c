/** What holds for a workspace whose provision file and settings say nothing. */

/** When a campaign is paused because its calls fail. */
export const DEFAULT_BREAKER = { failedShare: 0.5, window: 50, minimum: 20 } as const;

/** When a caller number rests. */
export const DEFAULT_NUMBER_REST = { attempts: 40, share: 0.5, minutes: 30 } as const;
