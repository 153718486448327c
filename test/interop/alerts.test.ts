import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
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

it('promtool accepts every expression of the Grafana dashboard', async () => {
  const dashboard = await readFile(join(root, 'deploy/grafana/callwright.json'), 'utf8');
  const { panels } = JSON.parse(dashboard) as {
    panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[];
  };
  const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  expect(expressions.length).toBeGreaterThan(10);
  const rules = expressions.map((expr, at) => ({
    record: `panel:${at}`,
    // Grafana replaces its variables.
    expr: expr.replaceAll(/\$__(?:rate_interval|interval|range)/g, '5m').replaceAll('$job', 'callwright'),
  }));
  const folder = await mkdtemp(join(tmpdir(), 'callwright-dashboard-'));
  try {
    const file = join(folder, 'panels.json');
    await writeFile(file, JSON.stringify({ groups: [{ name: 'panels', rules }] }));
    const { stdout } = await run('promtool', ['check', 'rules', file]);
    expect(stdout).toContain(`SUCCESS: ${rules.length} rules found`);
  } finally {
    await rm(folder, { recursive: true });
  }
});
