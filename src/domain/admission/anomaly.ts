import { MICRO_CREDITS } from '../credits/price.ts';
import { declaredSettings, type OutboundPause } from '../../store/json/workspace-settings.ts';
import type { HourUse } from '../../store/tenants/usage-hours.ts';
import type { JsonObject } from '../../store/schema.ts';

/** Why outbound calls of a workspace are paused. */
export type AnomalyReason = OutboundPause['reason'];

/** An hour is an anomaly from this multiple of the busiest hour of the week on. */
const FACTOR = 10;
/** Below these, an hour is no anomaly however quiet the week was. */
const LEAST: HourUse = { starts: 100, charged: 100 * MICRO_CREDITS };

/**
 * Whether the hour so far is an anomaly against the busiest hour of the week before. A count that was zero all week has nothing to be
 * compared with: a new workspace is held by its caps. Pure.
 */
export function anomalyOf(now: HourUse, busiest: HourUse): AnomalyReason | null {
  const isAnomaly = (count: keyof HourUse): boolean =>
    busiest[count] > 0 && now[count] >= Math.max(LEAST[count], busiest[count] * FACTOR);
  if (isAnomaly('starts')) return 'attempts';
  return isAnomaly('charged') ? 'spend' : null;
}

/** The pause that holds for a workspace, also through its parent; null: none. */
export function outboundPause(settings: JsonObject): OutboundPause | null {
  const parent = (settings['parent'] ?? {}) as JsonObject;
  return declaredSettings(settings).outboundPaused ?? declaredSettings(parent).outboundPaused ?? null;
}
