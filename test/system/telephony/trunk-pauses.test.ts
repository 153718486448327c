import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { permitTransfer } from '../../../src/dialer/transfer.ts';
import { TrunkPauses } from '../../../src/dialer/trunk.ts';
import { settleAttempt } from '../../../src/domain/calls/attempt/settle.ts';
import type { Claimed } from '../../../src/scheduler/claimed.ts';
import { silentLog } from '../../../src/shared/log.ts';
import type { CallFailure } from '@callwright/sip';
import { createDialing, type Dialing } from '../../helpers/calls/claiming-node.ts';
import { startedCampaign } from '../../helpers/campaigns/due-campaigns.ts';
import { settlementOf } from '../../helpers/calls/settlement.ts';
import { createWorkspace, queueCalls } from '../../helpers/database/workspace.ts';

let dialing: Dialing;
beforeAll(async () => {
  dialing = await createDialing();
});
beforeEach(() => dialing.renew());
afterAll(() => dialing.close());

const pausesOf = (): TrunkPauses => new TrunkPauses({ db: dialing.db, clock: dialing.clock, log: silentLog });
const refusal = (retryAfterMs: number | null, sipCode = 503): CallFailure => ({
  failure: 'failed',
  sipCode,
  reason: '',
  neverSent: false,
  retryAfterMs,
  at: dialing.clock.now(),
});
/** Due calls of two workspaces on one trunk, and of a third one on another. */
async function world(): Promise<{ claimed: Claimed }> {
  for (const trunk of ['busy', 'busy', 'other']) {
    const w = await createWorkspace(dialing.db, { callLimit: 100, numbers: [{ trunk }] });
    await queueCalls(dialing.db, w, 2);
    if (trunk === 'other') continue;
    await startedCampaign({ db: dialing.db, clock: dialing.clock }, w, { contacts: 2 });
  }
  const [claimed] = await dialing.taken(1);
  return { claimed: claimed! };
}
/** The calls that start now, by trunk. */
async function started(): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (let batches = 0; batches < 6; batches += 1) {
    for (const call of await dialing.taken()) found[call.trunkId] = (found[call.trunkId] ?? 0) + 1;
  }
  return found;
}

describe('a trunk that answers 503 with Retry-After', () => {
  it('gets no new calls of any workspace before it, while other trunks go on', async () => {
    const { claimed } = await world();
    await pausesOf().note(claimed.trunkId, refusal(120_000), false);
    const now = await started();
    expect(now[claimed.trunkId]).toBeUndefined();
    expect(Object.values(now)).toEqual([2]);
    const { rows } = await sql<{ held: number }>`select count(*)::int as held from calls
      where status = 'registered' and sub_status = 'LIMIT_REACHED'`.execute(dialing.db);
    expect(rows[0]?.held).toBeGreaterThan(0);
    expect(await permitTransfer(dialing.deps, claimed, claimed.trunkId, '+14155550111')).toEqual({
      go: false,
      reason: 'the carrier takes no new calls now',
    });
    dialing.clock.advance(120_000);
    expect((await started())[claimed.trunkId]).toBeGreaterThan(3);
  });

  it('is tried again after five minutes at the latest; a shorter pause does not end a longer one', async () => {
    const { claimed } = await world();
    await pausesOf().note(claimed.trunkId, refusal(86_400_000), false);
    await pausesOf().note(claimed.trunkId, refusal(1_000), false);
    dialing.clock.advance(299_000);
    expect((await started())[claimed.trunkId]).toBeUndefined();
    dialing.clock.advance(1_000);
    expect((await started())[claimed.trunkId]).toBeGreaterThan(3);
  });

  it('is not paused without Retry-After, after ringing, or by another status', async () => {
    const { claimed } = await world();
    const pauses = pausesOf();
    await pauses.note(claimed.trunkId, refusal(null), false);
    await pauses.note(claimed.trunkId, refusal(120_000), true);
    await pauses.note(claimed.trunkId, refusal(120_000, 486), false);
    await pauses.note(claimed.trunkId, refusal(0), false);
    expect((await started())[claimed.trunkId]).toBeGreaterThan(3);
  });

  it('has its call retried no sooner', async () => {
    const w = await createWorkspace(dialing.db);
    const callConfig = { call_retry_config: { retry_count: 1, retry_failed: 1 } };
    await queueCalls(dialing.db, w, 1, { callConfig });
    const [claimed] = await dialing.taken(1);
    const now = dialing.clock.now();
    const end = { kind: 'not_answered', failure: 'failed' } as const;
    const settlement = settlementOf(claimed!, now, { end, sipCode: 503, retryAfterMs: 600_000 });
    expect(await settleAttempt(dialing.deps, settlement)).toMatchObject({
      status: 'retry',
      retryAt: new Date(now + 600_000),
    });
  });
});
