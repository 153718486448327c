import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const rules = join(root, 'deploy/prometheus/alerts.yml');

it('promtool accepts the rules of deploy/prometheus/alerts.yml', async () => {
  const { stdout } = await run('promtool', ['check', 'rules', rules]);
  expect(stdout).toMatch(/SUCCESS: \d+ rules found/);
});

it('the alerts are right for an API process beside processes that carry calls', async () => {
  const { stdout } = await run('promtool', ['test', 'rules', 'alerts.test.yml'], {
    cwd: join(root, 'test/fixtures'),
  });
  expect(stdout).toContain('SUCCESS');
});
