import { afterAll, beforeEach, beforeAll, describe, expect, it } from 'vitest';
import { createAttemptLog, type AttemptLog } from '../../src/dialer/attempt-log.ts';
import type { Claimed } from '../../src/dialer/claim.ts';
import { LiveCalls } from '../../src/dialer/live-calls.ts';
import { placeOutbound, type DialDeps, type OutboundAttempt } from '../../src/dialer/outbound-call.ts';
import { silentLog } from '../../src/shared/log.ts';
import { createDialing, type Dialing } from '../helpers/dialing.ts';
import { startLane } from '../helpers/lanes.ts';
import { createWorkspace } from '../helpers/world.ts';

let dialing: Dialing;
const live = new LiveCalls();
let rung = 0;
beforeAll(async () => {
  dialing = await createDialing();
});
beforeEach(async () => {
  await dialing.renew();
  rung = 0;
});
afterAll(() => dialing.close());

/** Places a claimed call in a process that has no port for it. */
async function placeWithoutMedia(c: Claimed, over: Partial<AttemptLog> = {}): Promise<void> {
  const { db, clock } = dialing;
  const rate = { creditsPerMinute: 1, pulseSeconds: 60 };
  const log = createAttemptLog({
    db,
    clock,
    rate,
    log: silentLog,
    recordingUrl: () => 'http://localhost/recording',
  });
  const deps = {
    attempts: { ...log, ...over },
    live,
    clock,
    log: silentLog,
    onSettled: () => undefined,
    signalling: { call: () => (rung += 1) },
    allocate: () => Promise.reject(new Error('no RTP port pair could be bound')),
  } as unknown as DialDeps;
  await placeOutbound(deps, { ...c, ringTimeoutMs: 30_000, spec: {} } as unknown as OutboundAttempt);
}

async function claimOne(): Promise<Claimed> {
  const w = await createWorkspace(dialing.db);
  await startLane(dialing, w, { contacts: 1 });
  const [claimed] = await dialing.taken(1);
  if (claimed === undefined) throw new Error('nothing claimed');
  return claimed;
}
const rowOf = (c: Claimed) =>
  dialing.db.selectFrom('calls').selectAll().where('id', '=', c.callId).executeTakeFirstOrThrow();

describe('a claimed call for which no media is free', () => {
  it('is given back: nobody is rung, no attempt is consumed, no money stays locked, and it is made later', async () => {
    const c = await claimOne();
    expect((await rowOf(c)).reserved).toBeGreaterThan(0);
    await placeWithoutMedia(c);
    expect(rung).toBe(0);
    expect(live.has(c.callId)).toBe(false);
    expect(await rowOf(c)).toMatchObject({
      status: 'registered',
      sub_status: 'LIMIT_REACHED',
      attempt: 0,
      reserved: 0,
      dialed_at: null,
      next_attempt_at: new Date(dialing.clock.now() + 1000),
    });
    for (const table of ['call_attempts', 'ledger', 'events'] as const) {
      expect([table, await dialing.db.selectFrom(table).selectAll().execute()]).toEqual([table, []]);
    }
    expect(await dialing.taken(1)).toEqual([]);
    dialing.clock.advance(1000);
    expect(await dialing.taken(1)).toMatchObject([{ callId: c.callId, attempt: 1 }]);
  });

  it('is left to the reaper where that cannot be written', async () => {
    const c = await claimOne();
    await placeWithoutMedia(c, { release: () => Promise.reject(new Error('the database is away')) });
    expect(rung).toBe(0);
    expect(live.has(c.callId)).toBe(false);
    expect(await rowOf(c)).toMatchObject({ status: 'ongoing', attempt: 1, dialed_at: null });
  });
});
