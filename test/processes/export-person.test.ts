import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyFor, makeOwnerKey } from '../helpers/api/owner-key.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database/database.ts';
import { createAgent, provisionWith, whenOver } from '../helpers/service/scenario.ts';
import { CLI, runToEnd } from '../helpers/service/program.ts';
import { startService, TEST_KEY, type Service } from '../helpers/service/service.ts';

const PERSON = '+14155551234';
const LIMIT_MS = 200_000;

let database: TestDatabase;
let service: Service;
let root: string;
let callId: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'callwright-export-'));
  database = await createTestDatabase();
  service = await startService({ env: { DATABASE_URL: database.url }, provision: provisionWith({}) });
  await makeOwnerKey(database.url, service.key);
  const agentId = await createAgent(service);
  const { status, body } = await service.request('POST', '/api/v0/calling/v2/outbound/individual', {
    name: 'Zebulon Quixworth',
    mobile_number: PERSON,
    agent_id: agentId,
    from_number: '+14155550100',
  });
  if (status !== 200) throw new Error(`the call was not placed: ${JSON.stringify(body)}`);
  callId = body.data.call_id;
  const call = await whenOver(service, callId);
  if (call.recording_url === null) throw new Error('the call has no recording');
}, 600_000);
afterAll(async () => {
  await service?.dispose();
  await database?.close();
  await rm(root, { recursive: true, force: true });
});

const ownerKey = (): string => keyFor('POST', '/api/v0/calling/export-person', TEST_KEY);
const exported = (args: readonly string[], key: string | null = ownerKey()) =>
  runToEnd({ ...(key === null ? {} : { CALLWRIGHT_API_KEY: key }), CALLWRIGHT_URL: service.url }, LIMIT_MS, [
    CLI,
    'export-person',
    ...args,
  ]);

describe('callwright export-person', () => {
  it('writes the document and every recording of the person into a folder that only its owner reads', async () => {
    const folder = join(root, 'answer');
    const { code, output } = await exported([PERSON, '--folder', folder]);
    expect([code, output]).toEqual([0, expect.stringContaining('1 calls, 0 chats and 1 recordings')]);
    expect((await readdir(folder)).toSorted()).toEqual([`${callId}-1.wav`, 'person.json'].toSorted());
    const person = JSON.parse(await readFile(join(folder, 'person.json'), 'utf8'));
    expect(person).toMatchObject({ is_complete: true, asked_for: { mobile_numbers: [PERSON] } });
    expect(person.calls[0].calls[0]).toMatchObject({ callee_name: 'Zebulon Quixworth', to_number: PERSON });
    const sound = await readFile(join(folder, `${callId}-1.wav`));
    expect(sound.subarray(0, 4).toString()).toBe('RIFF');
    for (const [path, mode] of [
      [folder, 0o700],
      [join(folder, 'person.json'), 0o600],
      [join(folder, `${callId}-1.wav`), 0o600],
    ] as const) {
      expect((await stat(path)).mode & 0o777).toBe(mode);
    }
  });

  it('takes a call by its id, and refuses a folder that has files', async () => {
    const folder = join(root, 'by-id');
    const first = await exported(['--call', callId, '--folder', folder]);
    expect([first.code, first.output]).toEqual([0, expect.stringContaining('1 calls')]);
    const again = await exported(['--call', callId, '--folder', folder]);
    expect([again.code, again.output]).toEqual([1, expect.stringContaining('is not empty')]);
  });

  it('ends with 2 without a key or a person, and with 1 for a key without the scope or an unknown call', async () => {
    const unasked = await exported([PERSON, '--folder', join(root, 'unasked')], null);
    expect([unasked.code, unasked.output]).toEqual([2, expect.stringContaining('No API key')]);
    const nobody = await exported(['--folder', join(root, 'nobody')]);
    expect([nobody.code, nobody.output]).toEqual([2, expect.stringContaining('No person')]);
    const refused = await exported([PERSON, '--folder', join(root, 'refused')], TEST_KEY);
    expect([refused.code, refused.output]).toEqual([1, expect.stringContaining('403')]);
    const unknown = '01980f6e-6f3a-7cc0-9d3e-0a6c2f1b7a10';
    const missing = await exported(['--call', unknown, '--folder', join(root, 'missing')]);
    expect([missing.code, missing.output]).toEqual([1, expect.stringContaining('404')]);
  });
});
