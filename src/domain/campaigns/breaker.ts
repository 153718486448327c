import type { JsonObject } from '../../store/schema.ts';

/**
 * The circuit breaker of a campaign pauses it when `failedShare` of its last `window` ended attempts failed at the
 * carrier or in the service. It judges once at least `minimum` attempts have ended.
 */
export interface BreakerRules {
  readonly failedShare: number;
  readonly window: number;
  readonly minimum: number;
}

/** The rules as sent in a request or provisioned for a workspace; absent keys inherit. */
export interface BreakerSettings {
  failed_share?: number;
  window_calls?: number;
  minimum_calls?: number;
}

export const DEFAULT_BREAKER: BreakerRules = { failedShare: 0.5, window: 50, minimum: 20 };

/** Merges the rules key by key: campaign over workspace over defaults. */
export function breakerRules(campaign: JsonObject | null, workspace: unknown): BreakerRules {
  const settings = { ...asSettings(workspace), ...asSettings(campaign) };
  const window = settings.window_calls ?? DEFAULT_BREAKER.window;
  return {
    failedShare: settings.failed_share ?? DEFAULT_BREAKER.failedShare,
    window,
    // The window never holds more attempts than its size, so a larger minimum would never be reached.
    minimum: Math.min(settings.minimum_calls ?? DEFAULT_BREAKER.minimum, window),
  };
}

const asSettings = (value: unknown): BreakerSettings =>
  typeof value === 'object' && value !== null ? value : {};

/** The message of an open breaker, shown with the campaign; null while it stays closed. Pure. */
export function breakerOpens(
  rules: BreakerRules,
  seen: { readonly attempts: number; readonly failed: number },
): string | null {
  if (seen.attempts < Math.max(1, rules.minimum)) return null;
  if (seen.failed === 0 || seen.failed / seen.attempts < rules.failedShare) return null;
  return `Paused by the circuit breaker: ${seen.failed} of the last ${seen.attempts} calls failed at the carrier or in the service`;
}
