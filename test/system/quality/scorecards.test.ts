import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { foundIn } from '../../../src/app/replay-log.ts';
import { checkCall } from '../../../src/domain/quality/check-call.ts';
import { createTenant } from '../../helpers/api/api.ts';
import { createReader, type Reader } from '../../helpers/api/read-api.ts';
import { packedFixture, withoutReply } from '../../helpers/sip/replays.ts';

let reader: Reader;
beforeAll(async () => {
  reader = await createReader();
});
afterAll(() => reader.api.close());

const CRITERIA = [
  { name: 'No dead air', points: 3, rule: 'no_finding', detector: 'dead_air' },
  { name: 'Greets', points: 1, rule: 'agent_says', of: ['this is Maya'] },
  { name: 'Polite', points: 4, rule: 'criterion_met', criterion: 'polite' },
];
const path = () => `/api/v0/agent/${reader.agentId}/scorecard`;
const set = (body: object, key = reader.tenant.key) => reader.api.request('PUT', path(), { key, body });

/** An ended call after its analysis and check. */
async function scored(isFaulty: boolean, evaluations: object[] | null = null) {
  const { api, tenant } = reader;
  const at = new Date(api.clock.now());
  const id = await reader.insertCall({ ended_at: at, duration_ms: 7_000 });
  await api.db
    .insertInto('call_records')
    .values({
      workspace_id: tenant.workspaceId,
      call_id: id,
      transcript: JSON.stringify([{ role: 'agent', text: 'Hello, this is Maya.', startedAt: 0, endedAt: 0 }]),
      evaluations: evaluations === null ? null : JSON.stringify(evaluations),
      event_log: isFaulty ? gzipSync(withoutReply('booking')) : packedFixture('booking'),
      updated_at: at,
    })
    .execute();
  await checkCall({ ...api, detect: async (log) => foundIn(log) }, tenant.workspaceId, id);
  return { id, score: await scoreOf(id) };
}
async function scoreOf(id: string) {
  const { body } = await reader.get(`/api/v0/calling/call-details?id=${id}`);
  return (body['data'] as { score: Record<string, unknown> | null }).score;
}

describe('a scorecard', () => {
  it('is null until it is set, and each change makes a version', async () => {
    expect((await reader.get(path())).body).toEqual({ scorecard: null });
    const first = await set({ criteria: CRITERIA.slice(0, 1) });
    expect(first.body['scorecard']).toMatchObject({ version: 1, percent: 100, with_findings: true });
    const second = await set({ criteria: CRITERIA, percent: 100 });
    expect(second.body['scorecard']).toMatchObject({ version: 2, criteria: CRITERIA });
    expect((await reader.get(path())).body).toEqual(second.body);
  });

  it('is refused with two criteria of one name, an unknown rule, and for another workspace', async () => {
    const [one] = CRITERIA;
    expect((await set({ criteria: [one, one] })).status).toBe(422);
    expect((await set({ criteria: [{ name: 'x', points: 1, rule: 'charm' }] })).status).toBe(422);
    expect((await set({ criteria: [{ ...one, points: 0 }] })).status).toBe(422);
    const { key } = await createTenant(reader.api);
    expect((await set({ criteria: CRITERIA }, key)).body['code']).toBe('AGENT_NOT_FOUND');
  });
});

describe('the score of a call', () => {
  it('weighs its criteria, with a reason for each; a criterion that nobody judged does not count', async () => {
    await set({ criteria: CRITERIA });
    const { score } = await scored(true);
    expect(score).toMatchObject({
      score: 25,
      criteria: [
        { name: 'No dead air', points: 3, result: 'failed' },
        { name: 'Greets', points: 1, result: 'passed', reason: 'The agent said “this is Maya”.' },
        { name: 'Polite', points: 4, result: 'not_judged' },
      ],
    });
  });

  it('takes the verdicts of the analysis, whoever made it', async () => {
    const evaluations = [{ name: 'polite', result: 'failed', reason: 'It shouts.' }];
    const { score } = await scored(false, evaluations);
    expect(score).toMatchObject({
      score: 50,
      criteria: expect.arrayContaining([
        expect.objectContaining({ name: 'Polite', result: 'failed', reason: 'It shouts.' }),
      ]) as unknown,
    });
  });

  it('is made for calls with findings alone at 0 percent', async () => {
    await set({ criteria: CRITERIA, percent: 0 });
    expect((await scored(false)).score).toBe(null);
    expect((await scored(true)).score).toMatchObject({ score: 25 });
    await set({ criteria: CRITERIA, percent: 0, with_findings: false });
    expect((await scored(true)).score).toBe(null);
  });

  it('stays with its version, is made no more without criteria, and loses its reasons with the erasure', async () => {
    const card = (await set({ criteria: CRITERIA })).body['scorecard'] as { version: number };
    const { id } = await scored(true);
    expect((await set({ criteria: [] })).body).toEqual({ scorecard: null });
    expect(await scoreOf(id)).toMatchObject({ scorecard_version: card.version });
    expect((await scored(true)).score).toBe(null);
    await reader.api.request('DELETE', `/api/v0/calling/${id}/data`, { key: reader.tenant.key });
    expect(await scoreOf(id)).toMatchObject({ score: 25, criteria: null });
  });
});

describe('the days of the quality', () => {
  it('have the checked calls, the share with a finding and the mean score, without false alarms', async () => {
    const own = await createReader();
    const before = reader;
    reader = own;
    try {
      await set({ criteria: CRITERIA.slice(0, 1) });
      const { id } = await scored(true);
      await scored(false);
      const daysOf = async () =>
        (await reader.get(`/api/v0/quality/findings?agent_id=${reader.agentId}`)).body['days'];
      const date = new Date(reader.api.clock.now()).toISOString().slice(0, 10);
      const day = { date, checked_calls: 2, scored_calls: 2, mean_score: 50 };
      expect(await daysOf()).toEqual([
        {
          ...day,
          calls_with_finding: 1,
          finding_share: 0.5,
          detectors: [{ detector: 'dead_air', calls: 1, share: 0.5 }],
        },
      ]);
      await reader.api.request('PATCH', `/api/v0/calling/${id}/findings/dead_air`, {
        key: reader.tenant.key,
        body: { false_alarm: true },
      });
      expect(await daysOf()).toEqual([{ ...day, calls_with_finding: 0, finding_share: 0, detectors: [] }]);
    } finally {
      reader = before;
      await own.api.close();
    }
  });
});
