/** Retries that were dialled: a call's count of used retries includes the one that it still waits for. */
export const retriesStarted = (call: { readonly attempt: number; readonly retries_used: number }): number =>
  Math.min(call.retries_used, Math.max(0, call.attempt - 1));
