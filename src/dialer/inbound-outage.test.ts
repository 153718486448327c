import { describe, expect, it } from 'vitest';
import type { InboundDecision, LateInbound } from '../domain/calls/take-inbound.ts';
import { ManualClock } from '../shared/clock.ts';
import { silentLog } from '../shared/log.ts';
import { InboundOutage, type AnsweredInbound } from './inbound-outage.ts';

const PREPARED = { knowledge: [], providers: {} };
const AWAY = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

/** The calls of one number of one workspace; `decide` is the database. */
function desk(capMs = 3_600_000) {
  const clock = new ManualClock();
  const timers: (() => void)[] = [];
  const stored: LateInbound[] = [];
  const state: { decide: (callId: string) => Promise<InboundDecision>; calls: number } = {
    decide: (callId) =>
      Promise.resolve({
        taken: {
          workspaceId: 'w',
          callId,
          attempt: 1,
          nodeId: 'n1',
          trunkId: 't',
          agentName: 'Maya',
          versionConfig: { language: 'en-US' } as never,
          args: { callee_name: 'Priya', mobile_number: '+14155551111' },
          capMs,
        },
        route: { agentId: 'a', versionId: 'v', numberId: 'nr', number: '+14155550100' },
      }),
    calls: 0,
  };
  const outage = new InboundOutage({
    clock,
    scheduler: {
      after: (_ms, run) => {
        timers.push(run);
        return () => undefined;
      },
    },
    log: silentLog,
    nodeId: () => 'n2',
    take: ({ callId }) => state.decide(callId),
    store: (late) => {
      stored.push(late);
      return Promise.resolve();
    },
  });
  const ring = (to = '+14155550100'): Promise<AnsweredInbound> =>
    outage.take({
      callId: `call-${(state.calls += 1)}`,
      trunkIds: ['t'],
      from: '+14155552222',
      to,
      displayName: 'Sam',
      sipCallId: `sip-${state.calls}`,
    });
  /** A call while the database is there. */
  const answered = async (): Promise<void> => {
    const answer = await ring();
    if ('keep' in answer) answer.keep(PREPARED);
  };
  const fall = (cause: Error = AWAY): void => {
    state.decide = () => Promise.reject(cause);
  };
  return { clock, timers, stored, state, ring, answered, fall };
}
const outcome = (answer: AnsweredInbound): string | number => ('refuse' in answer ? answer.refuse : 'taken');

describe('an inbound call while the database is away', () => {
  it('goes to the agent of the last call to its number, for five minutes at most, and is stored later', async () => {
    const { ring, answered, fall, stored } = desk();
    await answered();
    fall();
    const answer = await ring();
    if (!('store' in answer)) throw new Error(JSON.stringify(answer));
    expect(answer.taken).toMatchObject({
      workspaceId: 'w',
      callId: 'call-2',
      attempt: 1,
      nodeId: 'n2',
      trunkId: 't',
      agentName: 'Maya',
      args: { callee_name: 'Sam', mobile_number: '+14155552222' },
      capMs: 300_000,
    });
    expect(answer.prepared).toBe(PREPARED);
    expect(stored).toEqual([]);
    await answer.store();
    expect(stored).toMatchObject([
      {
        ref: { workspaceId: 'w', callId: 'call-2', attempt: 1, nodeId: 'n2' },
        route: { agentId: 'a', versionId: 'v', numberId: 'nr', number: '+14155550100' },
        caller: { name: 'Sam', number: '+14155552222' },
        sipCallId: 'sip-2',
        talkMs: 300_000,
      },
    ]);
  });

  it('lasts no longer than the balance covered at the last call', async () => {
    const { ring, answered, fall } = desk(60_000);
    await answered();
    fall();
    expect(await ring()).toMatchObject({ taken: { capMs: 60_000 } });
  });

  it('is answered after three seconds when the database does not answer, and takes its late answer as stored', async () => {
    const { ring, answered, state, timers } = desk();
    await answered();
    const hung = Promise.withResolvers<InboundDecision>();
    state.decide = () => hung.promise;
    const ringing = ring();
    expect(timers).toHaveLength(1);
    timers[0]?.();
    expect(await ringing).toMatchObject({ taken: { callId: 'call-2' } });
    hung.reject(AWAY);
  });

  it('is refused when its number was not called within the hour', async () => {
    const { ring, answered, fall, clock } = desk();
    await answered();
    fall();
    expect(outcome(await ring('+14155550199'))).toBe(503);
    clock.advance(3_599_999);
    expect(outcome(await ring())).toBe('taken');
    clock.advance(1);
    expect(outcome(await ring())).toBe(503);
  });

  it('is refused when the last call was not prepared, or the number or balance was gone', async () => {
    const unprepared = desk();
    await unprepared.ring();
    unprepared.fall();
    expect(outcome(await unprepared.ring())).toBe(503);
    const { ring, answered, fall, state } = desk();
    await answered();
    state.decide = () => Promise.resolve({ refuse: 480, reason: 'the balance does not cover the call' });
    expect(outcome(await ring())).toBe(480);
    fall();
    expect(outcome(await ring())).toBe(503);
  });

  it('is refused after an error that is no outage', async () => {
    const { ring, answered, fall } = desk();
    await answered();
    fall(new Error('column does not exist'));
    expect(await ring()).toMatchObject({ refuse: 503, reason: 'the call could not be stored' });
  });

  it('is refused while twenty minutes of talk of the workspace are not stored', async () => {
    const { ring, answered, fall } = desk();
    await answered();
    fall();
    const taken = [await ring(), await ring(), await ring(), await ring()];
    expect(taken.map(outcome)).toEqual(['taken', 'taken', 'taken', 'taken']);
    expect(outcome(await ring())).toBe(503);
    const [first] = taken;
    if (first !== undefined && 'store' in first) await first.store();
    expect(outcome(await ring())).toBe('taken');
  });

  it('that ended counts as long as it lasted, and not after it was stored', async () => {
    const { ring, answered, fall, clock } = desk();
    await answered();
    fall();
    // Each call ends after three seconds and counts as one of 15.
    const short: AnsweredInbound[] = [];
    for (let n = 0; n < 61; n++) {
      const answer = await ring();
      clock.advance(3_000);
      if ('over' in answer) answer.over();
      short.push(answer);
    }
    expect(new Set(short.map(outcome))).toEqual(new Set(['taken']));
    // 61 times 15 s leave 285 s, less than another call may last.
    expect(outcome(await ring())).toBe(503);
    const [first] = short;
    if (first === undefined || !('store' in first)) throw new Error('not answered');
    await first.store();
    first.over();
    expect(outcome(await ring())).toBe('taken');
  });

  it('that was refused names the call that the database stored after the refusal', async () => {
    const { ring, answered, fall, state, timers } = desk();
    await answered();
    const there = state.decide;
    fall();
    for (let n = 0; n < 4; n++) await ring();
    const hung = Promise.withResolvers<InboundDecision>();
    state.decide = () => hung.promise;
    const ringing = ring();
    timers.at(-1)?.();
    const answer = await ringing;
    if (!('refuse' in answer)) throw new Error('answered');
    hung.resolve(await there('call-6'));
    expect(await answer.storedLater).toMatchObject({ workspaceId: 'w', callId: 'call-6' });
  });
});
