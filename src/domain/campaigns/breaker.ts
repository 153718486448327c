import type { JsonObject } from '../../store/schema.ts';

/**
 * When a campaign pauses by itself: at least `minimum` of its last `window` attempts are known, and this share of
 * them failed for a reason of ours or the carrier's.
 */
export interface BreakerRules {
  readonly failedShare: number;
  readonly window: number;
  readonly minimum: number;
}

/** The rules as a client or an operator writes them; absent keys inherit. */
export interface BreakerSettings {
  failed_share?: number;
  window_calls?: number;
  minimum_calls?: number;
}

export const DEFAULT_BREAKER: BreakerRules = { failedShare: 0.5, window: 50, minimum: 20 };

/** The campaign's own rules over its workspace's over the defaults, key by key. */
export function breakerRules(campaign: JsonObject | null, workspace: unknown): BreakerRules {
  const settings = { ...asSettings(workspace), ...asSettings(campaign) };
  const window = settings.window_calls ?? DEFAULT_BREAKER.window;
  return {
    failedShare: settings.failed_share ?? DEFAULT_BREAKER.failedShare,
    window,
    // More than the window holds would never be known.
    minimum: Math.min(settings.minimum_calls ?? DEFAULT_BREAKER.minimum, window),
  };
}

const asSettings = (value: unknown): BreakerSettings =>
  typeof value === 'object' && value !== null ? value : {};

/** Why the campaign pauses, for people; null while it may go on. Pure. */
export function breakerOpens(
  rules: BreakerRules,
  seen: { readonly attempts: number; readonly failed: number },
): string | null {
  if (seen.attempts < Math.max(1, rules.minimum)) return null;
  if (seen.failed === 0 || seen.failed / seen.attempts < rules.failedShare) return null;
  return `Paused by the circuit breaker: ${seen.failed} of the last ${seen.attempts} calls failed at the carrier or in the service`;
}
