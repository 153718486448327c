import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTenant, createTestApi, type Tenant, type TestApi } from '../helpers/api/api.ts';
import { happySurvey, SAYS_YES } from '../helpers/rehearsals/happy-survey.ts';

const PROCESS = fileURLToPath(new URL('../helpers/rehearsals/sounding-process.ts', import.meta.url));
const CALLS = 3;

let api: TestApi;
let tenant: Tenant;
let agentId: string;
let playing: ChildProcess | null = null;
beforeAll(async () => {
  api = await createTestApi();
  tenant = await createTenant(api);
  agentId = await happySurvey(api, tenant);
});
afterAll(async () => {
  playing?.kill('SIGKILL');
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
const until = async (id: string, holds: (seen: Seen) => boolean): Promise<Seen> => {
  for (;;) {
    expect(playing?.exitCode).toBeNull();
    const seen = (await ask('GET', `/${id}`))['rehearsal'] as Seen;
    if (holds(seen)) return seen;
    await sleep(50);
  }
};
/** A process, which finds the job due at once, as it would be when the lease of the one before has ended. */
const begin = async (): Promise<ChildProcess> => {
  await api.db
    .updateTable('jobs')
    .set({ due_at: new Date(0) })
    .where('kind', '=', 'agent.sound_rehearsal')
    .execute();
  return spawn(process.execPath, [PROCESS, api.url], { stdio: 'ignore' });
};
const conversation = async (id: string, call: number): Promise<unknown> =>
  (await ask('GET', `/${id}/calls/${call}`))['rehearsed_call'];

it('a rehearsal by sound whose process is killed goes on with the calls that had not ended', async () => {
  const body = { mode: 'sound', scenarios: [SAYS_YES], calls: CALLS, at_once: 1 };
  const { rehearsal } = (await ask('POST', '', body)) as { rehearsal: { rehearsal_id: string } };
  const { rehearsal_id: id } = rehearsal;
  playing = await begin();
  await until(id, ({ played_calls: played }) => played === 1);
  const first = await conversation(id, 0);
  const killed = once(playing, 'exit');
  playing.kill('SIGKILL');
  expect((await killed)[1]).toBe('SIGKILL');
  expect((await ask('GET', `/${id}`))['rehearsal']).toMatchObject({ state: 'running', played_calls: 1 });
  playing = await begin();
  const whole = await until(id, ({ result }) => result !== null);
  expect(whole).toMatchObject({ state: 'ended', played_calls: CALLS });
  expect(whole.result).toMatchObject({ passed: CALLS, failed: 0, errors: 0 });
  expect(await conversation(id, 0)).toEqual(first);
  expect(await conversation(id, CALLS - 1)).toMatchObject({ result: 'passed' });
}, 600_000);
