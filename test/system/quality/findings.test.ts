import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { foundIn } from '../../../src/app/replay-log.ts';
import { finishAnalysis } from '../../../src/domain/analysis/finish-analysis.ts';
import { CHECK_JOB, checkCall } from '../../../src/domain/quality/check-call.ts';
import { sweepRetention } from '../../../src/domain/privacy/retention.ts';
import { checkingCalls } from '../../../src/jobs/check-call.ts';
import { JobRunner } from '../../../src/jobs/job-runner.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { createTenant } from '../../helpers/api/api.ts';
import { createReader, type Reader } from '../../helpers/api/read-api.ts';
import { eventually } from '../../helpers/service/service.ts';
import { packedFixture, withoutReply } from '../../helpers/sip/replays.ts';

const DAY = 86_400_000;
let reader: Reader;
beforeAll(async () => {
  reader = await createReader();
});
afterAll(() => reader.api.close());

const QUOTED = 'yes';
const deps = () => ({ ...reader.api, detect: async (log: string) => foundIn(log) });

/** An ended call whose agent does not answer the caller, or does. */
async function endedCall(isFaulty: boolean): Promise<string> {
  const at = new Date(reader.api.clock.now());
  const id = await reader.insertCall({ ended_at: at });
  await reader.api.db
    .insertInto('call_records')
    .values({
      workspace_id: reader.tenant.workspaceId,
      call_id: id,
      transcript: '[]',
      event_log: isFaulty ? gzipSync(withoutReply('booking')) : packedFixture('booking'),
      updated_at: at,
    })
    .execute();
  return id;
}
const checked = async (isFaulty = true): Promise<string> => {
  const id = await endedCall(isFaulty);
  await checkCall(deps(), reader.tenant.workspaceId, id);
  return id;
};
async function findingsOf(id: string) {
  const { body } = await reader.get(`/api/v0/calling/call-details?id=${id}`);
  return (body['data'] as { findings: Record<string, unknown>[] | null }).findings;
}
const mark = (id: string, isFalse: boolean, detector = 'dead_air', key = reader.tenant.key) =>
  reader.api.request('PATCH', `/api/v0/calling/${id}/findings/${detector}`, {
    key,
    body: { false_alarm: isFalse },
  });
const history = async (query: string) => {
  const { body } = await reader.get(`/api/v0/calling/history?${query}`);
  return { ids: (body['calls'] as { id: string }[]).map(({ id }) => id), total: body['total'] };
};

describe('the detectors', () => {
  it('store what they find in a call, with the place, and nothing twice', async () => {
    const id = await checked();
    await checkCall(deps(), reader.tenant.workspaceId, id);
    expect(await findingsOf(id)).toEqual([
      {
        detector: 'dead_air',
        at_seconds: expect.any(Number) as number,
        detail: expect.stringContaining(QUOTED) as string,
        false_alarm: null,
      },
    ]);
  });

  it('leave a clean call without findings, and one that they have not read with null', async () => {
    expect(await findingsOf(await checked(false))).toEqual([]);
    expect(await findingsOf(await endedCall(true))).toBe(null);
  });

  it('read a call once its analysis is stored, as a job', async () => {
    const { api, tenant } = reader;
    const id = await endedCall(true);
    const recordingUrl = () => 'http://localhost/a.wav';
    await finishAnalysis({ ...api, recordingUrl }, tenant.workspaceId, id, {
      platform: { status: 'failed' } as never,
      client: null,
      evaluations: null,
      analyst: 'offline-rules',
      isMade: false,
    });
    const runner = new JobRunner({
      ...api,
      log: silentLog,
      kind: CHECK_JOB,
      handler: checkingCalls({ ...deps(), log: silentLog }),
      pollMs: 20,
    });
    runner.start();
    try {
      expect(await eventually('the findings', () => findingsOf(id))).toHaveLength(1);
    } finally {
      await runner.stop();
    }
  });

  it('read no call of a workspace that sets checked_calls_percent to 0', async () => {
    const { api, tenant } = reader;
    const path = '/api/v0/workspace/settings';
    const set = (percent: number) =>
      api.request('PATCH', path, { key: tenant.key, body: { checked_calls_percent: percent } });
    expect((await set(0)).body['checked_calls_percent']).toBe(0);
    const id = await endedCall(true);
    const recordingUrl = () => 'http://localhost/a.wav';
    await finishAnalysis({ ...api, recordingUrl }, tenant.workspaceId, id, {
      platform: { status: 'failed' } as never,
      client: null,
      evaluations: null,
      analyst: 'offline-rules',
      isMade: false,
    });
    const jobs = await api.db.selectFrom('jobs').select('id').where('dedup', '=', id).execute();
    expect(jobs).toEqual([]);
    expect((await set(101)).status).toBe(422);
    expect((await set(100)).body['checked_calls_percent']).toBe(100);
  });
});

