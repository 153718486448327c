import type { Clock } from '../../../shared/clock.ts';
import {
  journalAnswered,
  journalRinging,
  type AttemptKey,
  type AttemptRef,
  type Ringing,
} from '../../../store/calls/attempts.ts';
import { lockLiveAttempt, type CallFacts } from '../../../store/calls/facts.ts';
import type { Db, Tx } from '../../../store/database.ts';
import { appendEvent } from '../../webhooks/events.ts';

interface ProgressDeps {
  readonly db: Db;
  readonly clock: Clock;
}

/** Journals that the far side rings. False when the attempt is no longer live on its node, or was answered before. */
export function markRinging(deps: ProgressDeps, ref: AttemptRef, ringing: Ringing): Promise<boolean> {
  return deps.db.transaction().execute(async (tx) => {
    const call = await lockLiveAttempt(tx, ref);
    if (call === null || call.answeredAt !== null) return false;
    await recordRinging(tx, call, ref, ringing);
    return true;
  });
}

/**
 * Journals the answer, after a ringing that could not be written before (`missedRinging`). False when the attempt is no
 * longer live on its node: the leg must be hung up.
 */
export function markAnswered(
  deps: ProgressDeps,
  ref: AttemptRef,
  info: { readonly at: number; readonly missedRinging?: Ringing | null },
): Promise<boolean> {
  return deps.db.transaction().execute(async (tx) => {
    const call = await lockLiveAttempt(tx, ref);
    if (call === null) return false;
    // Talk time counts from the first answer written, so a repeat must not move it.
    if (call.answeredAt !== null) return true;
    if (info.missedRinging != null) await recordRinging(tx, call, ref, info.missedRinging);
    const at = new Date(info.at);
    await journalAnswered(tx, ref, at);
    const after = { ...call, subStatus: 'ACCEPTED' };
    await appendEvent(tx, after, { type: 'call_ongoing', attempt: ref.attempt, at });
    return true;
  });
}

/** Writes the ringing of a locked call's attempt and its event. Idempotent. */
export async function recordRinging(
  tx: Tx,
  call: CallFacts,
  ref: AttemptKey,
  ringing: Ringing,
): Promise<void> {
  const at = new Date(ringing.at);
  await journalRinging(tx, ref, ringing.sipCode, at);
  const event = { type: 'call_ringing', attempt: ref.attempt, at } as const;
  await appendEvent(tx, { ...call, subStatus: 'RINGING' }, event);
}
