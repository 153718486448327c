/** The keys of a window that say when it is open on a day. */
interface Hours {
  readonly call_start_time?: unknown;
  readonly call_end_time?: unknown;
}

/**
 * `over` laid over `base` key by key. A start or end that comes without slots replaces the slots below it: who says
 * when a window starts means that window.
 */
export function layCallTime<T extends object>(base: T, over: Partial<T> & Hours): T {
  const isPlain = over.call_start_time !== undefined || over.call_end_time !== undefined;
  return { ...base, ...(isPlain ? { slots: null } : {}), ...over };
}
