import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const unit = join(root, 'deploy/systemd/callwright.service');
/** Of systemd's scale of exposure, 3.0. */
const MOST_EXPOSED = 30;

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callwright-deploy-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('systemd finds no fault in the unit', async () => {
  const file = join(folder, 'callwright.service');
  const text = await readFile(unit, 'utf8');
  // The program is not installed here.
  await writeFile(file, text.replaceAll('/opt/callwright/bin/callwright', '/bin/true'));
  const { stderr } = await run('systemd-analyze', ['verify', '--man=no', file]).catch(
    (error: unknown) => error as { stderr: string },
  );
  expect(stderr.split('\n').filter((line) => line.includes(file))).toEqual([]);
});

it('systemd counts the unit as exposed at most 3.0', async () => {
  const { stdout } = await run('systemd-analyze', [
    'security',
    '--offline=true',
    '--no-pager',
    `--threshold=${MOST_EXPOSED}`,
    unit,
  ]);
  expect(stdout).toContain('Overall exposure level');
});

it('the commands of the cloud-init file are a shell script', async () => {
  const text = await readFile(join(root, 'deploy/cloud-init.yaml'), 'utf8');
  const { runcmd } = parse(text) as { runcmd: readonly string[] };
  const file = join(folder, 'runcmd.sh');
  await writeFile(file, runcmd.join('\n'));
  await run('sh', ['-n', file]);
  expect(runcmd.join('\n')).toContain('systemctl enable --now callwright');
});
