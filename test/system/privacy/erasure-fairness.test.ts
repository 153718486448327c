import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestErasure, stepErasure, type StepOptions } from '../../../src/domain/privacy/erase-numbers.ts';
import { ErasurePlaces } from '../../../src/domain/privacy/erasure-places.ts';
import { sweepRetention } from '../../../src/domain/privacy/retention.ts';
import { PrivacyWorker } from '../../../src/jobs/privacy-worker.ts';
import { newId } from '../../../src/shared/ids.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { createTenant, type Tenant } from '../../helpers/api/api.ts';
import { TEST_SEAL } from '../../helpers/database/seal.ts';
import { createErasures, type Erasures } from '../../helpers/privacy/erasures.ts';
import { breakCalls, HeldScheduler, holdCalls, waitingForLocks } from '../../helpers/privacy/held-calls.ts';
import { memoryList, writeTombstones } from '../../helpers/privacy/tombstones.ts';
import { eventually } from '../../helpers/service/service.ts';

let lived: Erasures;
beforeAll(async () => {
  lived = await createErasures();
});
afterAll(() => lived?.api.close());

let serial = 0;
/** A call of the tenant with a number of its own, whose erasure is due. */
async function erasureOf(owner: Tenant): Promise<{ id: string; callId: string }> {
  serial += 1;
  const number = `+1415555${2000 + serial}`;
  const call = await lived.made({ tenant: owner, number });
  const id = newId();
  await requestErasure(lived.api, owner.workspaceId, null, { id, mobileNumbers: [number] });
  lived.api.clock.advance(1);
  return { id, callId: call.id };
}
const tenant = (): Promise<Tenant> => createTenant(lived.api, { unlimited: true });
const rowOf = (id: string) =>
  lived.api.db
    .selectFrom('erasures')
    .select(['state', 'tries', 'erased_calls', 'due_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
const isErased = async (callId: string): Promise<boolean> =>
  (await lived.api.db
    .selectFrom('call_records')
    .select('erased_at')
    .where('call_id', '=', callId)
    .executeTakeFirst())!.erased_at !== null;
async function finish(options: StepOptions = {}): Promise<void> {
  // The calls first, then their files.
  for (let pass = 0; pass < 3; pass += 1) {
    await writeTombstones(lived.api);
    await lived.forgetFiles();
    lived.api.clock.advance(10_000);
    while (await stepErasure(lived.api, options)) {
      // Until nothing is due.
    }
  }
}

describe('erasures of several workspaces', () => {
  it('of a workspace whose step hangs take one place, however many are due', async () => {
    const hanging = await tenant();
    const erasures = [await erasureOf(hanging), await erasureOf(hanging), await erasureOf(hanging)];
    const release = await holdCalls(lived.api, [hanging.workspaceId]);
    const places = new ErasurePlaces(3);
    const answers: boolean[] = [];
    const steps = erasures.map(async () => answers.push(await stepErasure(lived.api, { places })));
    await eventually('two steps to find no place', () => Promise.resolve(answers.length === 2 || null));
    expect(answers).toEqual([false, false]);
    expect([places.shares.held(hanging.workspaceId), places.shares.free]).toEqual([1, 2]);

    const other = await erasureOf(await tenant());
    expect(await stepErasure(lived.api, { places })).toBe(true);
    expect(await isErased(other.callId)).toBe(true);
    await release();
    await Promise.all(steps);
    expect(answers).toEqual([false, false, true]);
    expect(places.shares.free).toBe(3);
    await finish();
    for (const { id } of erasures) expect(await rowOf(id)).toMatchObject({ state: 'done', erased_calls: 1 });
  });

  it('of three workspaces that hang lose their places after the time limit of a step', async () => {
    const hanging = [await tenant(), await tenant(), await tenant()];
    const stuck = await Promise.all(hanging.map(erasureOf));
    const release = await holdCalls(
      lived.api,
      hanging.map(({ workspaceId }) => workspaceId),
    );
    const [places, scheduler] = [new ErasurePlaces(3), new HeldScheduler()];
    const failed: string[] = [];
    const options: StepOptions = { places, scheduler, onFailure: (_, { id }) => failed.push(id) };
    const steps = stuck.map(() => stepErasure(lived.api, options));
    await eventually('every step to hang', async () => (await waitingForLocks(lived.api)) === 3 || null);
    const waiting = await erasureOf(await tenant());
    expect(await stepErasure(lived.api, options)).toBe(false);
    expect(await isErased(waiting.callId)).toBe(false);

    scheduler.expire();
    expect(await Promise.all(steps)).toEqual([true, true, true]);
    expect(failed.toSorted()).toEqual(stuck.map(({ id }) => id).toSorted());
    expect(places.shares.free).toBe(3);
    expect(await stepErasure(lived.api, options)).toBe(true);
    expect(await isErased(waiting.callId)).toBe(true);
    for (const { id } of stuck) expect(await rowOf(id)).toMatchObject({ state: 'due', tries: 1 });

    await release();
    await finish(options);
    for (const { id } of stuck) {
      expect(await rowOf(id)).toMatchObject({ state: 'done', tries: 0, erased_calls: 1 });
    }
  });

  it('stop for none that fails each time, which is tried again later', async () => {
    const failing = await tenant();
    const first = await erasureOf(failing);
    const mend = await breakCalls(lived.api, failing.workspaceId);
    const others = [await erasureOf(await tenant()), await erasureOf(await tenant())];
    const failed: string[] = [];
    const options: StepOptions = { onFailure: (_, { id }) => failed.push(id) };
    for (let step = 0; step < 3; step += 1) expect(await stepErasure(lived.api, options)).toBe(true);
    expect(failed).toEqual([first.id]);
    for (const { callId } of others) expect(await isErased(callId)).toBe(true);
    const waits: number[] = [];
    for (let tries = 1; tries <= 6; tries += 1) {
      const row = await rowOf(first.id);
      expect(row).toMatchObject({ state: 'due', tries });
      waits.push(row.due_at.getTime() - lived.api.clock.now());
      lived.api.clock.advance(waits.at(-1) ?? 0);
      while (failed.length === tries) await stepErasure(lived.api, options);
    }
    expect(waits).toEqual([5_000, 30_000, 120_000, 600_000, 3_600_000, 3_600_000]);
    await mend();
    lived.api.clock.advance(3_600_000);
    await finish(options);
    expect(await rowOf(first.id)).toMatchObject({ state: 'done', tries: 0 });
  });

  it('go on with fewer calls after a failure', async () => {
    const large = await tenant();
    const number = '+14155551999';
    for (let made = 0; made < 101; made += 1) await lived.made({ tenant: large, number });
    const id = newId();
    await requestErasure(lived.api, large.workspaceId, null, { id, mobileNumbers: [number] });
    await lived.api.db.updateTable('erasures').set({ tries: 2 }).where('id', '=', id).execute();
    expect(await stepErasure(lived.api)).toBe(true);
    expect(await rowOf(id)).toMatchObject({ erased_calls: 100, tries: 0 });
    await finish();
    expect(await rowOf(id)).toMatchObject({ state: 'done', erased_calls: 101 });
  });

  it('are finished by the worker while another workspace hangs', async () => {
    const hanging = await tenant();
    const stuck = [await erasureOf(hanging), await erasureOf(hanging)];
    const others = [await erasureOf(await tenant()), await erasureOf(await tenant())];
    const release = await holdCalls(lived.api, [hanging.workspaceId]);
    const worker = new PrivacyWorker({
      db: lived.api.db,
      clock: lived.api.clock,
      log: silentLog,
      seal: TEST_SEAL,
      tombstones: memoryList(),
      pollMs: 10,
    });
    worker.start();
    try {
      await eventually('the erasures of the others', async () => {
        await lived.forgetFiles();
        lived.api.clock.advance(5000);
        const rows = await Promise.all(others.map(({ id }) => rowOf(id)));
        return rows.every(({ state }) => state === 'done') || null;
      });
      for (const { id } of stuck) expect(await rowOf(id)).toMatchObject({ state: 'due', erased_calls: 0 });
    } finally {
      await release();
      await worker.stop();
    }
    await finish();
    for (const { id } of stuck) expect(await rowOf(id)).toMatchObject({ state: 'done', erased_calls: 1 });
  });
});

describe('the retention of several workspaces', () => {
  it('goes on with the others when that of one fails each time', async () => {
    const DAY = 86_400_000;
    const [failing, other] = [await tenant(), await tenant()].toSorted((a, b) =>
      a.workspaceId < b.workspaceId ? -1 : 1,
    );
    const keep = { body: { contact_days: 1 } };
    for (const { key } of [failing!, other!]) {
      const path = '/api/v0/workspace/retention';
      expect((await lived.api.request('PATCH', path, { key, ...keep })).status).toBe(200);
    }
    const calls = [await lived.made({ tenant: failing! }), await lived.made({ tenant: other! })];
    // The ids of calls contain the time at which they are made.
    lived.api.clock.set(Date.now() + 3 * DAY);
    const mend = await breakCalls(lived.api, failing!.workspaceId);
    const failed: string[] = [];
    const swept = await sweepRetention(
      lived.api,
      () => false,
      (_, workspaceId) => failed.push(workspaceId),
    );
    expect(failed).toEqual([failing!.workspaceId]);
    expect(swept.contacts).toBe(1);
    const nameOf = async ({ id }: { id: string }): Promise<string> =>
      (
        await lived.api.db
          .selectFrom('calls')
          .select('callee_name')
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
      ).callee_name;
    expect(await Promise.all(calls.map(nameOf))).toEqual(['Zebulon', '']);
    await mend();
    expect(await sweepRetention(lived.api)).toMatchObject({ contacts: 1 });
    expect(await Promise.all(calls.map(nameOf))).toEqual(['', '']);
  });
});
