import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { scriptRehearser } from '../../src/app/rehearsals.ts';
import { findPlan } from '../../src/store/rehearsals/rehearsals.ts';
import {
  createTenant,
  createTestAgent,
  createTestApi,
  type Tenant,
  type TestApi,
} from '../helpers/api/api.ts';

const PROCESS = fileURLToPath(new URL('../helpers/rehearsals/playing-process.ts', import.meta.url));
const KILLS = 10;
/** Enough that ten kills, each after one part or two, leave some to play. */
const CALLS = 400;
const SCENARIO = {
  name: 'Says yes',
  persona: { goal: 'Says yes.', answers: [{ asked: ['Monday'], says: 'Yes.' }], habits: { asks_twice: 0.3 } },
  expect: [{ type: 'replies_within', seconds: 2 }, { type: 'no_alarm' }],
};

let api: TestApi;
let tenant: Tenant;
let agentId: string;
let playing: ChildProcess | null = null;
beforeAll(async () => {
  api = await createTestApi();
  tenant = await createTenant(api);
  const task = '1. Ask: "Does Monday suit you?"\n2. Say goodbye.';
  ({ agentId } = await createTestAgent(api, tenant, { task }));
});
afterAll(async () => {
  playing?.kill('SIGKILL');
  await api?.close();
});

interface Seen {
  readonly state: string;
  readonly played_calls: number;
  readonly result: unknown;
}
const read = async (id: string): Promise<Seen> => {
  const { body } = await api.request('GET', `/api/v0/agent/${agentId}/rehearsals/${id}`, { key: tenant.key });
  return body['rehearsal'] as Seen;
};
/** A process, which finds the job due at once, as it would be when the lease of the one before has ended. */
const begin = async (): Promise<ChildProcess> => {
  await api.db
    .updateTable('jobs')
    .set({ due_at: new Date(0) })
    .where('kind', '=', 'agent.rehearsal')
    .execute();
  return spawn(process.execPath, [PROCESS, api.url], { stdio: 'ignore' });
};

it('a rehearsal whose process is killed ten times has the result of one that was not', async () => {
  const { body } = await api.request('POST', `/api/v0/agent/${agentId}/rehearsals`, {
    key: tenant.key,
    body: { scenarios: [SCENARIO], calls: CALLS, seed: 3 },
  });
  const id = (body['rehearsal'] as { rehearsal_id: string }).rehearsal_id;
  let played = 0;
  for (let kills = 0; kills < KILLS; kills++) {
    playing = await begin();
    const ended = once(playing, 'exit');
    for (let seen = played; seen === played; seen = (await read(id)).played_calls) {
      expect(playing.exitCode).toBeNull();
      await sleep(10);
    }
    playing.kill('SIGKILL');
    expect((await ended)[1]).toBe('SIGKILL');
    const left = await read(id);
    expect(left.state).toBe('running');
    played = left.played_calls;
  }
  playing = await begin();
  let whole = await read(id);
  while (whole.result === null) {
    expect(playing.exitCode).toBeNull();
    await sleep(100);
    whole = await read(id);
  }
  expect(whole).toMatchObject({ state: 'ended', played_calls: CALLS });
  const plan = (await findPlan(api.db, { workspaceId: tenant.workspaceId, rehearsalId: id }))!;
  const undisturbed = scriptRehearser.result(plan, await scriptRehearser.play(plan, 0, CALLS));
  expect(whole.result).toEqual(JSON.parse(JSON.stringify(undisturbed)));
}, 900_000);
