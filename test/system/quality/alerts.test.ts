import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { watchAlerts } from '../../../src/domain/quality/watch-alerts.ts';
import { NOTICE_JOB } from '../../../src/domain/workspaces/notices.ts';
import { newId } from '../../../src/shared/ids.ts';
import { insertCheck, insertFindings, markFinding } from '../../../src/store/quality/checks.ts';
import { storeScore } from '../../../src/store/quality/scorecards.ts';
import { createTenant } from '../../helpers/api/api.ts';
import { createReader, type Reader } from '../../helpers/api/read-api.ts';

const PATH = '/api/v0/quality/alerts';
const MINUTE_MS = 60_000;
const SLACK = 'https://hooks.slack.com/services/x';
const DEAD_AIR = {
  name: 'Dead air',
  measure: 'findings_above',
  detector: 'dead_air',
  threshold: 10,
  margin: 4,
  minimum_calls: 10,
};

let reader: Reader;
beforeAll(async () => {
  reader = await createReader({ sendsMail: true });
});
afterAll(() => reader.api.close());
beforeEach(async () => {
  // Calls of the test before are out of every window.
  reader.api.clock.advance(200 * 60 * MINUTE_MS);
  await set([]);
});

const set = (alerts: object[], key = reader.tenant.key) =>
  reader.api.request('PUT', PATH, { key, body: { alerts } });
const states = async () => {
  const { body } = await reader.get(PATH);
  return (body['alerts'] as { name: string; raised_at: string | null }[]).map(
    ({ name, raised_at: at }) => [name, at !== null] as const,
  );
};

/** Checked calls of the agent, each with findings of these detectors; returns their ids. */
async function checked(calls: number, detectors: readonly string[], score: number | null = null) {
  const { api, tenant, agentId } = reader;
  const at = new Date(api.clock.now());
  const ids = Array.from({ length: calls }, () => newId());
  await api.db.transaction().execute(async (tx) => {
    for (const id of ids) {
      const call = { id, agentId, versionId: newId() };
      await insertCheck(tx, tenant.workspaceId, call, at);
      const findings = detectors.map((detector) => ({ detector, atMs: 0, detail: '' }));
      await insertFindings(tx, tenant.workspaceId, call, findings, at);
      if (score !== null)
        await storeScore(tx, tenant.workspaceId, id, { scorecardVersion: 1, score, verdicts: null });
    }
  });
  return ids;
}
/** A minute later; how many alerts changed. */
async function watched(): Promise<number> {
  reader.api.clock.advance(MINUTE_MS);
  return watchAlerts(reader.api);
}
async function audited(): Promise<string[]> {
  const { body } = await reader.get('/api/v0/workspace/audit-log?limit=100');
  const entries = body['entries'] as { action: string; objects: { alert?: string } }[];
  return entries
    .filter(({ action }) => action.startsWith('quality.alert_'))
    .map(({ action, objects }) => `${action} ${objects.alert}`)
    .toReversed();
}

describe('the rules of alerts', () => {
  it('are listed as they were set, with the defaults', async () => {
    const rule = { name: 'Score', measure: 'score_below', threshold: 70, agent_id: reader.agentId };
    const { status, body } = await set([DEAD_AIR, rule]);
    expect(status).toBe(200);
    const rest = { raised_at: null, measured: null, window_hours: 24 };
    expect(body).toEqual({
      alerts: [
        { ...DEAD_AIR, ...rest, agent_id: null },
        { ...rule, ...rest, detector: null, margin: 5, minimum_calls: 20 },
      ],
    });
    expect((await reader.get(PATH)).body).toEqual(body);
  });

  it.each([
    ['two rules of one name', [DEAD_AIR, DEAD_AIR], 'alerts'],
    ['an unknown agent', [{ ...DEAD_AIR, agent_id: newId() }], 'alerts[0].agent_id'],
    ['a detector of a score', [{ ...DEAD_AIR, measure: 'score_below' }], 'alerts[0].detector'],
    ['a share above 100 percent', [{ ...DEAD_AIR, threshold: 101 }], 'alerts'],
    ['a window of no hours', [{ ...DEAD_AIR, window_hours: 0 }], 'alerts'],
  ])('are refused with %s', async (_, rules, field) => {
    const { status, body } = await set(rules);
    expect(status).toBe(422);
    expect(JSON.stringify(body)).toContain(field);
  });

  it('belong to their workspace, as do its agents', async () => {
    await set([DEAD_AIR]);
    const { key } = await createTenant(reader.api);
    expect((await reader.api.request('GET', PATH, { key })).body).toEqual({ alerts: [] });
    expect((await set([{ ...DEAD_AIR, agent_id: reader.agentId }], key)).status).toBe(422);
  });
});

