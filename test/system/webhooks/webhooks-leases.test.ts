import { describe, expect, it } from 'vitest';
import { takeDeliveries } from '../../../src/store/webhooks/deliveries.ts';
import { DeliveryRig } from '../../helpers/webhooks/delivery-rig.ts';
import { MONDAY } from '../../helpers/database/workspace.ts';

const rig = new DeliveryRig();

describe('a delivery that several processes may send', () => {
  it('repeats the same attempt after its sender crashed', async () => {
    await rig.event();
    const now = new Date(MONDAY);
    const take = (at: Date) =>
      takeDeliveries(rig.db, {
        now: at,
        leaseUntil: new Date(at.getTime() + 45_000),
        limit: 10,
        newReceivers: { quotaEach: 5, stalled: [] },
        quotas: [],
      });
    expect(await take(now)).toMatchObject([{ attempt: 1 }]);
    expect(await take(new Date(MONDAY + 44_999))).toEqual([]);
    rig.clock.advance(45_000);
    rig.deliverer();
    await rig.attemptsDone(1);
    expect(await rig.rows()).toMatchObject([
      { state: 'delivered', attempt: 1, attempts: [{ attempt: 1, status: 200 }] },
    ]);
  });

  it('gives up an event during which every sender crashes', async () => {
    await rig.event();
    const attempts: number[] = [];
    for (let deaths = 0; deaths < 9; deaths += 1) {
      const now = new Date(rig.clock.now());
      const leaseUntil = new Date(now.getTime() + 45_000);
      const taken = await takeDeliveries(rig.db, {
        now,
        leaseUntil,
        limit: 10,
        newReceivers: { quotaEach: 5, stalled: [] },
        quotas: [],
      });
      attempts.push(...taken.map(({ attempt }) => attempt));
      rig.clock.advance(45_000);
    }
    expect(attempts).toEqual([1, 1, 1, 1, 1, 1, 2, 3, 4]);
    rig.deliverer();
    await rig.attemptsDone(1);
    expect(await rig.rows()).toMatchObject([
      { state: 'dead', attempts: [{ attempt: 4, error: 'interrupted' }] },
    ]);
    expect(rig.received).toEqual([]);
  });

  it('two deliverers never send the same event', async () => {
    for (let n = 0; n < 60; n += 1) await rig.event({ path: `/${n}` });
    rig.deliverer();
    rig.deliverer();
    await rig.eventually(async () => (await rig.states()).every((state) => state === 'delivered'));
    expect(rig.received).toHaveLength(60);
    expect(new Set(rig.received.map((got) => got.path)).size).toBe(60);
  });
});
