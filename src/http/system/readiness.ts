import type { ReadyCheck } from '../server/server-deps.ts';

/** Checks that take longer count as not ready. */
const READY_TIMEOUT_MS = 5000;

/** The answer of /readyz. */
export async function readiness(asked: Promise<readonly ReadyCheck[]>) {
  const checks = await readyWithin(asked);
  const failing = checks.filter((check) => !check.ok).map(({ name }) => name);
  const isReady = failing.length === 0;
  return {
    status: isReady ? 200 : 503,
    body: {
      status: isReady ? 'ready' : 'not ready',
      message: isReady ? 'ready' : `not ready: ${failing.join(', ')}`,
      // For balancers and monitors that look at one field: the process takes work, and something needs a look.
      warnings: checks.flatMap(({ name, ok, detail }) =>
        ok && detail !== undefined ? [`${name}: ${detail}`] : [],
      ),
      checks,
    },
  };
}

/** The checks, or one that failed when they take too long or reject. */
export async function readyWithin(checks: Promise<readonly ReadyCheck[]>): Promise<readonly ReadyCheck[]> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<readonly ReadyCheck[]>((resolve) => {
    timer = setTimeout(
      () => resolve([{ name: 'readiness', ok: false, detail: 'the readiness checks timed out' }]),
      READY_TIMEOUT_MS,
    );
  });
  try {
    return await Promise.race([checks, deadline]);
  } catch {
    return [{ name: 'readiness', ok: false, detail: 'the readiness checks failed' }];
  } finally {
    clearTimeout(timer);
  }
}
