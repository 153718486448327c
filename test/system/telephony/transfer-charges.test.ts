import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { reapOrphans } from '../../../src/dialer/reaper.ts';
import { permitRefer, permitTransfer, type TransferPermit } from '../../../src/dialer/transfer.ts';
import { closeTransferLeg, releaseRefer } from '../../../src/domain/calls/attempt/transfer-charges.ts';
import type { AttemptRef } from '../../../src/store/calls/attempts.ts';
import { answerTransferLeg } from '../../../src/store/calls/transfer-legs.ts';
import type { Claimed } from '../../../src/scheduler/claimed.ts';
import { setLimits } from '../../helpers/campaigns/due-campaigns.ts';
import { createSettling, type Settling } from '../../helpers/calls/settling-node.ts';

const DESK = '+14155550111';
const CREDIT = 1_000_000;
const NO_CREDIT = { go: false, reason: 'the credits of the workspace do not cover the transfer' };

let settling: Settling;
beforeAll(async () => {
  settling = await createSettling();
});
afterAll(() => settling.ground.close());
beforeEach(() => settling.renew());

const { clock, db } = {
  get clock() {
    return () => settling.ground.clock;
  },
  get db() {
    return () => settling.ground.db;
  },
};
const permit = (c: Claimed): Promise<TransferPermit> => permitTransfer(settling.deps, c, c.trunkId, DESK);
/** A leg that is permitted now and answered `ringMs` later. */
async function connected(c: Claimed, ringMs = 5000): Promise<number> {
  const permitted = await permit(c);
  if (permitted.go !== true) throw new Error(JSON.stringify(permitted));
  clock().advance(ringMs);
  await answerTransferLeg(db(), c, permitted.leg, new Date(clock().now()));
  return permitted.leg;
}
const end = (c: AttemptRef, leg: number): Promise<void> =>
  closeTransferLeg(settling.deps, c, { leg, answeredAt: null, endedAt: clock().now() });

interface Money {
  /** Credits of the balance and its locked part. */
  balance: [number, number];
  cost: number;
  /** Ledger by kind, without locks. */
  ledger: Record<string, number>;
}
async function moneyOf(c: Claimed): Promise<Money> {
  const { rows } = await sql<{
    credits: number;
    locked: number;
    cost: number;
    attempts: number;
    ledger: any;
  }>`
    select w.credits, w.locked_credits as locked, c.cost, c.reserved,
           (select sum(cost)::float8 from call_attempts where call_id = c.id) as attempts,
           (select jsonb_object_agg(kind, amount) from ledger where call_id = c.id and kind <> 'lock') as ledger
    from calls c join workspaces w on w.id = c.workspace_id where c.id = ${c.callId}`.execute(db());
  const { credits, locked, cost, attempts, ledger } = rows[0]!;
  const charged = Object.values<number>(ledger ?? {}).reduce((sum, amount) => sum + amount, 0);
  if (cost !== charged || (attempts ?? 0) !== charged)
    throw new Error(`charged ${charged}, costs ${cost}, ${attempts}`);
  return {
    balance: [credits / CREDIT, locked / CREDIT],
    cost: cost / CREDIT,
    ledger: Object.fromEntries(
      Object.entries<number>(ledger ?? {}).map(([kind, amount]) => [kind, amount / CREDIT]),
    ),
  };
}

describe('charges of warm transfers', () => {
  it('locks the rest of the call before the INVITE and charges started pulses of the answered leg once', async () => {
    // A call of at most 4 minutes locks 4 credits.
    const c = await settling.answered({ credits: 20 });
    clock().advance(60_000);
    expect(await permit(c)).toMatchObject({ go: true, leg: 1, capMs: 180_000 });
    expect((await moneyOf(c)).balance).toEqual([20, 7]);
    clock().advance(20_000);
    await answerTransferLeg(db(), c, 1, new Date(clock().now()));
    clock().advance(61_000);
    // Both the end of the leg and repeated settlements arrive, in any order.
    await Promise.all([end(c, 1), settling.settle(c), settling.settle(c), end(c, 1)]);
    await end(c, 1);
    expect(await moneyOf(c)).toEqual({ balance: [15, 0], cost: 5, ledger: { charge: 3, transfer: 2 } });
    expect(await db().selectFrom('transfer_legs').selectAll().execute()).toEqual([]);
  });

  it('frees the lock of a leg that failed, and keeps the price of one that was briefed', async () => {
    const c = await settling.answered({ credits: 20 });
    expect(await permit(c)).toMatchObject({ go: true, leg: 1 });
    await end(c, 1);
    expect((await moneyOf(c)).balance).toEqual([20, 4]);
    const leg = await connected(c, 0);
    expect(leg).toBe(2);
    clock().advance(10_000);
    await end(c, leg);
    expect((await moneyOf(c)).balance).toEqual([20, 5]);
    clock().advance(10_000);
    await settling.settle(c);
    expect(await moneyOf(c)).toEqual({ balance: [18, 0], cost: 2, ledger: { charge: 1, transfer: 1 } });
  });

  it('charges what only the process knows when the journal missed the answer', async () => {
    const c = await settling.answered({ credits: 20 });
    await permit(c);
    const answeredAt = clock().now() + 1000;
    clock().advance(62_000);
    await settling.settle(c, { transferLegs: [{ leg: 1, answeredAt, endedAt: clock().now() }] });
    expect(await moneyOf(c)).toEqual({ balance: [16, 0], cost: 4, ledger: { charge: 2, transfer: 2 } });
  });

  it('refuses a transfer that the balance does not cover, and shortens one that it covers in part', async () => {
    const poor = await settling.answered({ credits: 4 });
    expect(await permit(poor)).toEqual(NO_CREDIT);
    expect(await moneyOf(poor)).toMatchObject({ balance: [4, 4], cost: 0 });
    await settling.renew();
    const short = await settling.answered({ credits: 5 });
    expect(await permit(short)).toMatchObject({ go: true, capMs: 60_000 });
    clock().advance(500_000);
    await settling.settle(short, {
      transferLegs: [{ leg: 1, answeredAt: clock().now() - 90_000, endedAt: null }],
    });
    // Never more than was locked.
    expect(await moneyOf(short)).toEqual({ balance: [0, 0], cost: 5, ledger: { charge: 4, transfer: 1 } });
  });

  it('gives the last credits to one of several concurrent transfers', async () => {
    const c = await settling.answered({ credits: 8 });
    const answers = await Promise.all([permit(c), permit(c), permit(c)]);
    expect(answers.filter(({ go }) => go)).toHaveLength(1);
    expect((await moneyOf(c)).balance).toEqual([8, 8]);
  });

  it('costs nothing where billing is off', async () => {
    const c = await settling.answered({ credits: 0, unlimited: true });
    await connected(c);
    clock().advance(90_000);
    await settling.settle(c);
    expect(await moneyOf(c)).toEqual({ balance: [0, 0], cost: 0, ledger: { charge: 0 } });
  });

  it('is charged up to the last heartbeat, or unlocked, by the reaper after a crash', async () => {
    for (const isAnswered of [true, false]) {
      await settling.renew();
      const c = await settling.answered({ credits: 20 });
      if (isAnswered) await connected(c);
      else await permit(c);
      clock().advance(70_000);
      await sql`update nodes set beat_at = ${new Date(clock().now())}, fenced_at = ${new Date(clock().now())}`.execute(
        db(),
      );
      clock().advance(600_000);
      expect(await reapOrphans(settling.deps)).toBe(1);
      expect(await moneyOf(c)).toEqual(
        isAnswered
          ? { balance: [16, 0], cost: 4, ledger: { charge: 2, transfer: 2 } }
          : { balance: [18, 0], cost: 2, ledger: { charge: 2 } },
      );
    }
  });
});

