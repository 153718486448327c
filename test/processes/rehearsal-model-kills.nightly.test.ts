import type { FakeVendor } from '@callwright/stand-ins';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { REHEARSAL_JOB } from '../../src/domain/rehearsals/rehearsals.ts';
import {
  createTenant,
  createTestAgent,
  createTestApi,
  type Tenant,
  type TestApi,
} from '../helpers/api/api.ts';
import { CALLER_PRICES, callersBy, startCallerModel } from '../helpers/rehearsals/caller-model.ts';
import { rehearsalPlayer, type Player } from '../helpers/rehearsals/player.ts';

const KILLS = 4;
const CALLS = 60;
const SCENARIO = {
  name: 'Says yes',
  persona: { lines: 'model', goal: 'Says yes.', habits: { asks_twice: 0.3 }, most_turns: 6 },
  expect: [{ type: 'replies_within', seconds: 4 }],
};

let api: TestApi;
let tenant: Tenant;
let agentId: string;
let vendor: FakeVendor;
let player: Player;
beforeAll(async () => {
  vendor = await startCallerModel([{ to: 'Monday suit', say: 'Yes, it does.' }]);
  api = await createTestApi({ modelOf: callersBy(vendor.baseUrl).modelOf, prices: CALLER_PRICES });
  player = rehearsalPlayer(api.db, REHEARSAL_JOB, 'playing-process.ts', [api.url, vendor.baseUrl]);
  tenant = await createTenant(api);
  const task = '1. Ask: "Does Monday suit you?"\n2. Say goodbye.';
  ({ agentId } = await createTestAgent(api, tenant, { task }));
});
afterAll(async () => {
  player?.close();
  await api?.close();
  await vendor?.close();
});

interface Seen {
  readonly rehearsal_id: string;
  readonly state: string;
  readonly played_calls: number;
  readonly cost: number;
  readonly result: unknown;
}
const path = (): string => `/api/v0/agent/${agentId}/rehearsals`;
const start = async (): Promise<string> => {
  const body = { scenarios: [SCENARIO], calls: CALLS, seed: 3 };
  const answer = await api.request('POST', path(), { key: tenant.key, body });
  return (answer.body['rehearsal'] as Seen).rehearsal_id;
};
const read = async (id: string): Promise<Seen> => {
  const { body } = await api.request('GET', `${path()}/${id}`, { key: tenant.key });
  return body['rehearsal'] as Seen;
};
const whole = async (id: string): Promise<Seen> => {
  await player.begin();
  await player.until(
    () => read(id),
    ({ result }) => result !== null,
  );
  await player.kill();
  return read(id);
};

it('a rehearsal with callers by a model, killed again and again, goes on with the recorded lines', async () => {
  const undisturbed = await whole(await start());
  const id = await start();
  let played = 0;
  for (let kills = 0; kills < KILLS; kills++) {
    await player.begin();
    await player.until(
      () => read(id),
      (seen) => seen.played_calls > played,
    );
    await player.kill();
    played = (await read(id)).played_calls;
  }
  const done = await whole(id);
  expect(done).toMatchObject({ state: 'ended', played_calls: CALLS });
  expect(done.result).toEqual(undisturbed.result);
  // Lines under way at a death stay counted with the most that they could cost.
  expect(done.cost).toBeGreaterThanOrEqual(undisturbed.cost);
  // Any call is the same again, without the model.
  const asked = vendor.requests.length;
  const call = (of: string) => api.request('GET', `${path()}/${of}/calls/${CALLS - 1}`, { key: tenant.key });
  expect((await call(id)).body).toEqual((await call(undisturbed.rehearsal_id)).body);
  expect(vendor.requests.length).toBe(asked);
}, 900_000);
