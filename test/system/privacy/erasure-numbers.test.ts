import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { deleteExpiredAnswers } from '../../../src/domain/idempotency.ts';
import { stepErasure } from '../../../src/domain/privacy/erase-numbers.ts';
import { PrivacyWorker } from '../../../src/jobs/privacy-worker.ts';
import { newId } from '../../../src/shared/ids.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { createTenant } from '../../helpers/api/api.ts';
import { uploadList } from '../../helpers/campaigns/contact-list.ts';
import { TEST_SEAL } from '../../helpers/database/seal.ts';
import { memoryList } from '../../helpers/privacy/tombstones.ts';
import { createErasures, OTHER, type Erasures } from '../../helpers/privacy/erasures.ts';
import { eventually } from '../../helpers/service/service.ts';

let lived: Erasures;
beforeAll(async () => {
  lived = await createErasures();
});
afterAll(() => lived?.api.close());
const workers: PrivacyWorker[] = [];
afterEach(() => Promise.all(workers.splice(0).map((worker) => worker.stop())));

describe('POST /calling/erase', () => {
  it('erases every call to and from the numbers, continued by any process', async () => {
    const number = '+14155552222';
    const calls = [
      await lived.made({ number }),
      await lived.made({ number, inbound: true }),
      await lived.made({ number }),
    ];
    const others = [
      await lived.made({ number: OTHER }),
      await lived.made({ number, tenant: await createTenant(lived.api) }),
    ];
    const answer = await lived.eraseNumbers([number, number]);
    expect(answer).toMatchObject({ status: 200, body: { cancelled_count: 0 } });
    const id = answer.body['erasure_id'] as string;
    const status = () => lived.api.request('GET', `/api/v0/calling/erase/${id}`, { key: lived.tenant.key });
    expect((await status()).body).toMatchObject({ status: 'running', erased_calls: 0, done_at: null });
    for (const worker of [0, 1]) {
      workers.push(
        new PrivacyWorker({
          db: lived.api.db,
          clock: lived.api.clock,
          log: silentLog,
          seal: TEST_SEAL,
          tombstones: memoryList(),
          pollMs: 10 + worker,
        }),
      );
    }
    for (const worker of workers) worker.start();
    const whenIs = (what: object) =>
      eventually(`the erasure to be ${JSON.stringify(what)}`, async () => {
        lived.api.clock.advance(5000);
        const { body } = await status();
        return Object.entries(what).every(([name, value]) => body[name] === value) ? body : null;
      });
    // Two recorded attempts each, whose files are not deleted.
    await whenIs({ erased_calls: 3, waiting_calls: 0, waiting_files: 6 });
    const row = () =>
      lived.api.db
        .selectFrom('erasures')
        .select(['mobile_numbers', 'walked', 'state'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
    await eventually('the walk to end', async () => {
      lived.api.clock.advance(5000);
      return (await row()).walked ? true : null;
    });
    expect(await row()).toEqual({ mobile_numbers: [], walked: true, state: 'due' });
    expect((await status()).body).toMatchObject({ status: 'running', done_at: null });
    await lived.api.db
      .deleteFrom('recording_files')
      .where('call_id', '=', calls[0]?.id ?? '')
      .execute();
    expect((await status()).body).toMatchObject({ status: 'running', waiting_files: 4 });
    await lived.forgetFiles();
    expect(await whenIs({ status: 'done' })).toMatchObject({ waiting_files: 0, erased_calls: 3 });
    for (const call of calls) expect(await lived.found(call, ['saidcanary', number])).toEqual([]);
    for (const call of others) expect(await lived.found(call, ['saidcanary'])).toEqual(['saidcanary']);
    const other = await createTenant(lived.api);
    const foreign = await lived.api.request('GET', `/api/v0/calling/erase/${id}`, { key: other.key });
    expect(foreign).toMatchObject({ status: 404, body: { message: 'Erasure not found' } });
  });

  it('erases calls from the number in any notation of the trunk, and no other calls', async () => {
    const number = '+14155557777';
    const spellings = ['0014155557777', '4155557777', '+4155557777', '(415) 555-7777'];
    const calls = await Promise.all(
      spellings.map((spelling) => lived.made({ number: spelling, inbound: true })),
    );
    const others = await Promise.all(
      ['+15105557777', '5105557777', 'anonymous'].map((from) => lived.made({ number: from, inbound: true })),
    );
    await lived.eraseNumbers([number]);
    await lived.sweepAll();
    for (const [at, call] of calls.entries()) {
      expect(await lived.found(call, ['saidcanary', spellings[at] ?? ''])).toEqual([]);
    }
    for (const call of others) expect(await lived.found(call, ['saidcanary'])).toEqual(['saidcanary']);
  });

  it('cancels queued calls at once and waits for live calls', async () => {
    const number = '+14155553333';
    const live = await lived.made({ number, status: 'ongoing' });
    const queued = await lived.made({ number, status: 'registered' });
    const answer = await lived.eraseNumbers([number]);
    expect(answer.body).toMatchObject({ cancelled_count: 1 });
    expect(await lived.detailsOf(queued)).toMatchObject({ call_status: 'cancelled' });
    await lived.sweepAll();
    const id = answer.body['erasure_id'] as string;
    const status = () => lived.api.request('GET', `/api/v0/calling/erase/${id}`, { key: lived.tenant.key });
    expect((await status()).body).toMatchObject({ status: 'running', erased_calls: 1, waiting_calls: 1 });
    expect(await lived.found(queued, ['saidcanary', number])).toEqual([]);
    expect(await lived.found(live, ['saidcanary'])).toEqual(['saidcanary']);
    await lived.api.db.updateTable('calls').set({ status: 'completed' }).where('id', '=', live.id).execute();
    lived.api.clock.advance(5000);
    await lived.sweepAll();
    const left = { erased_calls: 2, waiting_calls: 0 };
    expect((await status()).body).toMatchObject({ ...left, status: 'running', waiting_files: 4 });
    await lived.forgetFiles();
    lived.api.clock.advance(5000);
    await lived.sweepAll();
    expect((await status()).body).toMatchObject({ ...left, status: 'done', waiting_files: 0 });
    expect(await lived.found(live, ['saidcanary', number])).toEqual([]);
  });

  it('continues after a crash between two steps', async () => {
    const number = '+14155554444';
    const first = await lived.made({ number });
    const { body } = await lived.eraseNumbers([number]);
    await stepErasure(lived.api);
    expect(await lived.found(first, ['saidcanary'])).toEqual([]);
    const row = () =>
      lived.api.db
        .selectFrom('erasures')
        .select(['after_call', 'walked', 'state'])
        .where('id', '=', body['erasure_id'] as string)
        .executeTakeFirstOrThrow();
    expect(await row()).toMatchObject({ walked: false, state: 'due' });
    expect((await row()).after_call).not.toBeNull();
    await lived.forgetFiles();
    await lived.sweepAll();
    expect(await row()).toMatchObject({ walked: true, state: 'done' });
  });

  it('waits for lists under import, then cancels and erases their calls', async () => {
    const number = '+14155555555';
    const csv = 'mobile_number,callee_name\n+14155555555,Zebulon\n(415) 555-5555,Zebulon\n415,Other\n';
    const fields = { agent_id: lived.agent.agentId, country_code: '+1', remove_invalid_rows: 'true' };
    const taken = await uploadList(lived.api, 'upload-csv', lived.tenant.key, { file: csv, fields });
    const list = taken.body['list_id'] as string;
    const { body } = await lived.eraseNumbers([number]);
    const status = async () =>
      (
        await lived.api.request('GET', `/api/v0/calling/erase/${body['erasure_id'] as string}`, {
          key: lived.tenant.key,
        })
      ).body;
    await lived.sweepAll();
    expect(await status()).toMatchObject({ status: 'running', erased_calls: 0 });

    lived.api.clock.advance(1000);
    const task = {
      workspaceId: lived.tenant.workspaceId,
      uploadId: list,
      at: lived.api.clock.now(),
      request: null,
    };
    expect(await lived.api.importer.run(task)).toMatchObject({ kind: 'done' });
    // A call created after the request is not part of the erasure.
    const later = await lived.made({ number, endedAt: lived.api.clock.now() });
    for (let step = 0; step < 3; step += 1) {
      lived.api.clock.advance(5000);
      await lived.sweepAll();
    }
    expect(await status()).toMatchObject({ status: 'done', erased_calls: 1 });
    const contacts = await lived.api.db
      .selectFrom('calls')
      .select(['to_number', 'callee_name', 'status', 'sub_status'])
      .where('campaign_id', '=', list)
      .execute();
    expect(contacts).toEqual([
      { to_number: '+1**********', callee_name: '', status: 'cancelled', sub_status: 'USER_TERMINATED' },
    ]);
    const upload = await lived.api.request('GET', `/api/v0/campaign/upload-status/${list}`, {
      key: lived.tenant.key,
    });
    expect(upload.body['invalid_rows']).toMatchObject([{ row: 3, value: '415' }]);
    const rejects = await lived.api.request(
      'GET',
      new URL(String(upload.body['invalidated_rows_csv_url'])).pathname,
    );
    expect(rejects.text).not.toContain('Zebulon');
    expect(rejects.text).toContain('Other');
    expect(await lived.found(later, ['saidcanary'])).toEqual(['saidcanary']);
  });

  it('does not wait for a list whose upload died', async () => {
    const at = new Date(lived.api.clock.now());
    await lived.api.db
      .insertInto('campaign_uploads')
      .values({
        workspace_id: lived.tenant.workspaceId,
        id: newId(),
        flow: 'save',
        state: 'receiving',
        beat_at: at,
        created_at: at,
      })
      .execute();
    const { body } = await lived.eraseNumbers(['+14155556666']);
    const state = async () =>
      (
        await lived.api.request('GET', `/api/v0/calling/erase/${body['erasure_id'] as string}`, {
          key: lived.tenant.key,
        })
      ).body['status'];
    await lived.sweepAll();
    expect(await state()).toBe('running');
    for (let step = 0; step < 3; step += 1) {
      lived.api.clock.advance(600_000);
      await lived.sweepAll();
    }
    expect(await state()).toBe('done');
  });

  it('runs once per Idempotency-Key, and rejects invalid numbers', async () => {
    const key = { 'idempotency-key': newId() };
    const one = await lived.eraseNumbers([OTHER], key);
    const again = await lived.eraseNumbers([OTHER], key);
    expect(again.body['erasure_id']).toBe(one.body['erasure_id']);
    expect(again.headers['idempotency-replayed']).toBe('true');
    for (const wrong of [
      [],
      ['4155551234'],
      [''],
      'x',
      undefined,
      Array.from({ length: 101 }, () => OTHER),
    ]) {
      expect((await lived.eraseNumbers(wrong)).status).toBe(422);
    }
    await lived.sweepAll();
  });
});

describe('stored responses', () => {
  it('are deleted when they expire', async () => {
    const keys = () => lived.api.db.selectFrom('idempotency_keys').select('key').execute();
    await lived.eraseNumbers([OTHER], { 'idempotency-key': 'an old one' });
    lived.api.clock.advance(86_400_000);
    await lived.eraseNumbers([OTHER], { 'idempotency-key': 'a new one' });
    await deleteExpiredAnswers(lived.api);
    expect((await keys()).map(({ key }) => key).slice(-2)).toContain('an old one');
    lived.api.clock.advance(1);
    await deleteExpiredAnswers(lived.api);
    expect((await keys()).map(({ key }) => key)).toEqual(['a new one']);
    await lived.sweepAll();
  });
});
