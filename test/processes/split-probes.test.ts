import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startProgram, type ProgramRun } from '../chaos/program.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database/database.ts';
import { freePort } from '../helpers/sip/peer-process.ts';
import { provisionWith } from '../helpers/service/scenario.ts';
import { eventually, freeTcpPort, startService, type Service } from '../helpers/service/service.ts';

let database: TestDatabase;
let api: Service;
let caller: ProgramRun;
let callerUrl = '';
const folders: string[] = [];
const folder = async (): Promise<string> => {
  const path = await mkdtemp(join(tmpdir(), 'callwright-probes-'));
  folders.push(path);
  return path;
};

beforeAll(async () => {
  database = await createTestDatabase();
  const shared = {
    DATABASE_URL: database.url,
    SECRET_KEY: 'the key that both processes share on this database',
    LOG_LEVEL: 'info',
  };
  api = await startService({
    dataDir: await folder(),
    env: { ...shared, ROLES: 'api,jobs' },
    provision: provisionWith({}),
  });
  const port = await freeTcpPort();
  callerUrl = `http://127.0.0.1:${port}`;
  caller = startProgram({
    ...shared,
    ROLES: 'dialer,media',
    DATA_DIR: await folder(),
    METRICS_PORT: String(port),
    SIP_PORT: String(await freePort()),
    RTP_PORTS: '27000-27199',
  });
  if (!(await caller.ready)) throw new Error(caller.output());
});
afterAll(async () => {
  caller?.kill('SIGKILL');
  await caller?.ended;
  await api?.dispose();
  await database?.close();
  for (const path of folders) await rm(path, { recursive: true, force: true });
});

const read = async (url: string) => {
  const answer = await fetch(url);
  return { status: answer.status, text: await answer.text() };
};
const warnings = async (): Promise<string> =>
  (JSON.parse((await read(`${api.url}/readyz`)).text) as { warnings: string[] }).warnings.join('\n');

describe('api and jobs in one process, dialer and media in another', () => {
  it('serves health, readiness and metrics of the process without the API, and nothing else', async () => {
    expect(await read(`${callerUrl}/healthz`)).toEqual({ status: 200, text: '{"status":"ok"}' });
    const ready = await eventually('readiness', async () => {
      const answer = await read(`${callerUrl}/readyz`);
      return answer.status === 200 ? JSON.parse(answer.text) : null;
    });
    const names = ready.checks.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(['database', 'sip', 'call workers', 'voices']));
    const { text } = await read(`${callerUrl}/metrics`);
    expect(text).toMatch(/^callwright_free_calls [1-9]/m);
    expect(text).toMatch(/^callwright_late_tick_p99_ms /m);
    expect((await read(`${callerUrl}/api/v0/workspace`)).status).toBe(404);
  });

  it('leaves the figures of calls out of the metrics of the process without calls', async () => {
    const { text } = await read(`${api.url}/metrics`);
    expect(text).toContain('callwright_webhooks_due');
    expect(text).not.toMatch(/callwright_(free|live|worker)_calls|callwright_late_/);
  });

  it('warns that links to recordings of a disk of its own answer 404', async () => {
    // The other process names its disk with its first figures.
    await expect
      .poll(warnings)
      .toMatch(/recordings of other processes: .* links to them answer 404: set S3_ENDPOINT/);
  });

  it('stays ready, with a warning, while no process carries calls; a stop logs its last line', async () => {
    expect(await warnings()).not.toContain('no process that carries calls is alive');
    caller.kill('SIGTERM');
    await caller.ended;
    expect(caller.output()).toContain('stopped: live calls have ended, and everything is stored');
    const answer = await read(`${api.url}/readyz`);
    expect(answer.status).toBe(200);
    await expect
      .poll(warnings, { timeout: 60_000 })
      .toContain('no process that carries calls is alive: calls wait until one starts');
  });
});
