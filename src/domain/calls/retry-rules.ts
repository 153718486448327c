import type { CallLevelConfig } from '../agents/call-config.ts';
import type { RetryClass } from './outcome.ts';

/** Retries after the first attempt, and how long to wait after each outcome. */
export interface RetryRules {
  readonly retries: number;
  readonly delayMs: Readonly<Record<RetryClass, number>>;
  /** interface: voicemail.retry. */
  readonly afterVoicemail: boolean;
}

const DEFAULT_RETRIES = { individual: 0, campaign: 2 } as const;
const DEFAULT_DELAY_MINUTES = 30;
const MINUTE_MS = 60_000;

/** The rules of one call: its own `call_retry_config`, then the defaults (open-points, Calls). */
export function retryRules(
  kind: keyof typeof DEFAULT_RETRIES,
  callConfig: CallLevelConfig | null,
  voicemail: { readonly retry?: boolean } | null | undefined,
): RetryRules {
  const config = callConfig?.call_retry_config ?? {};
  const delay = (minutes: number | undefined): number => (minutes ?? DEFAULT_DELAY_MINUTES) * MINUTE_MS;
  const notPicked = delay(config.retry_not_picked);
  return {
    retries: config.retry_count ?? DEFAULT_RETRIES[kind],
    delayMs: {
      busy: delay(config.retry_busy),
      not_picked: notPicked,
      failed: delay(config.retry_failed),
      // A machine answered: nobody picked up.
      voicemail: notPicked,
    },
    afterVoicemail: voicemail?.retry ?? true,
  };
}

export type RetryDecision =
  | { readonly retry: true; readonly delayMs: number }
  | { readonly retry: false; readonly exhausted: boolean };

/** Whether a call is tried again after an outcome of class `retry`, with `used` retries behind it. */
export function decideRetry(rules: RetryRules, retry: RetryClass | null, used: number): RetryDecision {
  if (retry === null || (retry === 'voicemail' && !rules.afterVoicemail)) {
    return { retry: false, exhausted: false };
  }
  if (used >= rules.retries) return { retry: false, exhausted: rules.retries > 0 };
  return { retry: true, delayMs: rules.delayMs[retry] };
}
