import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { COMPILE_CACHE } from '../helpers/service/compile-cache.ts';
import { runToEnd, SERVICE } from '../helpers/service/program.ts';
import { createAgent, place, provisionWith, whenCall, whenOver } from '../helpers/service/scenario.ts';
import { startService, type Service } from '../helpers/service/service.ts';

const LIMIT_MS = 200_000;
const STARTS = 10;
const ANSWERS = '+14155550123';

let dataDir = '';
let service: Service;
let agentId = '';
const start = (): Promise<Service> =>
  startService({ dataDir, provision: provisionWith({ callLimit: 50 }), env: { CALL_WORKERS: '1' } });
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'callwright-owner-'));
  service = await start();
  agentId = await createAgent(service);
});
afterAll(async () => {
  await service?.dispose();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
});

const second = (): Promise<{ code: number | null; output: string }> =>
  runToEnd({ DATA_DIR: dataDir, PORT: '0', SIP_PORT: '0' }, LIMIT_MS);

/** Restarts the program as soon as it has ended, as a supervisor does; resolves with the exit codes. */
async function supervised(times: number): Promise<string[]> {
  const loop = 'n=0; while [ $n -lt "$2" ]; do "$0" "$1" >/dev/null 2>&1; echo $?; n=$((n+1)); done';
  const program = join(import.meta.dirname, '../..', SERVICE);
  const child = spawn('sh', ['-c', loop, process.execPath, program, String(times)], {
    env: { PATH: process.env['PATH'], ...COMPILE_CACHE, DATA_DIR: dataDir, PORT: '0', SIP_PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await once(child, 'close');
  return output.trim().split('\n');
}

/** The files and the database server of the folder. */
async function folderState(): Promise<unknown> {
  const text = (name: string): Promise<string> => readFile(join(dataDir, name), 'utf8');
  const lock = await readdir(join(dataDir, 'lock'));
  return {
    files: (await readdir(dataDir)).toSorted(),
    key: await text('secret.key'),
    lock: lock.toSorted(),
    holder: await text(`lock/${lock[0]}`),
    database: (await text('postgres/cluster/postmaster.pid')).split('\n')[0],
    databaseOwner: await text('postgres/owner'),
  };
}

it('ten second starts by hand and ten by a supervisor are refused with the pid of the owner, change nothing and cut no call', async () => {
  const before = await folderState();
  const calls: string[] = [];
  for (let n = 0; n < 4; n += 1) calls.push(await place(service, agentId, ANSWERS));
  await whenCall(service, calls[0]!, 'answered', (call) => call.answered_at !== null);
  const loop = supervised(STARTS);
  for (let n = 0; n < STARTS; n += 1) {
    calls.push(await place(service, agentId, ANSWERS));
    const { code, output } = await second();
    expect({ code, output }).toMatchObject({ code: 2 });
    expect(output).toContain(`in use by the service, process ${service.child.pid} on host ${hostname()}`);
    expect(output).toContain('Nothing was changed. Stop that process first');
  }
  expect(await loop).toEqual(Array.from({ length: STARTS }, () => '2'));
  for (const call of calls) {
    const over = await whenOver(service, call);
    expect(over).toMatchObject({ call_status: 'completed', hangup_by: 'agent' });
    expect(over.attempts).toHaveLength(1);
  }
  expect(await folderState()).toEqual(before);
  expect(service.child.exitCode).toBeNull();
  expect(service.output()).not.toMatch(/taken for dead|fenced/);
}, 600_000);

it('a service that drains keeps the folder until its last call has ended; then the next start takes it', async () => {
  const call = await place(service, agentId, ANSWERS);
  await whenCall(service, call, 'answered', ({ answered_at }) => answered_at !== null);
  const ended = service.end('SIGTERM');
  await expect.poll(() => service.output()).toContain('draining');
  expect((await second()).code).toBe(2);
  expect(await ended).toBe(0);
  service = await start();
  expect(await whenOver(service, call)).toMatchObject({ call_sub_status: 'AGENT_ENDED' });
});

it('the folder of a killed service is taken at once, with its database', async () => {
  const { child } = service;
  await service.end('SIGKILL');
  service = await start();
  expect(service.child.pid).not.toBe(child.pid);
  expect((await service.request('GET', '/api/v0/workspace')).status).toBe(200);
});
