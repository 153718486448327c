import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Retryable SQLSTATE classes: connection, insufficient resources, operator intervention (restart), rollback (deadlock).
 */
const TRANSIENT_CLASSES = new Set(['08', '53', '57', '40']);
/** The server ended a session that idled in a transaction: the process or the network between was frozen. */
const IDLE_IN_TRANSACTION = '25P03';
const NETWORK = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN']);
const POOL_MESSAGES =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** Whether a database error is transient: the same statement may succeed on a retry. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (NETWORK.has(code) || code === IDLE_IN_TRANSACTION) return true;
  return TRANSIENT_CLASSES.has(code.slice(0, 2)) || POOL_MESSAGES.test(error.message);
}

/**
 * Retries idempotent database work with backoff through outages of up to `forMs`. A connection that breaks after a
 * commit looks like a failure, so `work` runs at least once and may run again after it took effect.
 */
export async function throughOutage<T>(work: () => Promise<T>, forMs: number): Promise<T> {
  const until = performance.now() + forMs;
  for (let waitMs = 100; ; waitMs = Math.min(waitMs * 2, 5000)) {
    try {
      return await work();
    } catch (error) {
      if (!isTransient(error) || performance.now() + waitMs > until) throw error;
      await sleep(waitMs);
    }
  }
}
