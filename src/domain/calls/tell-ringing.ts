import { journalRinging, type AttemptRef, type Ringing } from '../../store/attempts.ts';
import type { CallFacts } from '../../store/call-facts.ts';
import type { Tx } from '../../store/database.ts';
import { appendEvent } from '../webhooks/events.ts';

/** Enters the ringing of a locked call's attempt and tells of it. Told before, it changes nothing. */
export async function tellRinging(tx: Tx, call: CallFacts, ref: AttemptRef, ringing: Ringing): Promise<void> {
  const at = new Date(ringing.at);
  await journalRinging(tx, ref, ringing.sipCode, at);
  const event = { type: 'call_ringing', attempt: ref.attempt, at } as const;
  await appendEvent(tx, { ...call, subStatus: 'RINGING' }, event);
}
