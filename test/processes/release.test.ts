import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startService, type Service } from '../helpers/service/service.ts';
import { provisionWith } from '../helpers/service/scenario.ts';

const root = resolve(import.meta.dirname, '../..');
const run = promisify(execFile);

let folder = '';
let service: Service | null = null;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callwright-release-'));
});
afterEach(async () => {
  await service?.dispose();
  await rm(folder, { recursive: true, force: true });
});

it('what `npm run build` makes runs in a folder of its own: API, database, threads and voices', async () => {
  await run(process.execPath, ['scripts/bundle-program.ts', folder], { cwd: root });
  // What `npm install` does there, without a network.
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  const files = await readdir(folder, { recursive: true });
  expect(files.filter((file) => file.startsWith('src/') && file.endsWith('.ts'))).toEqual([]);
  // Messages of the program name pages of docs, and docs/operations.md names files of deploy.
  for (const file of ['CHANGELOG.md', 'docs/operations.md', 'deploy/systemd/callwright.service'])
    expect(files).toContain(file);
  expect(files.filter((file) => /^docs\/(?:api\.md|openapi|images)/.test(file))).toEqual([]);
  const { dependencies } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  expect(Object.keys(dependencies)).toContain('pg');
  expect(Object.keys(dependencies)).not.toContain('fastify');

  service = await startService({
    program: relative(root, join(folder, 'src/main.js')),
    cwd: folder,
    provision: provisionWith({}),
  });
  expect(await service.request('GET', '/readyz')).toMatchObject({ status: 200 });
  const { status, body } = await service.request('GET', '/api/v0/agent/voices?language=en-US');
  expect(status).toBe(200);
  const voiceId = body.voices[0].id as string;
  // The control thread has the speech thread speak it.
  const preview = await fetch(`${service.url}/voices/${voiceId}/preview/en-US.wav`);
  expect(preview.status).toBe(200);
  expect((await preview.arrayBuffer()).byteLength).toBeGreaterThan(10_000);
  expect(await service.end('SIGTERM')).toBe(0);
}, 600_000);
