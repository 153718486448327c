/** Retries that were dialled: a call's count of used retries includes the one that it still waits for. */
export const retriesStarted = (call: { readonly attempt: number; readonly retriesUsed: number }): number =>
  Math.min(call.retriesUsed, Math.max(0, call.attempt - 1));
