import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sweepRetention } from '../../../src/domain/privacy/retention.ts';
import { createTenant, createTestAgent } from '../../helpers/api/api.ts';
import { createErasures, type Erasures } from '../../helpers/privacy/erasures.ts';
import { findInDatabase } from '../../helpers/privacy/find-everywhere.ts';
import { plantPerson } from '../../helpers/privacy/planted-rows.ts';

const DAY = 86_400_000;
let lived: Erasures;
beforeAll(async () => {
  lived = await createErasures();
});
afterAll(() => lived?.api.close());

const ask = (method: 'POST' | 'DELETE' | 'PATCH', path: string, body?: unknown, key = lived.tenant.key) =>
  lived.api.request(method, `/api/v0${path}`, { key, body });

describe('a test case that was deleted before the erasure of its call', () => {
  it.each([
    ['by the id of the call', '+14155553101', 'casecanary one'],
    ['by the number', '+14155553102', 'casecanary two'],
  ])('leaves no result with words of the call: erased %s', async (how, number, mark) => {
    const call = await lived.made({ number });
    const cases = `/agent/${lived.agent.agentId}/test-cases`;
    const saved = await ask('POST', cases, {
      name: 'Saved',
      lines: [`My name is ${mark}.`],
      expectations: [],
      call_id: call.id,
    });
    expect(saved.status).toBe(200);
    const caseId = (saved.body['test_case'] as { id: string }).id;
    expect((await ask('POST', `${cases}/run`, { case_ids: [caseId] })).status).toBe(200);
    expect((await ask('DELETE', `${cases}/${caseId}`)).status).toBe(200);
    const before = await findInDatabase(lived.api.db, { mark });
    expect(before['mark']).toContain('agent_test_results.definition');
    expect(before['mark']).not.toContain('agent_test_cases.definition');

    const isByNumber = how === 'by the number';
    const erased = await (isByNumber ? lived.eraseNumbers([number]) : lived.erase(call.id));
    expect(erased.status).toBe(200);
    if (isByNumber) await lived.sweepAll();
    expect(await findInDatabase(lived.api.db, { mark })).toEqual({});
  });
});

describe('test_days', () => {
  it('deletes older results and runs that have none left, and keeps the cases', async () => {
    const who = await createTenant(lived.api, { unlimited: true });
    const { api } = lived;
    const { agentId } = await createTestAgent(api, who);
    const cases = `/agent/${agentId}/test-cases`;
    const mark = 'resultcanary';
    const saved = await ask('POST', cases, { name: 'Own', lines: [mark], expectations: [] }, who.key);
    const caseId = (saved.body['test_case'] as { id: string }).id;
    const runOf = async (): Promise<string> => {
      const run = await ask('POST', `${cases}/run`, {}, who.key);
      expect(run.status).toBe(200);
      return (run.body['test_run'] as { run_id: string }).run_id;
    };
    const end = (runId: string, at: number) =>
      api.db
        .updateTable('agent_test_results')
        .set({ state: 'failed', ended_at: new Date(at), updated_at: new Date(at) })
        .where('run_id', '=', runId)
        .execute();
    const now = api.clock.now();
    const old = await runOf();
    await end(old, now - 8 * DAY);
    const fresh = await runOf();
    await end(fresh, now - 6 * DAY);
    const open = await runOf();
    expect(await sweepRetention(api)).toMatchObject({ tests: 0 });
    expect((await ask('PATCH', '/workspace/retention', { test_days: 7 }, who.key)).status).toBe(200);
    expect(await sweepRetention(api)).toMatchObject({ tests: 1 });
    expect(await sweepRetention(api)).toMatchObject({ tests: 0 });
    const runs = await api.db
      .selectFrom('agent_test_runs')
      .select('id')
      .where('workspace_id', '=', who.workspaceId)
      .execute();
    expect(runs.map(({ id }) => id).toSorted()).toEqual([fresh, open].toSorted());
    const kept = await api.db.selectFrom('agent_test_cases').select('id').where('id', '=', caseId).execute();
    expect(kept).toHaveLength(1);
  });
});

describe('contact_days', () => {
  it('deletes numbers, names and values of chats and campaign messages, and keeps opt-outs', async () => {
    const who = await createTenant(lived.api, { unlimited: true });
    const { api } = lived;
    const [old, fresh] = ['+14155553201', '+14155553202'];
    for (const [number, days] of [
      [old, 8],
      [fresh, 6],
    ] as const) {
      const { chatId } = await plantPerson(api.db, who.workspaceId, number);
      const ended = { ended_at: new Date(api.clock.now() - days * DAY) };
      await api.db.updateTable('chats').set(ended).where('id', '=', chatId).execute();
      await api.db.updateTable('campaign_messages').set(ended).where('to_number', '=', number).execute();
    }
    const inRows = async () => ({
      chats: await api.db
        .selectFrom('chats')
        .select(['customer_number', 'customer_name', 'args'])
        .where('workspace_id', '=', who.workspaceId)
        .orderBy('ended_at')
        .execute(),
      messages: await api.db
        .selectFrom('campaign_messages')
        .select(['to_number', 'callee_name', 'args', 'text', 'customer'])
        .where('workspace_id', '=', who.workspaceId)
        .orderBy('ended_at')
        .execute(),
    });
    const before = await inRows();
    expect(before.chats.map((row) => row.customer_number)).toEqual([old, fresh]);
    expect(before.messages.map((row) => row.to_number)).toEqual([old, fresh]);

    expect((await ask('PATCH', '/workspace/retention', { contact_days: 7 }, who.key)).status).toBe(200);
    expect((await sweepRetention(api)).contacts).toBeGreaterThanOrEqual(2);
    const after = await inRows();
    expect(after.chats).toEqual([{ customer_number: null, customer_name: '', args: {} }, before.chats[1]]);
    expect(after.messages).toEqual([
      { to_number: '', callee_name: '', args: {}, text: null, customer: null },
      before.messages[1],
    ]);
    const left = await findInDatabase(api.db, { old });
    const ofChats = (left['old'] ?? []).filter((place) => /^(chat|campaign_messages|web_chat)/.test(place));
    expect(ofChats).toEqual([]);
    expect(left['old']).toContain('do_not_call.number');
  });
});

describe("a vendor's words about a call", () => {
  it('are erased with it; vendor, kind and status stay', async () => {
    const call = await lived.made({ number: '+14155553301' });
    const fault = {
      part: 'llm',
      vendor: 'openai',
      kind: 'refused',
      status: 400,
      effect: 'fallback',
      message: 'openai: refused (status 400): invalid input "my card is vendorcanary"',
      at: lived.api.clock.now(),
    };
    await lived.api.db
      .updateTable('call_records')
      .set({ vendor_faults: JSON.stringify([fault]) })
      .where('call_id', '=', call.id)
      .execute();
    const mark = 'vendorcanary';
    expect(await findInDatabase(lived.api.db, { mark })).toEqual({ mark: ['call_records.vendor_faults'] });
    expect((await lived.erase(call.id)).status).toBe(200);
    expect(await findInDatabase(lived.api.db, { mark })).toEqual({});
    const { vendor_faults: faults } = await lived.api.db
      .selectFrom('call_records')
      .select('vendor_faults')
      .where('call_id', '=', call.id)
      .executeTakeFirstOrThrow();
    expect(faults).toEqual([{ ...fault, message: 'openai: refused (status 400)' }]);
  });
});
