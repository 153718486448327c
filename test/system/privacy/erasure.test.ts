import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/shared/ids.ts';
import { finishDeliveries, takeDeliveries } from '../../../src/store/webhooks/deliveries.ts';
import { createTenant } from '../../helpers/api/api.ts';
import { createErasures, OTHER, type Erasures } from '../../helpers/privacy/erasures.ts';
import { CANARIES, PERSON } from '../../helpers/calls/complete-call.ts';

let lived: Erasures;
beforeAll(async () => {
  lived = await createErasures();
});
afterAll(() => lived?.api.close());

describe('DELETE /calling/{call_id}/data', () => {
  it('removes personal data from every table, and keeps the call in history and sums', async () => {
    const call = await lived.made();
    const untouched = await lived.made({ number: OTHER });
    expect(await lived.found(call)).toEqual(CANARIES);
    const answer = await lived.erase(call.id);
    expect(answer).toMatchObject({ status: 200, body: { call_id: call.id } });

    // A pending delivery keeps the URL of its receiver, whose query may route it.
    const text = (await lived.everything(call)).replaceAll('http://x.test/?q=petcanary', '');
    expect(CANARIES.filter((canary) => text.includes(canary))).toEqual([]);
    expect(await lived.detailsOf(call)).toMatchObject({
      call_status: 'completed',
      call_cost: 2,
      call_duration: 60,
      callee_name: '',
      custom_args_values: {},
      from_number: '+14155550100',
      to_number: '+1**********',
      transcription_url: null,
      recording_url: null,
      tool_call_logs: [],
    });
    expect(await lived.detailsOf(call)).not.toHaveProperty('platform_analysis');
    expect(await lived.filesOf(call)).toEqual([
      { attempt: 1, state: 'delete' },
      { attempt: 2, state: 'delete' },
    ]);
    expect(await lived.found(untouched, CANARIES.slice(0, 7))).toEqual(CANARIES.slice(0, 7));
    expect((await lived.filesOf(untouched)).map(({ state }) => state)).toEqual(['kept', 'kept']);
  });

  it('keeps events, without personal data', async () => {
    const call = await lived.made();
    await lived.erase(call.id);
    const events = await lived.api.db
      .selectFrom('events')
      .select('body')
      .where('call_id', '=', call.id)
      .execute();
    expect(events).toHaveLength(2);
    for (const { body } of events) {
      expect(body).toEqual({
        call_id: call.id,
        call_type: 'outbound',
        from_number: '+14155550100',
        to_number: '+1**********',
        custom_args_values: {},
        transcript: [],
        tool_call_logs: [],
        platform_analysis: null,
        client_analysis: null,
        recording_url: null,
        call_cost: 2,
        status: 'completed',
        erased: true,
      });
    }
    const states = await lived.api.db
      .selectFrom('deliveries')
      .select(['state', 'attempts'])
      .where('call_id', '=', call.id)
      .execute();
    expect(states.map(({ state }) => state).toSorted()).toEqual(['delivered', 'due']);
    for (const { attempts } of states) expect(attempts).toEqual([{ attempt: 1, status: 500 }]);
  });

  it("removes URL and headers of the call's own receiver", async () => {
    const call = await lived.made({ callback: true });
    await lived.erase(call.id);
    const rows = await lived.api.db
      .selectFrom('deliveries')
      .select(['state', 'url', 'target'])
      .where('call_id', '=', call.id)
      .execute();
    const delivered = rows.find(({ state }) => state === 'delivered');
    expect(delivered?.url).toBe('http://x.test/');
    expect(delivered?.target).not.toContain('petcanary');
  });

  it('removes the URL of a pending delivery after the delivery', async () => {
    const call = await lived.made({ callback: true });
    await lived.erase(call.id);
    const now = new Date(lived.api.clock.now());
    await sql`insert into delivery_queue (workspace_id, id, call_id, event_seq, target, host, attempt, due_at)
      select workspace_id, id, call_id, event_seq, target, host, attempt, due_at from deliveries
      where call_id = ${call.id} and state = 'due'`.execute(lived.api.db);
    const taken = await takeDeliveries(lived.api.db, {
      now,
      leaseUntil: new Date(now.getTime() + 45_000),
      limit: 100,
      newReceivers: { quotaEach: 100, stalled: [] },
      quotas: [],
    });
    const last = { state: 'dead', dueAt: now.getTime(), log: { attempt: 4 } } as const;
    const ended = taken.map((each) => ({ ...last, taken: each }));
    await finishDeliveries(lived.api.db, ended);
    const pending = await lived.api.db
      .selectFrom('deliveries')
      .select(['state', 'url', 'headers'])
      .where('call_id', '=', call.id)
      .where('finished_at', 'is not', null)
      .execute();
    expect(pending).toEqual([{ state: 'dead', url: 'http://x.test/', headers: {} }]);
  });

  it('masks the caller of an inbound call', async () => {
    const call = await lived.made({ inbound: true });
    await lived.erase(call.id);
    expect(await lived.detailsOf(call)).toMatchObject({
      from_number: '+1**********',
      to_number: '+14155550100',
    });
    expect((await lived.everything(call)).includes(PERSON)).toBe(false);
  });

  it('is idempotent, and an erased record is not written again', async () => {
    const call = await lived.made();
    await lived.erase(call.id);
    const before = await lived.everything(call);
    lived.api.clock.advance(1000);
    expect((await lived.erase(call.id)).status).toBe(200);
    const stamps = /"(updated_at|erased_at)":"[^"]*"/g;
    expect((await lived.everything(call)).replace(stamps, '')).toBe(before.replace(stamps, ''));
    await lived.api.db
      .updateTable('call_records')
      .set({ transcript: '[{"text":"saidcanary"}]', platform_analysis: '{"summary":"analysiscanary"}' })
      .where('call_id', '=', call.id)
      .execute();
    expect(await lived.found(call, ['saidcanary', 'analysiscanary'])).toEqual([]);
  });

  it.each(['ongoing', 'registered', 'retry'] as const)('answers 409 while the call is %s', async (status) => {
    const call = await lived.made({ status });
    expect(await lived.erase(call.id)).toMatchObject({ status: 409, body: { code: 'CALL_NOT_ENDED' } });
    expect(await lived.found(call, ['saidcanary'])).toEqual(['saidcanary']);
  });

  it('answers 401, and the same 404 for unknown and foreign calls', async () => {
    const stranger = await createTenant(lived.api);
    const call = await lived.made();
    expect((await lived.erase(call.id, null)).status).toBe(401);
    const theirs = await lived.erase(call.id, stranger.key);
    const absent = await lived.erase(newId(), stranger.key);
    const malformed = await lived.erase('nothing', stranger.key);
    for (const answer of [theirs, absent, malformed]) {
      expect(answer).toMatchObject({ status: 404, body: { message: 'Call not found' } });
    }
    expect(await lived.found(call, ['saidcanary'])).toEqual(['saidcanary']);
  });
});
