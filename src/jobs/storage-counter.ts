import { countNext, enterNewWorkspaces, type CountDeps } from '../domain/workspaces/storage-quotas.ts';
import type { Log } from '../shared/log.ts';
import { Poller } from '../shared/poller.ts';

const POLL_MS = 10_000;
/** Between two counts that are due. */
const NEXT_MS = 100;

/** Counts the stored data of workspaces, one workspace at a time. */
export function storageCounter(deps: CountDeps & { readonly log: Log }): Poller {
  let enteredAt = Number.NEGATIVE_INFINITY;
  const poller: Poller = new Poller({
    poll: async () => {
      const now = deps.clock.monotonic();
      if (now - enteredAt >= POLL_MS) {
        await enterNewWorkspaces(deps);
        enteredAt = now;
      }
      return (await countNext(deps, () => !poller.isStarted)) ? NEXT_MS : POLL_MS;
    },
    pollMs: POLL_MS,
    onError: (error) =>
      deps.log.error({ err: error }, 'the stored data of workspaces could not be counted; retrying'),
  });
  return poller;
}
