import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { soundRehearsalRunner } from '../../src/app/rehearsals.ts';
import type { LiveLoad } from '../../src/app/sound-seats.ts';
import { SoundThreads } from '../../src/app/sound-threads.ts';
import type { JobRunner } from '../../src/jobs/job-runner.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { silentLog } from '../../src/shared/log.ts';
import { createTenant, createTestApi, type Tenant, type TestApi } from '../helpers/api/api.ts';
import { happySurvey, SAYS_YES, staysSilent } from '../helpers/rehearsals/happy-survey.ts';

type Body = Record<string, any>;

const IDLE: LiveLoad = { calls: 0, ears: { used: 0, limit: null } };
const LONG_MS = 900_000;

let api: TestApi;
let tenant: Tenant;
let agentId: string;
let stage: SoundThreads;
let runner: JobRunner;
let load = IDLE;
let looks = 0;

const ask = async (method: 'GET' | 'POST', path: string, body?: object, status = 200): Promise<Body> => {
  const answer = await api.request(method, `/api/v0/agent/${agentId}/rehearsals${path}`, {
    key: tenant.key,
    body,
  });
  expect([answer.status, answer.text]).toEqual([status, expect.anything()]);
  return answer.body;
};
const start = async (body: object): Promise<string> =>
  (await ask('POST', '', { mode: 'sound', ...body }))['rehearsal'].rehearsal_id;
const read = async (id: string): Promise<Body> => (await ask('GET', `/${id}`))['rehearsal'];
const until = async (id: string, holds: (rehearsal: Body) => boolean): Promise<Body> => {
  for (;;) {
    const rehearsal = await read(id);
    if (holds(rehearsal)) return rehearsal;
    await sleep(100);
  }
};
const hasEnded = ({ result, state }: Body): boolean => result !== null || state === 'error';

beforeAll(async () => {
  api = await createTestApi();
  tenant = await createTenant(api);
  agentId = await happySurvey(api, tenant);
  const readLoad = (): Promise<LiveLoad> => {
    looks += 1;
    return Promise.resolve(load);
  };
  stage = new SoundThreads({ modelsDir: '/nowhere', log: silentLog, load: readLoad });
  runner = soundRehearsalRunner({ db: api.db, clock: systemClock, log: silentLog, pollMs: 50 }, stage);
  runner.start();
});
afterAll(async () => {
  await stage?.close();
  await runner?.stop();
  await api?.close();
});

describe('a rehearsal by sound', { timeout: LONG_MS }, () => {
  it('plays calls over SIP and RTP, judges them, and keeps each conversation', async () => {
    const id = await start({ scenarios: [SAYS_YES], calls: 2, at_once: 2 });
    const rehearsal = await until(id, hasEnded);
    expect(rehearsal).toMatchObject({ state: 'ended', mode: 'sound', recogniser: 'given', at_once: 2 });
    expect(rehearsal['played_calls']).toBe(2);
    expect(rehearsal['result']).toMatchObject({ passed: 2, failed: 0, errors: 0, worst: [] });
    const { rehearsed_call: call } = await ask('GET', `/${id}/calls/1`);
    expect(call).toMatchObject({
      call: 1,
      scenario: 'Is happy',
      result: 'passed',
      end_reason: 'AGENT_ENDED',
    });
    const said = call.lines.map(({ speaker, text }: Body) => `${speaker}: ${text}`);
    expect(said).toContain('caller: Yes, I am.');
    expect(said).toContain('agent: We are glad to hear that.');
    await ask('GET', `/${id}/calls/2`, undefined, 404);
  });

  it('appears in no history, and costs nothing', async () => {
    const { rows } = await sql<{ calls: number; attempts: number; holds: number; usage: number }>`
      select (select count(*)::int from calls) as calls, (select count(*)::int from call_attempts) as attempts,
        (select count(*)::int from holds) as holds, (select count(*)::int from usage_hours) as usage`.execute(
      api.db,
    );
    expect(rows).toEqual([{ calls: 0, attempts: 0, holds: 0, usage: 0 }]);
  });

  it('is seen by its workspace alone', async () => {
    const [{ rehearsal_id: id }] = (await ask('GET', ''))['rehearsals'];
    const { key } = await createTenant(api);
    for (const path of ['', `/${id}`, `/${id}/calls/0`]) {
      const answer = await api.request('GET', `/api/v0/agent/${agentId}/rehearsals${path}`, { key });
      expect(answer.status).toBe(404);
    }
  });

  it('compares two versions on the same callers', async () => {
    const { body } = await api.request('GET', `/api/v0/agent/${agentId}`, { key: tenant.key });
    const against = (body['agents'] as Body)['active_agent_version_id'];
    const id = await start({ scenarios: [SAYS_YES], calls: 1, against_version_id: against });
    const { result } = await until(id, hasEnded);
    expect(result.comparison).toMatchObject({ calls: 1, passed: { before: 1, after: 1 } });
    const { rehearsed_call: before } = await ask('GET', `/${id}/calls/0?before=true`);
    expect(before).toMatchObject({ call: 0, result: 'passed' });
  });

  it('ends with the calls that were played when it is cancelled during others', async () => {
    const id = await start({ scenarios: [staysSilent(5), staysSilent(1_000)], calls: 2, at_once: 2 });
    await until(id, ({ played_calls: played }) => played === 1);
    await ask('POST', `/${id}/cancel`, {});
    const { state, result } = await until(id, hasEnded);
    expect(state).toBe('cancelled');
    expect(result.passed + result.failed).toBe(1);
    await ask('GET', `/${id}/calls/0`);
    await ask('GET', `/${id}/calls/1`, undefined, 404);
  });

  it('waits while the calls of people take what the machine can carry', async () => {
    load = { ...IDLE, calls: 1_000_000 };
    const before = looks;
    const id = await start({ scenarios: [SAYS_YES], calls: 1 });
    await until(id, () => looks > before + 3);
    expect(await read(id)).toMatchObject({ state: 'running', played_calls: 0 });
    load = IDLE;
    expect(await until(id, hasEnded)).toMatchObject({ state: 'ended', played_calls: 1 });
  });

  it('says why it cannot be played on this machine', async () => {
    const id = await start({ scenarios: [SAYS_YES], calls: 1, recogniser: 'words' });
    const { state, error } = await until(id, hasEnded);
    expect([state, error]).toEqual(['error', expect.stringContaining('callwright models get')]);
  });

  it('has a budget of 500 calls', async () => {
    const body = { mode: 'sound', scenarios: [SAYS_YES], calls: 501 };
    expect(JSON.stringify(await ask('POST', '', body, 422))).toContain('at most 500 by sound');
  });
});
