import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { foldEndings } from '../../../src/store/analysis/analytics.ts';
import {
  createTenant,
  createTestAgent,
  createTestApi,
  type Answer,
  type TestApi,
} from '../../helpers/api/api.ts';
import { insertCampaign } from '../../helpers/campaigns/campaigns.ts';
import { uploadList } from '../../helpers/campaigns/contact-list.ts';

/** Concurrently placed calls share commits; the length of the history is kept without counting rows. */
let api: TestApi;
beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api.close());

const ALWAYS = { call_start_time: '00:00', call_end_time: '00:00', timezone: 'Etc/UTC' };
async function createPlacer() {
  const tenant = await createTenant(api, { unlimited: true });
  const agent = await createTestAgent(api, tenant, { call_config: { call_time: ALWAYS } });
  const place = (name: string, headers: Record<string, string> = {}, change: object = {}): Promise<Answer> =>
    api.request('POST', '/api/v0/calling/outbound/individual', {
      key: tenant.key,
      headers,
      body: {
        name,
        mobile_number: '+14155550123',
        agent_id: agent.agentId,
        from_number_id: tenant.numberId,
        ...change,
      },
    });
  const stored = () =>
    api.db
      .selectFrom('calls')
      .select(['id', 'callee_name', sql<string>`xmin::text`.as('commit')])
      .where('workspace_id', '=', tenant.workspaceId)
      .execute();
  const entries = async (status: number) => {
    const { rows } = await sql<{ id: string }>`
      select objects ->> 'call_id' as id from audit_log
      where workspace_id = ${tenant.workspaceId} and action = 'placeCall' and status = ${status}`.execute(
      api.db,
    );
    return rows.map(({ id }) => id);
  };
  return { tenant, agent, place, stored, entries };
}
const callIdOf = (answer: Answer): string => (answer.body['data'] as { call_id: string }).call_id;
const NAMES = Array.from({ length: 40 }, (_, at) => `Callee ${at}`);

describe('calls placed at the same time', () => {
  it('are stored, answered and audited once each, in fewer commits than calls', async () => {
    const { tenant, place, stored, entries } = await createPlacer();
    const answers = await Promise.all(NAMES.map((name) => place(name)));
    expect(answers.map(({ status }) => status)).toEqual(NAMES.map(() => 200));
    const calls = await stored();
    expect(calls.map((call) => call.callee_name).sort()).toEqual(NAMES.toSorted());
    expect(calls.map(({ id }) => id).sort()).toEqual(answers.map(callIdOf).sort());
    expect((await entries(200)).sort()).toEqual(answers.map(callIdOf).sort());
    expect(new Set(calls.map(({ commit }) => commit)).size).toBeLessThan(NAMES.length / 2);
    const { next_due_at: due } = await api.db
      .selectFrom('workspaces')
      .select('next_due_at')
      .where('id', '=', tenant.workspaceId)
      .executeTakeFirstOrThrow();
    expect(due.getTime()).toBe(api.clock.now());
  });

  it('succeed although one of the batch cannot be stored', async () => {
    const { place, stored, entries } = await createPlacer();
    await sql`alter table calls add constraint none_so check (callee_name <> 'Nobody')`.execute(api.db);
    try {
      const answers = await Promise.all(['Nobody', ...NAMES, 'Nobody'].map((name) => place(name)));
      expect(answers.map(({ status }) => status)).toEqual([500, ...NAMES.map(() => 200), 500]);
      expect((await stored()).map((call) => call.callee_name).sort()).toEqual(NAMES.toSorted());
      expect(await entries(200)).toHaveLength(NAMES.length);
      expect(await entries(500)).toHaveLength(2);
    } finally {
      await sql`alter table calls drop constraint none_so`.execute(api.db);
    }
  });

  it('store each answer under its own Idempotency-Key', async () => {
    const { place, stored } = await createPlacer();
    const repeat = () =>
      Promise.all(
        NAMES.map((name, at) => place(name, at % 2 === 0 ? { 'idempotency-key': `key ${at}` } : {})),
      );
    const first = await repeat();
    const again = await repeat();
    for (const [at, answer] of again.entries()) {
      expect(answer.status).toBe(200);
      const isKept = at % 2 === 0;
      expect(answer.headers['idempotency-replayed']).toBe(isKept ? 'true' : undefined);
      expect(callIdOf(answer) === callIdOf(first[at] ?? answer)).toBe(isKept);
    }
    expect(await stored()).toHaveLength(NAMES.length * 1.5);
  });

  it('are checked in the order of the interface: body, agent, number, balance', async () => {
    const { tenant, place, stored } = await createPlacer();
    await api.db
      .updateTable('workspaces')
      .set({ unlimited: false, credits: 0 })
      .where('id', '=', tenant.workspaceId)
      .execute();
    const unknown = '01980f6e-6f3a-7cc0-9d3e-0a6c2f1b7a10';
    const bad = [
      { mobile_number: 'x', agent_id: unknown, from_number_id: unknown },
      { agent_id: unknown, from_number_id: unknown },
      { from_number_id: unknown },
      {},
    ];
    const answers = await Promise.all(bad.map((change) => place('Callee', {}, change)));
    expect(answers.map(({ status }) => status)).toEqual([422, 404, 400, 402]);
    expect(await stored()).toEqual([]);
  });
});

describe('the total of a history', () => {
  it('equals a count, before and after folding', async () => {
    const { tenant, agent, place } = await createPlacer();
    await Promise.all(NAMES.map((name) => place(name)));
    await insertCampaign(api, tenant, agent, { contacts: 7 });
    const file = 'Mobile Number,callee_name\n+14155550123,A\n+14155550124,B\n+14155550125,C\n';
    const list = await uploadList(api, 'save', tenant.key, { file, fields: { agent_id: agent.agentId } });
    expect(list.status).toBe(200);
    api.clock.advance(24 * 3_600_000);
    await place('Tomorrow');
    const totals = async (): Promise<unknown[]> => {
      const found: unknown[] = [];
      for (const filter of [
        '',
        '?call_type=outbound',
        '?call_type=inbound',
        '?start_date=2026-01-06',
        '?end_date=2026-01-05',
        '?status=registered',
      ]) {
        const answer = await api.request('GET', `/api/v0/calling/history${filter}`, { key: tenant.key });
        found.push(answer.body['total']);
      }
      return found;
    };
    const all = NAMES.length + 7 + 3 + 1;
    const expected = [all, all, 0, 1, all - 1, all];
    expect(await totals()).toEqual(expected);
    await api.db.transaction().execute((tx) => foldEndings(tx, tenant.workspaceId, 10_000));
    const { rows } =
      await sql`select from call_beginnings where workspace_id = ${tenant.workspaceId}`.execute(api.db);
    expect(rows).toEqual([]);
    expect(await totals()).toEqual(expected);
  });
});
