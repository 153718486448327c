import { afterAll, beforeAll, expect, it } from 'vitest';
import { scriptRehearser } from '../../src/app/rehearsals.ts';
import { REHEARSAL_JOB } from '../../src/domain/rehearsals/rehearsals.ts';
import { findPlan } from '../../src/store/rehearsals/rehearsals.ts';
import {
  createTenant,
  createTestAgent,
  createTestApi,
  type Tenant,
  type TestApi,
} from '../helpers/api/api.ts';
import { rehearsalPlayer, type Player } from '../helpers/rehearsals/player.ts';

const KILLS = 10;
const CALLS = 1_200;
const SCENARIO = {
  name: 'Says yes',
  persona: { goal: 'Says yes.', answers: [{ asked: ['Monday'], says: 'Yes.' }], habits: { asks_twice: 0.3 } },
  expect: [{ type: 'replies_within', seconds: 2 }, { type: 'no_alarm' }],
};

let api: TestApi;
let tenant: Tenant;
let agentId: string;
let player: Player;
beforeAll(async () => {
  api = await createTestApi();
  player = rehearsalPlayer(api.db, REHEARSAL_JOB, 'playing-process.ts', [api.url]);
  tenant = await createTenant(api);
  const task = '1. Ask: "Does Monday suit you?"\n2. Say goodbye.';
  ({ agentId } = await createTestAgent(api, tenant, { task }));
});
afterAll(async () => {
  player?.close();
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
it('a rehearsal whose process is killed ten times has the result of one that was not', async () => {
  const { body } = await api.request('POST', `/api/v0/agent/${agentId}/rehearsals`, {
    key: tenant.key,
    body: { scenarios: [SCENARIO], calls: CALLS, seed: 3 },
  });
  const id = (body['rehearsal'] as { rehearsal_id: string }).rehearsal_id;
  const plan = (await findPlan(api.db, { workspaceId: tenant.workspaceId, rehearsalId: id }))!;
  // Beside the processes, which are idle for half of their time.
  const undisturbed = scriptRehearser.play(plan, 0, CALLS);
  let played = 0;
  for (let kills = 0; kills < KILLS; kills++) {
    await player.begin();
    await player.until(
      () => read(id),
      (seen) => seen.played_calls > played,
    );
    await player.kill();
    const left = await read(id);
    expect(left.state).toBe('running');
    played = left.played_calls;
  }
  await player.begin();
  const whole = await player.until(
    () => read(id),
    (seen) => seen.result !== null,
  );
  expect(whole).toMatchObject({ state: 'ended', played_calls: CALLS });
  const expected = scriptRehearser.result(plan, await undisturbed);
  expect(whole.result).toEqual(JSON.parse(JSON.stringify(expected)));
}, 900_000);