describe('the alert of a rule', () => {
  it('is raised once and cleared once, with an audit entry, an event and a mail for each', async () => {
    const { api, tenant } = reader;
    const mailed = await api.request('PATCH', '/api/v0/workspace/settings', {
      key: tenant.key,
      body: { notice_addresses: ['ops@example.com'] },
    });
    expect(mailed.body).toMatchObject({ notice_addresses: ['ops@example.com'] });
    const edited = await api.request('PATCH', '/api/v0/agent/v1', {
      key: tenant.key,
      body: {
        operation: 'edit_event_subscriptions',
        agent_id: reader.agentId,
        event_subscriptions: [{ event_type: ['quality_alert'], callback_url: SLACK }],
      },
    });
    expect(edited.status).toBe(200);
    const before = (await audited()).length;
    await set([DEAD_AIR]);
    await checked(8, []);
    const [first] = await checked(1, ['dead_air']);
    expect(await watched()).toBe(0);
    await checked(1, ['dead_air']);
    expect(await watched()).toBe(1);
    expect(await states()).toEqual([['Dead air', true]]);
    await checked(1, ['dead_air']);
    expect(await watched()).toBe(0);
    // 2 of 11, then 2 of 40: within the margin at first.
    const found = { callId: first ?? '', detector: 'dead_air' };
    const mark = { by: 'Ada', at: new Date(api.clock.now()) };
    await api.db.transaction().execute((tx) => markFinding(tx, tenant.workspaceId, found, mark));
    await checked(13, []);
    expect(await watched()).toBe(0);
    await checked(16, ['loop']);
    expect(await watched()).toBe(1);
    expect(await watched()).toBe(0);
    expect(await states()).toEqual([['Dead air', false]]);

    expect((await audited()).slice(before)).toEqual([
      'quality.alert_raised Dead air',
      'quality.alert_cleared Dead air',
    ]);
    const events = await api.db
      .selectFrom('events as e')
      .innerJoin('deliveries as d', (join) =>
        join.onRef('e.workspace_id', '=', 'd.workspace_id').onRef('e.id', '=', 'd.event_id'),
      )
      .select(['d.url', 'e.body'])
      .where('d.workspace_id', '=', tenant.workspaceId)
      .where('d.event_type', '=', 'quality_alert')
      .orderBy('e.seq')
      .execute();
    expect(events).toMatchObject([
      {
        url: SLACK,
        body: {
          alert_name: 'Dead air',
          state: 'raised',
          value: 20,
          calls: 10,
          text: 'The alert “Dead air” is raised. 20.0 % of the calls have a finding of dead_air, over 10 calls in 24 hours; the threshold is 10 %.',
        },
      },
      { url: SLACK, body: { state: 'cleared', value: 5, calls: 40 } },
    ]);
    const mails = await api.db
      .selectFrom('jobs')
      .select('payload')
      .where('workspace_id', '=', tenant.workspaceId)
      .where('kind', '=', NOTICE_JOB)
      .orderBy('id')
      .execute();
    expect(mails.map(({ payload }) => (payload as { subject: string }).subject)).toEqual([
      'The alert “Dead air” is raised',
      'The alert “Dead air” is cleared',
    ]);
  });

  it('is about the mean score of one agent', async () => {
    const own = {
      name: 'Own',
      measure: 'score_below',
      threshold: 70,
      minimum_calls: 4,
      agent_id: reader.agentId,
    };
    await set([own]);
    await checked(3, [], 60);
    await checked(9, []);
    expect(await watched()).toBe(0);
    await checked(1, [], 90);
    expect(await watched()).toBe(1);
    const { body } = await reader.get(PATH);
    expect(body['alerts']).toMatchObject([{ measured: { calls: 4, value: 67.5 } }]);
    await checked(2, [], 80);
    expect(await watched()).toBe(0);
    await checked(4, [], 90);
    expect(await watched()).toBe(1);
  });

  it('stays raised while its window has too few calls', async () => {
    await set([{ ...DEAD_AIR, window_hours: 1 }]);
    await checked(10, ['dead_air']);
    expect(await watched()).toBe(1);
    reader.api.clock.advance(61 * MINUTE_MS);
    expect(await watched()).toBe(0);
    expect(await states()).toEqual([['Dead air', true]]);
    await checked(10, []);
    expect(await watched()).toBe(1);
  });

  it('is raised once by processes that watch at the same time', async () => {
    await set([DEAD_AIR]);
    await checked(10, ['dead_air']);
    const counts = await Promise.all(Array.from({ length: 4 }, () => watchAlerts(reader.api)));
    expect(counts.reduce((sum, count) => sum + count)).toBe(1);
  });

  it('stays as it is when the rule is set again unchanged, and is forgotten when the rule changes', async () => {
    await set([DEAD_AIR]);
    await checked(10, ['dead_air']);
    expect(await watched()).toBe(1);
    const other = { name: 'Any', measure: 'findings_above', threshold: 99 };
    await set([other, DEAD_AIR]);
    expect(await states()).toEqual([
      ['Any', false],
      ['Dead air', true],
    ]);
    await set([{ ...DEAD_AIR, threshold: 20 }]);
    expect(await states()).toEqual([['Dead air', false]]);
    expect(await watched()).toBe(1);
  });
});