describe('a false alarm', () => {
  it('is marked with who and when, leaves the filter of the history and counts for its detector', async () => {
    const id = await checked();
    expect((await history('finding=dead_air&limit=200')).ids).toContain(id);
    const before = await history('finding=any&limit=200');
    expect(before.ids).toContain(id);
    const marked = await mark(id, true);
    expect(marked.status).toBe(200);
    expect(marked.body['finding']).toMatchObject({
      detector: 'dead_air',
      false_alarm: { by: expect.any(String) as string, at: expect.any(String) as string },
    });
    expect((await history('finding=dead_air&limit=200')).ids).not.toContain(id);
    expect((await history('finding=any&limit=200')).total).toBe(Number(before.total) - 1);
    const { body } = await reader.get(`/api/v0/quality/findings?agent_id=${reader.agentId}`);
    const [row] = body['detectors'] as { calls: number; false_alarms: number; false_share: number }[];
    expect(row).toMatchObject({ detector: 'dead_air', false_alarms: 1 });
    expect(row?.false_share).toBeCloseTo(1 / (row?.calls ?? 0));
    expect((await mark(id, false)).body['finding']).toMatchObject({ false_alarm: null });
    expect((await history('finding=dead_air&limit=200')).ids).toContain(id);
  });

  it('is refused for what no detector found, and for calls of another workspace', async () => {
    const id = await checked();
    expect([(await mark(id, true, 'loop')).status, (await mark(id, true, 'boredom')).status]).toEqual([
      404, 422,
    ]);
    const { key } = await createTenant(reader.api);
    expect((await mark(id, true, 'dead_air', key)).body['code']).toBe('CALL_NOT_FOUND');
  });
});

describe('the words of a finding', () => {
  it('go with the erasure of the call; its kind and place stay', async () => {
    const id = await checked();
    const erased = await reader.api.request('DELETE', `/api/v0/calling/${id}/data`, {
      key: reader.tenant.key,
    });
    expect(erased.status).toBe(200);
    expect(await findingsOf(id)).toMatchObject([{ detector: 'dead_air', detail: null }]);
    const late = await endedCall(true);
    await reader.api.request('DELETE', `/api/v0/calling/${late}/data`, { key: reader.tenant.key });
    await checkCall(deps(), reader.tenant.workspaceId, late);
    expect(await findingsOf(late)).toBe(null);
  });

  it('go when transcript_days have passed', async () => {
    const id = await checked();
    const path = '/api/v0/workspace/retention';
    await reader.api.request('PATCH', path, { key: reader.tenant.key, body: { transcript_days: 7 } });
    const at = new Date(reader.api.clock.now() - 8 * DAY);
    await reader.api.db.updateTable('calls').set({ ended_at: at }).where('id', '=', id).execute();
    await sweepRetention({ ...reader.api, clock: { now: () => Date.now() + 60 * DAY } as never });
    expect(await findingsOf(id)).toMatchObject([{ detector: 'dead_air', detail: null }]);
  });
});
