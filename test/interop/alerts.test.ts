import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const rules = join(root, 'docs/alerts.yml');

it('promtool accepts the rules of docs/alerts.yml', async () => {
  const { stdout } = await run('promtool', ['check', 'rules', rules]);
  expect(stdout).toMatch(/SUCCESS: \d+ rules found/);
});

it('the alerts are right for an API process beside processes that carry calls', async () => {
  const { stdout } = await run('promtool', ['test', 'rules', 'alerts.test.yml'], {
    cwd: join(root, 'test/fixtures'),
  });
  expect(stdout).toContain('SUCCESS');
});

it('every metric of the rules is one that the service has', async () => {
  const names = new Set((await readFile(rules, 'utf8')).match(/callwright_\w+/g));
  const sources = await Promise.all(
    ['metrics.ts', 'operation-metrics.ts'].map((file) => readFile(join(root, 'src/app', file), 'utf8')),
  );
  const missing = [...names].filter(
    (name) => !sources.join('\n').includes(`'${name.replace(/_bucket$/, '')}'`),
  );
  expect(names.size).toBeGreaterThan(10);
  expect(missing).toEqual([]);
});
