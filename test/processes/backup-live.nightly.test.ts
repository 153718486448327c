import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CLI, runToEnd } from '../helpers/service/program.ts';
import {
  createAgent,
  details,
  place,
  provisionWith,
  whenCall,
  whenOver,
} from '../helpers/service/scenario.ts';
import { startService, type Service, type ServiceOptions } from '../helpers/service/service.ts';

const LIMIT_MS = 300_000;
const MOST_TRIES = 5;

let root = '';
const services: Service[] = [];
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'callwright-live-backup-'));
});
afterAll(async () => {
  await Promise.all(services.map((service) => service.dispose()));
  await rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
});

async function start(options: ServiceOptions): Promise<Service> {
  const service = await startService({ ownDatabase: true, ...options });
  services.push(service);
  return service;
}

const command = (
  dataDir: string,
  ...args: readonly string[]
): Promise<{ code: number | null; output: string }> =>
  runToEnd({ DATA_DIR: join(root, dataDir) }, LIMIT_MS, [CLI, ...args]);

/** Backs the service up while calls are live, again until one of them is still live when the backup has ended. */
async function backUpDuringCalls(
  service: Service,
  agentId: string,
): Promise<{ folder: string; calls: string[]; through: string }> {
  for (let attempt = 1; attempt <= MOST_TRIES; attempt += 1) {
    const calls = await Promise.all(
      ['+14155550123', '+14155550124', '+14155550123'].map((number) => place(service, agentId, number)),
    );
    for (const id of calls) await whenCall(service, id, 'answered', (call) => call.answered_at !== null);
    const folder = join(root, `backup-${attempt}`);
    const backup = await command('source', 'backup', folder);
    expect(backup.output).toContain('Backup complete');
    expect(backup.code).toBe(0);
    for (const id of calls) {
      if ((await details(service, id)).call_status === 'ongoing') return { folder, calls, through: id };
    }
  }
  throw new Error(`no call outlasted a backup in ${MOST_TRIES} tries`);
}

it(
  'a backup of a service under calls is proved, and restored elsewhere it has every call, ended and settled',
  async () => {
    await mkdir(join(root, 'source'));
    const source = await start({
      dataDir: join(root, 'source'),
      provision: provisionWith({ credits: 1000 }),
    });
    const agentId = await createAgent(source);
    const earlier = await place(source, agentId, '+14155550123');
    const ended = await whenOver(source, earlier);
    const { folder, calls, through } = await backUpDuringCalls(source, agentId);
    for (const id of calls) expect((await whenOver(source, id)).call_status).toBe('completed');
    await source.end();

    const proof = await command('source', 'restore', '--verify', folder);
    expect(proof.output).toContain('the key opens the stored secrets');
    expect(proof.code).toBe(0);
    const list = join(root, 'source', 'tombstones.jsonl');
    const restored = await command('elsewhere', 'restore', folder, '--tombstones', list);
    expect(restored.output).toContain('Restored');
    expect(restored.code).toBe(0);

    const elsewhere = await start({
      dataDir: join(root, 'elsewhere'),
      key: source.key,
      env: { ROLES: 'api,jobs' },
    });
    expect(await details(elsewhere, earlier)).toMatchObject({
      call_status: ended.call_status,
      call_cost: ended.call_cost,
      transcript: ended.transcript,
    });
    for (const id of calls) {
      const { call_status: status, call_sub_status: reason } = await whenOver(elsewhere, id);
      expect([
        ['completed', 'AGENT_ENDED'],
        ['completed', 'USER_LEFT'],
        ['error', 'UNKNOWN_AFTER_CRASH'],
      ]).toContainEqual([status, reason]);
    }
    expect((await details(elsewhere, through)).call_sub_status).toBe('UNKNOWN_AFTER_CRASH');
    const { body } = await elsewhere.request('GET', '/api/v0/workspace');
    expect(body.workspace_info.locked_credits).toBe(0);
  },
  LIMIT_MS * 2,
);
