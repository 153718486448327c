import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { VERSION } from '../../src/shared/version.ts';
import { IS_NIGHTLY } from '../helpers/service/nightly.ts';
import { freeSipPort, freeTcpPort } from '../helpers/service/service.ts';

const root = resolve(import.meta.dirname, '../..');
const run = promisify(execFile);
/** npm fetches Node.js and PostgreSQL; a call is placed in real time. */
const LONGEST_MS = 600_000;
const NEXT = '1.0.0-rc.99';

let folder = '';
let tarball = '';
let env: NodeJS.ProcessEnv;
let running: Running | null = null;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callwright-package-'));
  await run(process.execPath, ['scripts/bundle-program.ts', join(folder, 'dist')], { cwd: root });
  tarball = await pack();
  env = {
    // With the registry that this machine's npm is set to.
    ...process.env,
    DATABASE_URL: undefined,
    npm_config_prefer_offline: 'true',
    npm_config_update_notifier: 'false',
    PORT: String(await freeTcpPort()),
    SIP_PORT: String(await freeSipPort()),
    // The download of the models is the subject of models-fetch.nightly.test.ts.
    MODELS_FETCH: 'off',
    MODELS_DIR: join(folder, 'no-models'),
  };
}, LONGEST_MS);
afterAll(() => rm(folder, { recursive: true, force: true }));

async function pack(): Promise<string> {
  const { stdout } = await run('npm', ['pack', './dist', '--json', '--pack-destination', folder], {
    cwd: folder,
  });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  return join(folder, filename);
}

const project = (): string => join(folder, 'phone');
const npx = (...args: string[]): Promise<{ stdout: string; stderr: string }> =>
  run('npx', ['--no-install', 'callwright', ...args], { cwd: project(), env });

/** The last line of a first start's screen, and of a later one's. */
const SUGGESTED = / {4}(CALLWRIGHT_URL=\S+ npx callwright call .+)\n/;
const DASHBOARD = /Dashboard .+\n/;

interface Running {
  child: ChildProcess;
  /** The line of the ready screen that was waited for. */
  line: string;
  ended: Promise<unknown>;
}

/** The program as a newcomer starts it; resolves once it has written `line` whole. */
async function start(line: RegExp): Promise<Running> {
  const child = spawn('npx', ['--no-install', 'callwright'], { cwd: project(), env, detached: true });
  let output = '';
  const ended = new Promise((done) => child.once('exit', done));
  running = { child, line: '', ended };
  await new Promise<void>((ready, fail) => {
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      if (output.includes('Callwright is ready') && line.test(output)) ready();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    void ended.then(() => fail(new Error(`it ended: ${output}`)));
  });
  running.line = line.exec(output)?.[1] ?? '';
  return running;
}

async function stop({ child, ended }: Running): Promise<void> {
  running = null;
  // As Ctrl+C in a terminal: npx and the program get the signal.
  if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, 'SIGINT');
  await ended;
}

// A test that failed left its service running: the next one would find its data folder in use.
afterEach(async () => {
  if (running !== null) await stop(running);
}, LONGEST_MS);

describe('the package in an empty folder', () => {
  it(
    'starts by `npx callwright`, and the call that it suggests completes',
    async () => {
      await run('mkdir', [project()]);
      await run('npm', ['install', tarball, '--no-audit', '--no-fund'], { cwd: project(), env });
      expect(await readdir(project())).toEqual(['node_modules', 'package-lock.json', 'package.json']);
      const service = await start(SUGGESTED);
      expect(service.line).toContain('--key-file');
      const { stdout } = await run('sh', ['-c', service.line], { cwd: project(), env });
      expect(stdout).toMatch(/completed: /);
      await expect(npx('upgrade', tarball)).rejects.toMatchObject({
        stderr: expect.stringContaining('is in use by the service'),
      });
      await stop(service);
    },
    LONGEST_MS,
  );

  it(
    'names its version and the commit that it was built from',
    async () => {
      const { stdout } = await npx('--version');
      const { gitHead } = JSON.parse(await readFile(join(folder, 'dist/package.json'), 'utf8')) as {
        gitHead?: string;
      };
      expect(stdout).toBe(gitHead === undefined ? `${VERSION}\n` : `${VERSION} (${gitHead.slice(0, 8)})\n`);
      const head = await run('git', ['rev-parse', 'HEAD'], { cwd: root }).catch(() => null);
      expect(gitHead).toBe(head?.stdout.trim());
    },
    LONGEST_MS,
  );

  it.runIf(IS_NIGHTLY)(
    'upgrades by `npx callwright upgrade`, which makes a backup, and keeps its calls',
    async () => {
      const file = join(folder, 'dist/package.json');
      const described = JSON.parse(await readFile(file, 'utf8')) as object;
      await writeFile(file, JSON.stringify({ ...described, version: NEXT }));
      const { stdout } = await npx('upgrade', await pack());
      expect(stdout).toContain('Backup complete: ');
      expect(stdout).toContain(`Version ${NEXT} is installed, ${VERSION} was before.`);
      expect((await readdir(project())).some((name) => name.startsWith(`data-backup-${VERSION}-`))).toBe(
        true,
      );
      const service = await start(DASHBOARD);
      const key = (await readFile(join(project(), 'data/api-key.txt'), 'utf8')).split(/\s/)[0] ?? '';
      const response = await fetch(`http://127.0.0.1:${env['PORT']}/api/v0/calling/history`, {
        headers: { 'X-API-KEY': key },
      });
      expect(await response.text()).toContain('+14155550123');
      await stop(service);
    },
    LONGEST_MS,
  );

  it(
    'stays as it is when npm cannot install the wanted version',
    async () => {
      const broken = join(folder, 'broken.tgz');
      await writeFile(broken, 'not a tarball');
      await expect(npx('upgrade', '--no-backup', broken)).rejects.toMatchObject({
        stderr: expect.stringContaining(`Version ${VERSION} is still installed.`),
      });
    },
    LONGEST_MS,
  );
});
