import { afterAll, beforeAll, expect, it } from 'vitest';
import { SOUND_REHEARSAL_JOB } from '../../src/domain/rehearsals/rehearsals.ts';
import { createTenant, createTestApi, type Tenant, type TestApi } from '../helpers/api/api.ts';
import { happySurvey, SAYS_YES } from '../helpers/rehearsals/happy-survey.ts';
import { rehearsalPlayer, type Player } from '../helpers/rehearsals/player.ts';

const CALLS = 3;

let api: TestApi;
let tenant: Tenant;
let agentId: string;
let player: Player;
beforeAll(async () => {
  api = await createTestApi();
  player = rehearsalPlayer(api.db, SOUND_REHEARSAL_JOB, 'sounding-process.ts', [api.url]);
  tenant = await createTenant(api);
  agentId = await happySurvey(api, tenant);
});
afterAll(async () => {
  player?.close();
  await api?.close();
});

interface Seen {
  readonly state: string;
  readonly played_calls: number;
  readonly result: { readonly passed: number; readonly failed: number; readonly errors: number } | null;
}
const ask = async (method: 'GET' | 'POST', path: string, body?: object): Promise<Record<string, unknown>> => {
  const route = `/api/v0/agent/${agentId}/rehearsals${path}`;
  return (await api.request(method, route, { key: tenant.key, body })).body;
};
const until = (id: string, holds: (seen: Seen) => boolean): Promise<Seen> =>
  player.until(async () => (await ask('GET', `/${id}`))['rehearsal'] as Seen, holds);
const conversation = async (id: string, call: number): Promise<unknown> =>
  (await ask('GET', `/${id}/calls/${call}`))['rehearsed_call'];

it('a rehearsal by sound whose process is killed goes on with the calls that had not ended', async () => {
  const body = { mode: 'sound', scenarios: [SAYS_YES], calls: CALLS, at_once: 1 };
  const { rehearsal } = (await ask('POST', '', body)) as { rehearsal: { rehearsal_id: string } };
  const { rehearsal_id: id } = rehearsal;
  await player.begin();
  await until(id, ({ played_calls: played }) => played === 1);
  const first = await conversation(id, 0);
  await player.kill();
  expect((await ask('GET', `/${id}`))['rehearsal']).toMatchObject({ state: 'running', played_calls: 1 });
  await player.begin();
  const whole = await until(id, ({ result }) => result !== null);
  expect(whole).toMatchObject({ state: 'ended', played_calls: CALLS });
  expect(whole.result).toMatchObject({ passed: CALLS, failed: 0, errors: 0 });
  expect(await conversation(id, 0)).toEqual(first);
  expect(await conversation(id, CALLS - 1)).toMatchObject({ result: 'passed' });
}, 600_000);
