import { DEFAULT_BREAKER } from '../../shared/workspace-defaults.ts';
import { breakerDocument, type BreakerSettings } from '../../store/json/workspace-settings.ts';
import type { Wire } from '../../shared/wire-names.ts';
import { reasonSentence } from './state-reason.ts';

/**
 * The circuit breaker of a campaign pauses it when `failedShare` of its last `window` ended attempts failed at the
 * carrier or in the service. It judges once at least `minimum` attempts have ended.
 */
export interface BreakerRules {
  readonly failedShare: number;
  readonly window: number;
  readonly minimum: number;
}

type Stored = Wire<BreakerSettings> | null | undefined;

/** Merges the rules key by key: campaign over workspace over defaults. */
export function breakerRules(campaign: Stored, workspace: Stored): BreakerRules {
  const own: BreakerSettings = breakerDocument.read(campaign) ?? {};
  const inherited: BreakerSettings = breakerDocument.read(workspace) ?? {};
  const window = own.windowCalls ?? inherited.windowCalls ?? DEFAULT_BREAKER.window;
  const minimum = own.minimumCalls ?? inherited.minimumCalls ?? DEFAULT_BREAKER.minimum;
  return {
    failedShare: own.failedShare ?? inherited.failedShare ?? DEFAULT_BREAKER.failedShare,
    window,
    // The window never holds more attempts than its size, so a larger minimum would never be reached.
    minimum: Math.min(minimum, window),
  };
}

/** The message of an open breaker, shown with the campaign; null while it stays closed. Pure. */
export function breakerOpens(
  rules: BreakerRules,
  seen: { readonly attempts: number; readonly failed: number },
): string | null {
  if (seen.attempts < Math.max(1, rules.minimum)) return null;
  if (seen.failed === 0 || seen.failed / seen.attempts < rules.failedShare) return null;
  return reasonSentence('circuit_breaker', { failed: seen.failed, attempts: seen.attempts });
}
