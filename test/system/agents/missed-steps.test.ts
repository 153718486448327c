import { expect, it } from 'vitest';
import { AttemptJournal, createAttemptWrites, type AttemptWrites } from '../../../src/dialer/journal.ts';
import { LiveCalls } from '../../../src/dialer/live-calls.ts';
import type { Claimed } from '../../../src/scheduler/claim.ts';
import { dial } from '../../../src/domain/calls/attempt/dial.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { endingOf } from '../../helpers/calls/settlement.ts';
import { conversationResult, settlingOfFile } from '../../helpers/calls/settling-node.ts';
import { createWorkspace, queueCalls } from '../../helpers/database/workspace.ts';

// Journal steps that fail while the database is unavailable.
const settling = settlingOfFile();

const fail = (): Promise<never> => Promise.reject(new Error('the connection broke'));

/** Settles an attempt that rang after 3 s and was answered after 5 s, with a journal whose `failing` steps reject. */
async function lived(failing: Partial<AttemptWrites>): Promise<Claimed> {
  const { ground, deps } = settling;
  await queueCalls(ground.db, await createWorkspace(ground.db), 1);
  const call = await settling.claimed();
  await dial(deps, call, { sipCallId: 'sip-1' });
  const writes = { ...createAttemptWrites({ ...deps, log: silentLog }), ...failing };
  const journal = new AttemptJournal(call, { writes, live: new LiveCalls(), log: silentLog });
  const at = ground.clock.now();
  journal.ringing({ at: at + 3000, sipCode: 180 });
  journal.answered(at + 5000, () => undefined);
  ground.clock.advance(65_000);
  await journal.settle(endingOf(ground.clock.now(), { answeredAt: at + 5000, result: conversationResult() }));
  return call;
}

it.each([
  ['the ringing', { ringing: fail }],
  ['the answer', { answered: fail }],
  ['both', { ringing: fail, answered: fail }],
  ['no step', {}],
])(
  'the settlement appends every event once and in order when %s could not be journalled',
  async (_, failing) => {
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
  },
);
