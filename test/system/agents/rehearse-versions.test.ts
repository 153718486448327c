import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { runRehearse } from '../../../src/cli/rehearse/run.ts';
import {
  createTenant,
  createTestAgent,
  createTestApi,
  type Tenant,
  type TestApi,
} from '../../helpers/api/api.ts';

/** Rehearsals of an agent of the service, over HTTP. */
let api: TestApi;
let tenant: Tenant;
let folder = '';
let url = '';
beforeAll(async () => {
  api = await createTestApi();
  await api.server.listen({ port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${(api.server.server.address() as AddressInfo).port}`;
  tenant = await createTenant(api, { unlimited: true });
  folder = mkdtempSync(join(tmpdir(), 'callwright-rehearse-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await api?.close();
});

const flow = (goodbye: string): object => ({
  start: 'suits',
  nodes: [
    {
      id: 'suits',
      type: 'choose',
      ask: 'Does Tuesday still suit you?',
      answers: [{ name: 'yes' }, { name: 'no' }],
      edges: [
        { to: 'end', answer: 'yes' },
        { to: 'end', answer: 'no' },
        { to: 'end', on: 'failed' },
      ],
    },
    { id: 'end', type: 'end', say: goodbye },
  ],
});

async function send(method: 'POST' | 'PATCH', path: string, body: object): Promise<any> {
  const answer = await api.request(method, `/api/v0${path}`, { key: tenant.key, body });
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer.body;
}

it('plays an agent of the service, and compares two of its versions', async () => {
  const { agentId } = await createTestAgent(api, tenant, {
    agent_name: 'Desk',
    intro_message: 'City Dental.',
  });
  const edit = (body: object): Promise<any> => send('PATCH', '/agent/v1', { agent_id: agentId, ...body });
  await edit({ operation: 'edit_flow', flow: flow('See you on Tuesday.') });
  const { draft } = await send('POST', `/agent/${agentId}/draft`, {});
  await edit({ operation: 'edit_flow', version_id: draft.version_id, flow: flow('See you on Monday.') });
  await send('POST', `/agent/${agentId}/draft/publish`, { note: 'Another day' });

  const file = join(folder, 'scenario.json');
  const scenario = {
    name: 'Keeps it',
    persona: { goal: 'To keep the day.', answers: [{ asked: ['still suit you'], says: 'Yes.' }] },
    expect: [{ type: 'says', any_of: ['see you on Tuesday'] }],
  };
  writeFileSync(file, JSON.stringify(scenario));
  const printed: string[] = [];
  for (const method of ['log', 'error'] as const)
    vi.spyOn(console, method).mockImplementation((line) => void printed.push(String(line)));
  const run = (more: object): Promise<number> =>
    runRehearse([file], {
      folder,
      agent: 'Desk',
      agentVersion: undefined,
      against: undefined,
      url,
      key: tenant.key,
      calls: 10,
      seed: 1,
      timing: 'usual',
      sound: false,
      atOnce: 10,
      recogniser: 'phrases',
      only: undefined,
      save: undefined,
      maxCost: undefined,
      lines: undefined,
      json: false,
      ...more,
    });
  const codes = [
    await run({ agentVersion: 'v1' }),
    await run({}),
    await run({ against: 'v1' }),
    await run({ agentVersion: 'v1', against: 'v2' }),
    await run({ against: 'v9' }),
    await run({ agent: 'Nobody' }),
  ];
  vi.restoreAllMocks();
  expect(codes).toEqual([0, 1, 1, 0, 1, 1]);
  expect(printed).toContain('Worse: 10 calls failed that passed before, 0 the other way.');
  expect(printed).toContain('404: the agent has no version "v9"');
  expect(printed).toContain('404: this workspace has no agent "Nobody"');
});
