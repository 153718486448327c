import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase } from '../helpers/database/database.ts';
import { startService, type Service } from '../helpers/service/service.ts';

const CLI = join(import.meta.dirname, '../../src/cli/main.ts');

let dataDir = '';
let running: Service | null = null;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'callwright-secrets-'));
});
afterEach(async () => {
  await running?.dispose();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
});

async function start(env: Record<string, string> = {}): Promise<Service> {
  const database = await createTestDatabase();
  await database.close();
  running = await startService({ dataDir, env: { DATABASE_URL: database.url, ...env } });
  return running;
}

describe('a first start without a terminal', () => {
  const modes = (...names: string[]): Promise<number[]> =>
    Promise.all(names.map(async (name) => (await stat(join(dataDir, name))).mode & 0o777));

  it('writes its key and the link of the owner to files of its user alone, and to no output', async () => {
    const service = await start();
    const key = await service.ownKey();
    const link = await service.ownerLink();
    expect(await modes('api-key.txt', 'owner-link.txt')).toEqual([0o600, 0o600]);
    expect((await service.as(key).request('GET', '/api/v0/workspace')).status).toBe(200);
    // The whole output: report and log.
    await expect.poll(() => service.output()).toContain(join(dataDir, 'api-key.txt'));
    await expect.poll(() => service.output()).toContain(join(dataDir, 'owner-link.txt'));
    expect(service.output()).not.toMatch(/cw_live_\w{8}|first-run#/);

    // The printed command places a call with the file.
    const suggested = /bin\/callwright (call .*)\n/;
    await expect.poll(() => service.output()).toMatch(suggested);
    const command = suggested.exec(service.output())?.[1] ?? '';
    const called = await promisify(execFile)(process.execPath, [CLI, ...command.split(' ')], {
      env: { ...process.env, CALLWRIGHT_URL: service.url, CALLWRIGHT_API_KEY: '' },
    });
    expect(called.stdout).toMatch(/calls \+14155550123.*completed/s);

    // The link goes with the first owner, the key with the next key.
    const token = link.split('#')[1];
    const post = (path: string, body: object, headers = {}): Promise<Response> =>
      fetch(`${service.url}/dashboard-api${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: service.url, ...headers },
        body: JSON.stringify(body),
      });
    const owner = await post('/first-run', {
      token,
      email: 'owner@example.com',
      password: 'a long passphrase',
    });
    expect(owner.status).toBe(200);
    await expect(service.ownerLink()).rejects.toThrow('ENOENT');
    expect(await service.ownKey()).toBe(key);
    const cookie = owner.headers.get('set-cookie')?.split(';')[0] ?? '';
    const session = (await (
      await fetch(`${service.url}/dashboard-api/session`, { headers: { cookie } })
    ).json()) as { csrf_token: string; workspaces: { id: string; name: string }[] };
    const [workspace] = session.workspaces;
    const renewed = await post(
      '/api-key',
      { workspace_name: workspace?.name },
      { cookie, 'x-csrf-token': session.csrf_token, 'x-workspace-id': workspace?.id },
    );
    expect(await renewed.json()).toEqual({ api_key: expect.stringMatching(/^cw_live_/) });
    await expect(service.ownKey()).rejects.toThrow('ENOENT');
  }, 600_000);

  it('adds the new keys of a provision file, one a line with its workspace, and drops dead ones', async () => {
    await writeFile(join(dataDir, 'api-key.txt'), 'cw_live_ofaworkspacethatisgone00000000000\n', {
      mode: 0o644,
    });
    await writeFile(join(dataDir, 'owner-link.txt'), 'of an earlier installation', { mode: 0o644 });
    const file = join(dataDir, 'provision.json');
    await writeFile(
      file,
      JSON.stringify({
        workspaces: [
          { name: 'Acme', owner: { email: 'a@example.com', password: 'a long enough passphrase' } },
          { name: 'Bell' },
        ],
      }),
    );
    const service = await start({ PROVISION_FILE: file });
    const lines = (await readFile(join(dataDir, 'api-key.txt'), 'utf8')).trim().split('\n');
    expect(lines).toEqual([
      expect.stringMatching(/^cw_live_\w+  Acme$/),
      expect.stringMatching(/^cw_live_\w+  Bell$/),
    ]);
    expect(await modes('api-key.txt')).toEqual([0o600]);
    await expect(service.ownerLink()).rejects.toThrow('ENOENT');
    expect(service.output()).not.toMatch(/cw_live_\w{8}/);
  });
});
