import type { CampaignState } from '../../store/schema.ts';

/** Why a due call may not start: it ends without being dialled, or waits until `until` (epoch ms). */
export type Hold<EndStatus extends string = 'USER_TERMINATED' | 'CAMPAIGN_TIME_EXCEEDED'> =
  | { readonly kind: 'defer'; readonly subStatus: string; readonly until: number }
  | { readonly kind: 'end'; readonly subStatus: EndStatus };

/** Delay before a callback of a held campaign is checked again. */
const CAMPAIGN_RECHECK_MS = 60_000;

/**
 * How a callback follows the campaign it was requested in: it ends when the campaign is terminated or its end time has
 * passed, and waits while the campaign is paused or out of money. Null: it may start, also after the campaign completed.
 */
export function whyStopped(
  origin: { readonly state: CampaignState; readonly endAt: number | null } | null,
  now: number,
): Hold | null {
  if (origin === null) return null;
  if (origin.state === 'terminated') return { kind: 'end', subStatus: 'USER_TERMINATED' };
  if (origin.endAt !== null && origin.endAt <= now) {
    return { kind: 'end', subStatus: 'CAMPAIGN_TIME_EXCEEDED' };
  }
  const isHeld = origin.state === 'paused' || origin.state === 'insufficient_balance';
  return isHeld ? { kind: 'defer', subStatus: 'QUEUED', until: now + CAMPAIGN_RECHECK_MS } : null;
}
