import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';

const run = promisify(execFile);
const SPEAKER = join(import.meta.dirname, '../../helpers/audio/speaking-process.ts');
/** Root reads every folder, so its tests give that right up. */
const WITHOUT_OVERRIDE =
  process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] : ['env'];

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callwright-foreign-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('speaks beside a folder in /tmp that another user’s killed process left', async () => {
  const temporary = join(folder, 'tmp');
  const foreign = join(temporary, 'callwright-voice-4194999-x');
  await mkdir(foreign, { recursive: true });
  await writeFile(join(foreign, '1.txt'), 'a caller’s words');
  await chmod(foreign, 0o000);
  const [command = '', ...args] = WITHOUT_OVERRIDE;
  const dataDir = join(folder, 'data');
  const { stdout } = await run(command, [...args, process.execPath, SPEAKER, dataDir], {
    env: { ...process.env, TMPDIR: temporary },
  });
  const samples = JSON.parse(stdout) as number[];
  expect(samples).toHaveLength(2);
  for (const count of samples) expect(count).toBeGreaterThan(1000);
  expect(await readdir(temporary)).toEqual(['callwright-voice-4194999-x']);
  expect(await readdir(join(dataDir, 'scratch'))).toEqual([]);
  await chmod(foreign, 0o700);
});
