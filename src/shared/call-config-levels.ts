/** A `call_config` or a part of it, as stored. */
type Settings = Record<string, unknown>;

/** The keys that set a window's hours. */
interface Hours {
  readonly callStartTime?: unknown;
  readonly callEndTime?: unknown;
}

/**
 * Overrides `base` with `over`, key by key. A start or end time in `over` also clears the slots of `base`: it replaces
 * the whole window.
 */
export function layCallTime<T extends object>(base: T, over: Partial<T> & Hours): T {
  const isPlain = over.callStartTime !== undefined || over.callEndTime !== undefined;
  return { ...base, ...(isPlain ? { slots: null } : {}), ...over };
}

/**
 * The effective `call_config` of a call: its own over its campaign's, merged key by key in `call_time` and
 * `call_retry_config`. Null: neither level has settings.
 */
export function levelConfig<T extends object>(own: T | null, campaign: T | null): T | null {
  if (own === null || campaign === null) return own ?? campaign;
  const merged: Settings = { ...(campaign as Settings), ...(own as Settings) };
  for (const key of ['callTime', 'callRetryConfig'] as const) {
    const [base, over] = [objectOf((campaign as Settings)[key]), objectOf((own as Settings)[key])];
    if (base !== null && over !== null) merged[key] = layCallTime(base, over);
  }
  return merged as T;
}

const objectOf = (value: unknown): Settings | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Settings) : null;
