import { describe, expect, it } from 'vitest';
import type { DeliveryStep } from '../../../src/jobs/webhooks/deliverer.ts';
import { takeDeliveries } from '../../../src/store/webhooks/deliveries.ts';
import type { Db } from '../../../src/store/database.ts';
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

/** A connection to the database of the rig that a test takes away and gives back. */
function losable(db: Db): { readonly db: Db; isAway: boolean; readonly refusals: number } {
  const state = {
    isAway: false,
    refusals: 0,
    db: new Proxy(db, {
      get(target, name) {
        if (state.isAway) {
          state.refusals += 1;
          throw Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });
        }
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    }),
  };
  return state;
}

describe('an attempt that ends while the database is away', () => {
  const polled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 200));

  /** Two processes, one of which has an answer when both lose the database, until its lease is long over. */
  async function outage() {
    const processes = [losable(rig.db), losable(rig.db)];
    const answer = Promise.withResolvers<void>();
    let answered: number | null = null;
    rig.answer = (_, response) => void answer.promise.then(() => response.end('{}'));
    await rig.event();
    for (const [index, { db }] of processes.entries()) {
      const onStep = (step: DeliveryStep): void => {
        if (step === 'answered') answered = index;
      };
      rig.deliverer({ db, onStep });
    }
    /** Both processes find the database away several times more. */
    const refused = (): Promise<void> => {
      const before = processes.map(({ refusals }) => refusals);
      return rig.eventually(() => processes.every(({ refusals }, n) => refusals >= before[n]! + 5));
    };
    await rig.eventually(() => rig.received.length === 1);
    for (const each of processes) each.isAway = true;
    answer.resolve();
    await rig.eventually(() => answered !== null);
    await refused();
    rig.clock.advance(120_000);
    await refused();
    return { owner: processes[answered!]!, other: processes[1 - answered!]! };
  }

  it('is stored when the database is back, and no process sends it a second time', async () => {
    for (const each of Object.values(await outage())) each.isAway = false;
    await rig.attemptsDone(1);
    rig.clock.advance(60_000);
    await polled();
    expect(rig.received).toHaveLength(1);
    expect(await rig.rows()).toMatchObject([
      { state: 'delivered', attempt: 1, attempts: [{ attempt: 1, status: 200 }] },
    ]);
  });

  it('is sent again when the process that made it does not come back, and its late outcome changes nothing', async () => {
    const { owner, other } = await outage();
    other.isAway = false;
    // Nobody takes it over in the first 15 s: its owner may be back in a moment.
    await polled();
    expect([rig.received.length, await rig.states()]).toEqual([1, ['due']]);
    rig.clock.advance(15_000);
    await rig.attemptsDone(1);
    expect(rig.received).toHaveLength(2);
    owner.isAway = false;
    await polled();
    expect(await rig.rows()).toMatchObject([{ state: 'delivered', attempts: [{ status: 200 }] }]);
  });
});
