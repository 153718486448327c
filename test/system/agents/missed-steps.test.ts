import { expect, it } from 'vitest';
import { AttemptJournal } from '../../../src/dialer/journal.ts';
import { LiveCalls } from '../../../src/dialer/live-calls.ts';
import { TalkJournal } from '../../../src/dialer/talk-journal.ts';
import type { Claimed } from '../../../src/scheduler/claimed.ts';
import { dial } from '../../../src/domain/calls/attempt/dial.ts';
import { silentLog, type Log } from '../../../src/shared/log.ts';
import { withoutDatabase } from '../../helpers/calls/claiming-node.ts';
import { eventually } from '../../helpers/service/service.ts';
import { endingOf } from '../../helpers/calls/settlement.ts';
import { conversationResult, settlingOfFile } from '../../helpers/calls/settling-node.ts';
import { createWorkspace, queueCalls } from '../../helpers/database/workspace.ts';

// Journal steps that fail while the database is unavailable.
const settling = settlingOfFile();

type Step = 'ringing' | 'answered';

/** Settles an attempt that rang after 3 s and was answered after 5 s, with a database that was away during `failing`. */
async function lived(failing: readonly Step[]): Promise<Claimed> {
  const { ground, deps } = settling;
  await queueCalls(ground.db, await createWorkspace(ground.db), 1);
  const call = await settling.claimed();
  await dial(deps, call, { sipCallId: 'sip-1' });
  let { db } = ground;
  const failed: unknown[] = [];
  const log: Log = {
    ...silentLog,
    error: (fields: object) => void failed.push((fields as { step?: unknown }).step),
  };
  const journalDeps = {
    ...deps,
    get db() {
      return db;
    },
    talk: new TalkJournal({ ...deps, log }),
    live: new LiveCalls(),
    log,
  };
  const journal = new AttemptJournal(call, journalDeps);
  const at = ground.clock.now();
  const journalled = async (): Promise<Record<Step, boolean>> => {
    const row = await ground.db
      .selectFrom('call_attempts')
      .select(['ringing_at', 'answered_at'])
      .where('call_id', '=', call.callId)
      .executeTakeFirstOrThrow();
    return { ringing: row.ringing_at !== null, answered: row.answered_at !== null };
  };
  /** Writes one step and waits until it is stored or has failed. */
  const write = async (step: Step, run: () => void): Promise<void> => {
    if (!failing.includes(step)) {
      run();
      return void (await eventually(step, async () => ((await journalled())[step] ? true : null)));
    }
    await withoutDatabase(async (away) => {
      db = away;
      run();
      await eventually(`the failure of ${step}`, async () => (failed.includes(step) ? true : null));
    });
    db = ground.db;
    expect(await journalled()).toMatchObject({ [step]: false });
    return undefined;
  };
  await write('ringing', () => journal.ringing({ at: at + 3000, sipCode: 180 }));
  await write('answered', () => journal.answered(at + 5000, () => undefined));
  ground.clock.advance(65_000);
  await journal.settle(endingOf(ground.clock.now(), { answeredAt: at + 5000, result: conversationResult() }));
  return call;
}

it.each([
  ['the ringing', ['ringing']],
  ['the answer', ['answered']],
  ['both', ['ringing', 'answered']],
  ['no step', []],
] as const)(
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
