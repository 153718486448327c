import { expect, it } from 'vitest';
import { createAttemptLog, type AttemptEnding, type AttemptLog } from '../../src/dialer/attempt-log.ts';
import type { Claimed } from '../../src/dialer/claim.ts';
import { markDialing } from '../../src/dialer/journal.ts';
import { JournalWrites } from '../../src/dialer/journal-writes.ts';
import { silentLog } from '../../src/shared/log.ts';
import { conversationResult, settlingOfFile } from '../helpers/settling.ts';
import { createWorkspace, queueCalls } from '../helpers/world.ts';

// Steps of a call that the database could not take when they happened.
const settling = settlingOfFile();

const fail = (): Promise<never> => Promise.reject(new Error('the connection broke'));

/** One attempt that rings after 3 s and is answered after 5, with a journal in which these steps fail. */
async function lived(failing: Partial<AttemptLog>): Promise<Claimed> {
  const { ground, deps } = settling;
  await queueCalls(ground.db, await createWorkspace(ground.db), 1);
  const call = await settling.claimed();
  await markDialing(deps, call, 'sip-1');
  const attempts = { ...createAttemptLog({ ...deps, log: silentLog }), ...failing };
  const journal = new JournalWrites(call, { attempts, log: silentLog });
  const at = ground.clock.now();
  journal.ringing({ at: at + 3000, sipCode: 180 });
  journal.answered(at + 5000, () => undefined);
  ground.clock.advance(65_000);
  const ending: AttemptEnding = {
    kind: 'answered',
    result: conversationResult(),
    callbackAt: null,
    answeredAt: at + 5000,
    hangupBy: 'caller',
    sipCallId: 'sip-1',
    sipCode: 200,
    at: ground.clock.now(),
  };
  await journal.settle(ending);
  return call;
}

it.each([
  ['the ringing', { ringing: fail }],
  ['the answer', { answered: fail }],
  ['either', { ringing: fail, answered: fail }],
  ['none', {}],
])('are told in their order and once, when %s was lost', async (_, failing) => {
  const call = await lived(failing);
  const events = await settling.events();
  expect(events.map((event) => event.event_type).slice(0, 4)).toEqual([
    'call_started',
    'call_ringing',
    'call_ongoing',
    'call_completed',
  ]);
  const [started, ringing, ongoing] = events;
  const after = (event: any): number => event.occurred_at.getTime() - started.occurred_at.getTime();
  expect([after(ringing), after(ongoing)]).toEqual([3000, 5000]);
  expect(ringing.body).toMatchObject({ status: 'ongoing', sub_status: 'RINGING' });
  expect(ongoing.body).toMatchObject({ status: 'ongoing', sub_status: 'ACCEPTED', call_sid: 'sip-1' });
  const attempt = await settling.ground.db
    .selectFrom('call_attempts')
    .select(['ringing_at', 'answered_at'])
    .where('call_id', '=', call.callId)
    .executeTakeFirstOrThrow();
  expect(attempt).toEqual({ ringing_at: ringing.occurred_at, answered_at: ongoing.occurred_at });
});
