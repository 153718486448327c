import { layCallTime } from '../shared/lay-call-time.ts';
import type { JsonObject } from './schema.ts';

/**
 * The `call_config` that holds for a call: its own laid over its campaign's, key by key in `call_time` and in
 * `call_retry_config`. Null where neither says anything.
 */
export function levelConfig(own: JsonObject | null, campaign: JsonObject | null): JsonObject | null {
  if (own === null || campaign === null) return own ?? campaign;
  const merged: JsonObject = { ...campaign, ...own };
  for (const key of ['call_time', 'call_retry_config'] as const) {
    const [base, over] = [objectOf(campaign[key]), objectOf(own[key])];
    if (base !== null && over !== null) merged[key] = layCallTime(base, over);
  }
  return merged;
}

const objectOf = (value: unknown): JsonObject | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
