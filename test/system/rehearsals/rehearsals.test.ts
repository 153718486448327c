import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rehearsalRunner, scriptRehearser } from '../../../src/app/rehearsals.ts';
import type { JudgedPair, Rehearser } from '../../../src/domain/rehearsals/rehearser.ts';
import { runRehearsal } from '../../../src/jobs/run-rehearsal.ts';
import type { JobRunner } from '../../../src/jobs/job-runner.ts';
import { systemClock } from '../../../src/shared/clock.ts';
import { newId } from '../../../src/shared/ids.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { findPlan, type RehearsalRef } from '../../../src/store/rehearsals/rehearsals.ts';
import {
  createTenant,
  createTestAgent,
  createTestApi,
  type Tenant,
  type TestApi,
} from '../../helpers/api/api.ts';
import { callersBy } from '../../helpers/rehearsals/caller-model.ts';
import { happyFlow, happySurvey } from '../../helpers/rehearsals/happy-survey.ts';
import { IS_NIGHTLY } from '../../helpers/service/nightly.ts';

type Body = Record<string, any>;

let api: TestApi;
let tenant: Tenant;
let agentId: string;
let runner: JobRunner;

const INTERRUPTIONS = IS_NIGHTLY ? 10 : 3;
/** Parts of twenty calls, of which each second one is lost. */
const INTERRUPTED_CALLS = IS_NIGHTLY ? 240 : 80;
const SCENARIO = {
  name: 'Is happy',
  persona: { goal: 'Says yes.', answers: [{ asked: ['happy'], says: 'Yes.' }], habits: { asks_twice: 0.2 } },
  expect: [
    { type: 'says', any_of: ['glad to hear'] },
    { type: 'ends', as: ['AGENT_ENDED'] },
  ],
};

const ask = async (
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  body?: object,
  status = 200,
): Promise<Body> => {
  const answer = await api.request(method, `/api/v0/agent${path}`, { key: tenant.key, body });
  expect([answer.status, answer.text]).toEqual([status, expect.anything()]);
  return answer.body;
};
const start = (body: object, status = 200): Promise<Body> =>
  ask('POST', `/${agentId}/rehearsals`, body, status);
/** A rehearsal that has ended and has its result. */
const played = async (body: object): Promise<Body> => {
  const id = idOf(await start(body));
  for (;;) {
    const answer = await ask('GET', `/${agentId}/rehearsals/${id}?wait_seconds=50`);
    if (answer['rehearsal'].result !== null) return answer;
  }
};
/** Lets the active version, or another one, say `thanks` to a yes. */
const editFlow = (thanks?: string, version: { version_id?: string } = {}): Promise<Body> =>
  ask('PATCH', '/v1', {
    operation: 'edit_flow',
    agent_id: agentId,
    flow: happyFlow(thanks),
    ...version,
  });
const idOf = (answer: Body): string => answer['rehearsal'].rehearsal_id;

beforeAll(async () => {
  api = await createTestApi();
  tenant = await createTenant(api);
  agentId = await happySurvey(api, tenant);
  runner = rehearsalRunner({
    db: api.db,
    clock: systemClock,
    log: silentLog,
    pollMs: 50,
    callers: callersBy(undefined),
  });
  runner.start();
});
afterAll(async () => {
  await runner?.stop();
  await api?.close();
});

