import { probeReceivers, takeInGivenUp, type RecoveryDeps } from '../../domain/webhooks/receiver-recovery.ts';
import type { Log } from '../../shared/log.ts';
import { Poller } from '../../shared/poller.ts';

const POLL_MS = 1000;
/** Between two kept deliveries to a receiver that is back: about the time that one takes. */
const DRAIN_MS = 50;

/** Finds receivers that accept nothing, and sends what was kept for them when they are back. */
export function webhookRecovery(
  options: RecoveryDeps & { readonly log: Log; readonly onQueued: () => void; readonly pollMs?: number },
): Poller {
  const { log, onQueued, pollMs = POLL_MS } = options;
  return new Poller({
    poll: async () => {
      const steps = [await takeInGivenUp(options), await probeReceivers(options)];
      if (steps.some(({ hasQueued }) => hasQueued)) onQueued();
      return steps.some(({ isBusy }) => isBusy) ? DRAIN_MS : pollMs;
    },
    pollMs,
    onError: (error) => log.error({ err: error }, 'webhook receivers could not be recovered'),
  });
}
