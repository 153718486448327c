import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sweepRetention } from '../../../src/domain/privacy/retention.ts';
import { findEventLog } from '../../../src/store/calls/records.ts';
import { createTenant } from '../../helpers/api/api.ts';
import { createErasures, type Erasures } from '../../helpers/privacy/erasures.ts';
import { PERSON, type LivedCall } from '../../helpers/calls/complete-call.ts';

let lived: Erasures;
beforeAll(async () => {
  lived = await createErasures();
});
afterAll(() => lived?.api.close());

describe('retention', () => {
  const DAY = 86_400_000;
  const path = '/api/v0/workspace/retention';

  it('is read and changed rule by rule', async () => {
    const who = await createTenant(lived.api, { settings: { allow_premium_numbers: true } });
    const get = () => lived.api.request('GET', path, { key: who.key });
    const set = (body: unknown) => lived.api.request('PATCH', path, { key: who.key, body });
    const none = {
      recording_days: null,
      transcript_days: null,
      contact_days: null,
      test_days: null,
      audit_days: null,
    };
    expect((await get()).body).toEqual(none);
    expect((await set({ recording_days: 30 })).body).toEqual({ ...none, recording_days: 30 });
    expect((await set({ transcript_days: 90, audit_days: 400 })).body).toEqual({
      recording_days: 30,
      transcript_days: 90,
      contact_days: null,
      test_days: null,
      audit_days: 400,
    });
    expect((await set({ recording_days: null })).body).toMatchObject({ recording_days: null });
    for (const wrong of [
      {},
      { recording_days: 0 },
      { recording_days: 1.5 },
      { days: 3 },
      { audit_days: 'x' },
    ]) {
      expect((await set(wrong)).status).toBe(422);
    }
    expect((await get()).body).toEqual({ ...none, transcript_days: 90, audit_days: 400 });
    const { settings } = await lived.api.db
      .selectFrom('workspaces')
      .select('settings')
      .where('id', '=', who.workspaceId)
      .executeTakeFirstOrThrow();
    expect(settings).toMatchObject({ allow_premium_numbers: true });
  });

  it('deletes expired data in batches, of the workspace only', async () => {
    const who = await createTenant(lived.api);
    const now = lived.api.clock.now();
    // Call ids contain their time: creation and end match it.
    const aged = async (days: number): Promise<LivedCall> => {
      const call = await lived.made({ tenant: who, endedAt: now - days * DAY });
      const id = `${(now - days * DAY).toString(16).padStart(12, '0')}${call.id.replaceAll('-', '').slice(12)}`;
      const uuid = id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
      for (const table of ['call_records', 'recording_files', 'events', 'deliveries'] as const) {
        await lived.api.db.updateTable(table).set({ call_id: uuid }).where('call_id', '=', call.id).execute();
      }
      await lived.api.db.updateTable('calls').set({ id: uuid }).where('id', '=', call.id).execute();
      return { ...call, id: uuid };
    };
    const [fresh, month, year] = [await aged(5), await aged(40), await aged(400)];
    const elsewhere = await lived.made({ endedAt: now - 400 * DAY });
    await lived.api.request('PATCH', path, {
      key: who.key,
      body: { recording_days: 30, transcript_days: 90 },
    });
    expect(await sweepRetention(lived.api)).toMatchObject({ recordings: 2, transcripts: 1 });
    const nothing = { recordings: 0, transcripts: 0, contacts: 0, tests: 0, audit: 0 };
    expect(await sweepRetention(lived.api)).toEqual(nothing);

    expect((await lived.filesOf(fresh)).map(({ state }) => state)).toEqual(['kept', 'kept']);
    for (const call of [month, year]) {
      expect((await lived.filesOf(call)).map(({ state }) => state)).toEqual(['delete', 'delete']);
      expect((await lived.detailsOf(call, who.key)).recording_url).toBeNull();
    }
    for (const call of [fresh, month])
      expect(await lived.found(call, ['saidcanary'])).toEqual(['saidcanary']);
    const said = ['saidcanary', 'toolcanary', 'analysiscanary', 'answercanary'];
    expect(await lived.found(year, said)).toEqual([]);
    const logs = await Promise.all(
      [month, year].map(({ id }) => findEventLog(lived.api.db, who.workspaceId, id)),
    );
    expect(logs.map((log) => log !== null)).toEqual([true, false]);
    // Numbers, names and cost stay until an erasure, or until contact_days.
    expect(await lived.detailsOf(year, who.key)).toMatchObject({ to_number: PERSON, call_cost: 2 });
    await lived.api.request('PATCH', path, { key: who.key, body: { contact_days: 300 } });
    expect(await sweepRetention(lived.api)).toMatchObject({ contacts: 1 });
    expect(await sweepRetention(lived.api)).toMatchObject({ contacts: 0 });
    expect(await lived.detailsOf(year, who.key)).toMatchObject({
      to_number: '+1**********',
      callee_name: '',
      custom_args_values: {},
      call_cost: 2,
    });
    const named = ['Zebulon', 'petcanary', PERSON];
    expect(await lived.found(year, ['Zebulon', 'sipcanary'])).toEqual([]);
    expect(await lived.found(month, named)).toEqual(named);
    expect(await lived.found(elsewhere, ['saidcanary'])).toEqual(['saidcanary']);
  });
});