describe('a rehearsal', () => {
  it('calls the agent in every way through its flow and shows how often each expectation holds', async () => {
    const { rehearsal } = await played({ calls: 12 });
    expect(rehearsal).toMatchObject({ state: 'ended', calls: 12, played_calls: 12, seed: 1, error: null });
    const { result } = rehearsal;
    expect(result).toMatchObject({ passed: 12, failed: 0, errors: 0, comparison: null, worst: [] });
    expect(result.scenarios.length).toBe(2);
    expect(result.pass_at[0]).toEqual({ calls: 1, chance: 1 });
    const listed = await ask('GET', `/${agentId}/rehearsals`);
    expect(listed['rehearsals'].map((each: Body) => each['rehearsal_id'])).toContain(rehearsal.rehearsal_id);
  });

  it('plays a call again word for word after the agent was changed', async () => {
    const id = idOf(await played({ scenarios: [SCENARIO], calls: 3 }));
    const before = await ask('GET', `/${agentId}/rehearsals/${id}/calls/2`);
    await editFlow('Goodbye then.');
    expect(await ask('GET', `/${agentId}/rehearsals/${id}/calls/2`)).toEqual(before);
    await editFlow();
    const { rehearsed_call: call } = before;
    expect(call).toMatchObject({ result: 'passed', scenario: 'Is happy', end_reason: 'AGENT_ENDED' });
    expect(call.lines.map((line: Body) => line['text'])).toContain('Yes.');
    expect(call.verdicts.map((verdict: Body) => verdict['held'])).toEqual([true, true]);
    await ask('GET', `/${agentId}/rehearsals/${id}/calls/3`, undefined, 404);
    await ask('GET', `/${agentId}/rehearsals/${id}/calls/2?before=true`, undefined, 404);
  });

  it('compares a draft with the active version on the same callers', async () => {
    const { draft } = await ask('POST', `/${agentId}/draft`, {});
    const { agents } = await ask('GET', `/${agentId}`);
    await editFlow('Whatever. Goodbye.', { version_id: draft.version_id });
    const both = { version_id: draft.version_id, against_version_id: agents.active_agent_version_id };
    const { rehearsal } = await played({ ...both, scenarios: [SCENARIO], calls: 40 });
    expect(rehearsal).toMatchObject({ version_slug: 'draft', state: 'ended' });
    expect(rehearsal.result.comparison).toMatchObject({ calls: 40, is_worse: true });
    expect(rehearsal.result.comparison.passed).toMatchObject({ before: 40, after: 0 });
    expect(rehearsal.result.scenarios[0].expectations[0]).toMatchObject({ held: 0, held_before: 40 });
    expect(rehearsal.result.worst[0]).toMatchObject({ scenario: 'Is happy', passed_before: true });
    const [now, then] = await Promise.all(
      ['false', 'true'].map((before) =>
        ask('GET', `/${agentId}/rehearsals/${rehearsal.rehearsal_id}/calls/0?before=${before}`),
      ),
    );
    expect([now!['rehearsed_call'].result, then!['rehearsed_call'].result]).toEqual(['failed', 'passed']);
    // An unchanged copy plays the same calls.
    const own = { version_id: both.against_version_id, against_version_id: both.against_version_id };
    const same = (await played({ ...own, scenarios: [SCENARIO], calls: 40 }))['rehearsal'];
    expect(same.result.comparison).toMatchObject({ is_worse: false, passed: { difference: 0 } });
  });

  it('names the field of a scenario that is wrong, and makes scenarios of a prompt', async () => {
    const wrong = await start({ scenarios: [{ ...SCENARIO, persona: {} }] }, 422);
    expect(wrong['message']).toMatch(/scenarios\[0\]\.persona\.goal/);
    const { agentId: prompted } = await createTestAgent(api, tenant, {});
    const made = await ask('POST', `/${prompted}/rehearsals`, { calls: 1, wait_seconds: 50 });
    expect(made['rehearsal'].result.scenarios.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining([expect.stringMatching(/: answers every question$/)]),
    );
    await start({ version_id: newId() }, 404);
    await ask('GET', `/${agentId}/rehearsals/${newId()}`, undefined, 404);
  });

  it('reads scenarios from the text of a file, and says where it is wrong', async () => {
    const file = 'name: Is happy\npersona: { goal: Says yes., answers: [{ asked: [happy], says: Yes. }] }\n';
    const expecting = `${file}expect: [{ type: says, any_of: [glad to hear] }]\n`;
    const { rehearsal } = await played({ scenario_file: expecting, calls: 2 });
    expect(rehearsal.result).toMatchObject({ passed: 2, scenarios: [{ name: 'Is happy' }] });
    const wrong = await start({ scenario_file: file }, 422);
    expect(wrong['message']).toMatch(/Is happy: .*expect/);
    await start({ scenario_file: 'a: [', calls: 2 }, 422);
    await start({ scenario_file: expecting, scenarios: [SCENARIO] }, 422);
  });

  it('is needed before a draft is published where the workspace wants it, and must not show it worse', async () => {
    const settings = { rehearses_drafts: true };
    const path = '/api/v0/workspace/settings';
    const set = await api.request('PATCH', path, { key: tenant.key, body: settings });
    expect([set.status, set.body['rehearses_drafts']]).toEqual([200, true]);
    const { draft } = await ask('POST', `/${agentId}/draft`, {});
    const { agents } = await ask('GET', `/${agentId}`);
    const both = {
      version_id: draft.version_id,
      against_version_id: agents.active_agent_version_id,
      scenarios: [SCENARIO],
      calls: 100,
    };
    const publish = async (): Promise<unknown> =>
      (await ask('POST', `/${agentId}/draft/publish`, {}, 409))['code'];
    const editDraft = (thanks: string): Promise<Body> => editFlow(thanks, { version_id: draft.version_id });
    await editDraft('Whatever. Goodbye.');
    expect(await publish()).toBe('DRAFT_NOT_REHEARSED');
    await played({ ...both, calls: 99 });
    expect(await publish()).toBe('DRAFT_NOT_REHEARSED');
    expect((await played(both))['rehearsal'].result.comparison.is_worse).toBe(true);
    expect(await publish()).toBe('DRAFT_IS_WORSE');
    // A rehearsal holds for what it rehearsed.
    await editDraft('We are so glad to hear that. Goodbye.');
    expect(await publish()).toBe('DRAFT_NOT_REHEARSED');
    expect((await played(both))['rehearsal'].result.comparison.is_worse).toBe(false);
    await ask('POST', `/${agentId}/draft/publish`, {});
    await api.request('PATCH', path, { key: tenant.key, body: { rehearses_drafts: false } });
  });

  it('ends when it is cancelled, with the calls that were judged', async () => {
    await runner.stop();
    const id = idOf(await start({ scenarios: [SCENARIO], calls: 100 }));
    const job = jobOf(id);
    // Cancelled while the second part is played.
    const handler = handlerOf({
      play: async (plan, first, count) => {
        if (first > 0) await ask('POST', `/${agentId}/rehearsals/${id}/cancel`, {});
        return scriptRehearser.play(plan, first, count);
      },
    });
    await handler.run(job);
    const { rehearsal } = await ask('GET', `/${agentId}/rehearsals/${id}`);
    expect(rehearsal).toMatchObject({ state: 'cancelled', played_calls: 20, result: { passed: 20 } });
    await ask('POST', `/${agentId}/rehearsals/${id}/cancel`, {}, 409);
  });

  it(`is interrupted ${INTERRUPTIONS} times and ends with the same result as one that was not`, async () => {
    await runner.stop();
    const body = { scenarios: [SCENARIO, { ...SCENARIO, name: 'Again' }], calls: INTERRUPTED_CALLS, seed: 7 };
    const id = idOf(await start(body));
    let interruptions = 0;
    const handler = handlerOf({
      play: async (plan, first, count) => {
        const judged = await scriptRehearser.play(plan, first, count);
        // Each second part is lost, as if the process had died before it stored it.
        if (interruptions < INTERRUPTIONS && first / 20 >= interruptions) {
          interruptions += 1;
          throw new Error('the process died');
        }
        return judged;
      },
    });
    for (let tries = 0; tries < INTERRUPTIONS; tries++)
      await expect(handler.run(jobOf(id))).rejects.toThrow('the process died');
    // Two processes that both believe that they hold the lease.
    await Promise.all([handler.run(jobOf(id)), handler.run(jobOf(id))]);
    expect(interruptions).toBe(INTERRUPTIONS);
    const { rehearsal } = await ask('GET', `/${agentId}/rehearsals/${id}`);
    const plan = (await findPlan(api.db, refOf(id)))!;
    const whole: JudgedPair[] = await scriptRehearser.play(plan, 0, INTERRUPTED_CALLS);
    expect(rehearsal.result).toEqual(JSON.parse(JSON.stringify(scriptRehearser.result(plan, whole))));
    expect(rehearsal.played_calls).toBe(INTERRUPTED_CALLS);
    const left = await api.db.selectFrom('rehearsal_calls').select('first_call').execute();
    expect(left).toEqual([]);
  });

  it('says so when every try failed', async () => {
    await runner.stop();
    const id = idOf(await start({ scenarios: [SCENARIO], calls: 1 }));
    await handlerOf({}).gaveUp(jobOf(id));
    const { rehearsal } = await ask('GET', `/${agentId}/rehearsals/${id}`);
    expect(rehearsal).toMatchObject({
      state: 'error',
      result: null,
      error: expect.stringContaining('interrupted'),
    });
  });
});

const refOf = (rehearsalId: string): RehearsalRef => ({ workspaceId: tenant.workspaceId, rehearsalId });
const jobOf = (rehearsalId: string) => ({
  id: newId(),
  workspaceId: tenant.workspaceId,
  kind: 'agent.rehearsal',
  payload: { ...refOf(rehearsalId) },
  attempt: 1,
});
const handlerOf = (own: Partial<Rehearser>) =>
  runRehearsal({
    db: api.db,
    clock: systemClock,
    log: silentLog,
    rehearser: { ...scriptRehearser, ...own },
    callers: { db: api.db, clock: systemClock, ...callersBy(undefined) },
  });