describe('the cost of a cold transfer, which the carrier bears and bills after the REFER', () => {
  const refer = (c: Claimed) => permitRefer(settling.deps, c, c.trunkId, DESK);

  it('is the price of the longest call, locked before the REFER and charged with the call', async () => {
    const c = await settling.answered({ credits: 20 });
    expect(await refer(c)).toEqual({ go: true, leg: 1 });
    expect((await moneyOf(c)).balance).toEqual([20, 8]);
    clock().advance(10_000);
    await settling.settle(c);
    expect(await moneyOf(c)).toEqual({ balance: [15, 0], cost: 5, ledger: { charge: 1, transfer: 4 } });
  });

  it('is returned when the carrier refuses it, and the caller stays', async () => {
    const c = await settling.answered({ credits: 20 });
    await refer(c);
    await releaseRefer(settling.deps, c, 1);
    await releaseRefer(settling.deps, c, 1);
    expect((await moneyOf(c)).balance).toEqual([20, 4]);
    clock().advance(10_000);
    await settling.settle(c);
    expect(await moneyOf(c)).toEqual({ balance: [19, 0], cost: 1, ledger: { charge: 1 } });
  });

  it('refuses the transfer when balance or day do not cover it whole', async () => {
    const c = await settling.answered({ credits: 7 });
    expect(await refer(c)).toEqual(NO_CREDIT);
    await settling.renew();
    const capped = await settling.answered({ credits: 100 });
    await setLimits(db(), { id: capped.workspaceId }, { credits_per_day: 7 });
    expect(await refer(capped)).toEqual({
      go: false,
      reason: 'the workspace has spent what it may spend in a day',
    });
    expect((await moneyOf(capped)).balance).toEqual([100, 4]);
  });

  it('stays charged after a crash, because the REFER may have left', async () => {
    const c = await settling.answered({ credits: 20 });
    await refer(c);
    clock().advance(1_000);
    await sql`update nodes set beat_at = ${new Date(clock().now())}, fenced_at = ${new Date(clock().now())}`.execute(
      db(),
    );
    clock().advance(600_000);
    expect(await reapOrphans(settling.deps)).toBe(1);
    expect(await moneyOf(c)).toEqual({ balance: [15, 0], cost: 5, ledger: { charge: 1, transfer: 4 } });
  });
});

describe('caps on transfers', () => {
  const world = async (limits: Record<string, number>): Promise<Claimed> => {
    const c = await settling.answered({ credits: 100 });
    await setLimits(db(), { id: c.workspaceId }, limits);
    return c;
  };

  it('count warm and cold transfers as calls of the minute', async () => {
    const c = await world({ calls_per_minute: 2 });
    const refused = {
      go: false,
      reason: 'the workspace has started as many calls as it may start in a minute',
    };
    const cold = () => permitRefer(settling.deps, c, c.trunkId, DESK);
    expect(await permit(c)).toMatchObject({ go: true });
    expect(await cold()).toMatchObject({ go: true });
    expect([await permit(c), await cold()]).toEqual([refused, refused]);
    clock().advance(61_000);
    expect(await cold()).toMatchObject({ go: true });
  });

  it('lock no more than the credits of the day', async () => {
    const c = await world({ credits_per_day: 6 });
    expect(await permit(c)).toMatchObject({ go: true, capMs: 120_000 });
    expect(await permit(c)).toEqual({
      go: false,
      reason: 'the workspace has spent what it may spend in a day',
    });
    clock().advance(60_000);
    await settling.settle(c);
    const { rows } = await sql<{
      spent: number;
    }>`select spent_today::float8 as spent from workspaces`.execute(db());
    expect(rows).toEqual([{ spent: CREDIT }]);
  });
});
