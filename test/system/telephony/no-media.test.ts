import { afterAll, beforeEach, beforeAll, describe, expect, it } from 'vitest';
import type { Claimed } from '../../../src/scheduler/claimed.ts';
import { LiveCalls } from '../../../src/dialer/live-calls.ts';
import { placeOutbound } from '../../../src/dialer/outbound.ts';
import {
  createDialing,
  placingDeps,
  withoutDatabase,
  type Dialing,
} from '../../helpers/calls/claiming-node.ts';
import { startedCampaign } from '../../helpers/campaigns/due-campaigns.ts';
import { createWorkspace } from '../../helpers/database/workspace.ts';

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

/** Places a claimed call on a node without a free RTP port. */
const placeWithoutMedia = (c: Claimed, over: Record<string, unknown> = {}): Promise<void> =>
  placeOutbound(
    placingDeps(dialing, {
      live,
      signalling: {
        call: () => (rung += 1),
        mediaRules: () => ({ srtp: 'off', ranges: [], takes: () => true, owns: () => false }),
      },
      allocate: () => Promise.reject(new Error('no RTP port pair could be bound')),
      ...over,
    }),
    c,
  );

async function claimOne(): Promise<Claimed> {
  const w = await createWorkspace(dialing.db);
  await startedCampaign(dialing, w, { contacts: 1 });
  const [claimed] = await dialing.taken(1);
  if (claimed === undefined) throw new Error('nothing claimed');
  return claimed;
}
const rowOf = (c: Claimed) =>
  dialing.db.selectFrom('calls').selectAll().where('id', '=', c.callId).executeTakeFirstOrThrow();

describe('a claimed call without a free RTP port', () => {
  it('is released: no INVITE, no attempt counted, no credits locked, dialled later', async () => {
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

  it('is left to the reaper when the release cannot be written', async () => {
    const c = await claimOne();
    await withoutDatabase((db) => placeWithoutMedia(c, { db }));
    expect(rung).toBe(0);
    expect(live.has(c.callId)).toBe(false);
    expect(await rowOf(c)).toMatchObject({ status: 'ongoing', attempt: 1, dialed_at: null });
  });
});
