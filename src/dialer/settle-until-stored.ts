import type { AttemptRef } from '../store/attempts.ts';
import { isTransient } from '../store/transient.ts';
import type { Ended } from './attempt-log.ts';
import type { CallDeps } from './call-deps.ts';

/** A settlement that fails for what is no outage is tried so often. */
const FAULTS = 60;

/** The outcome exists only here until it is stored: a database that is away, or full, is waited for. */
export async function settleUntilStored(
  { live, log }: Pick<CallDeps, 'live' | 'log'>,
  ref: AttemptRef,
  settle: () => Promise<Ended>,
  at: number,
): Promise<void> {
  for (let attempt = 0, faults = 0; faults < FAULTS; attempt++) {
    try {
      const { status, subStatus } = await settle();
      live.remove(ref.callId, { type: 'ended', status, subStatus, at });
      return;
    } catch (error) {
      if (!isTransient(error)) faults += 1;
      live.notSettled(ref.callId);
      log.error({ err: error, callId: ref.callId }, 'a call could not be settled yet');
      await new Promise((resolve) => setTimeout(resolve, Math.min(5000, 250 * 2 ** attempt)));
    }
  }
  // The lease runs out and the reaper settles it from the journal.
  live.remove(ref.callId, { type: 'ended', status: 'error', subStatus: 'FAILED', at });
}
