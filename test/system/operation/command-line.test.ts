import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ownDataFolder } from '../../../src/app/data-folder.ts';
import { silentLog } from '../../../src/shared/log.ts';

const CLI = resolve('src/cli/main.ts');
const folder = mkdtempSync(join(tmpdir(), 'callwright-command-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `callwright` in an empty folder, without a key and a database. */
const callwright = (args: readonly string[], env: Record<string, string> = {}): Promise<Ended> =>
  new Promise((done) => {
    const { PATH = '', HOME = '' } = process.env;
    const child = execFile(
      process.execPath,
      [CLI, ...args],
      { cwd: folder, env: { PATH, HOME, DATA_DIR: join(folder, 'data'), ...env } },
      (_, stdout, stderr) => done({ code: child.exitCode, stdout, stderr }),
    );
  });

describe('the command line', () => {
  it.each([
    ['an unknown command', ['clal'], /unknown command 'clal'/],
    ['a missing argument', ['backup'], /missing required argument 'folder'/],
    ['an unknown option', ['doctor', '--fix'], /unknown option '--fix'/],
    ['a port that is none', ['vendors', '--port', 'abc'], /'abc' is invalid\. It must be a number from 1 to/],
    ['a key file that is not there', ['call', '+14155550123', '--key-file', 'gone'], /ENOENT.*gone/],
    ['a proof that replaces', ['restore', 'backup', '--verify', '--replace'], /cannot be used with/],
  ])('answers %s with exit code 2 and the reason in a few lines', async (_, args, reason) => {
    const { code, stderr } = await callwright(args);
    expect(code).toBe(2);
    expect(stderr).toMatch(reason);
    expect(stderr.split('\n').filter((line) => line !== '').length).toBeLessThan(4);
  });

  it('says why a file cannot be read, without a stack', async () => {
    const agent = join(folder, 'agents/desk');
    mkdirSync(agent, { recursive: true });
    symlinkSync(join(folder, 'gone'), join(agent, 'agent.yaml'));
    const { code, stderr } = await callwright(['validate']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^ENOENT: .*agent\.yaml'\n$/);
  });

  it('names DATA_DIR when the start cannot use it', async () => {
    const { code, stderr } = await callwright(['start'], { DATA_DIR: '/dev/null' });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^The service cannot start: DATA_DIR \/dev\/null cannot be used: ENOTDIR/);
    const below = join(folder, 'plain/data');
    writeFileSync(join(folder, 'plain'), '');
    await expect(ownDataFolder(below, silentLog, () => false)).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining(`DATA_DIR ${below} cannot be used: ENOTDIR`),
    });
  });

  it('names how to start a service where none is reachable', async () => {
    const args = ['call', '+14155550123', '--key', 'cw_any', '--url', 'http://127.0.0.1:9'];
    const { code, stderr } = await callwright(args);
    expect(code).toBe(1);
    expect(stderr).toBe(
      'no service is reachable at http://127.0.0.1:9: start one with npm start, or set --url\n',
    );
  });

  it('ends quietly when the reader of its output goes away', async () => {
    const script = `"${process.execPath}" "${CLI}" models list | head -n 1`;
    const ended = await new Promise<Ended>((done) => {
      const child = execFile('bash', ['-o', 'pipefail', '-c', script], { cwd: folder }, (_, stdout, stderr) =>
        done({ code: child.exitCode, stdout, stderr }),
      );
    });
    expect(ended).toMatchObject({ code: 0, stderr: '' });
  });

  it('writes warnings about settings to stderr, so that --json stays JSON', async () => {
    const { stdout, stderr } = await callwright(['models', 'list'], { SIP_PORTT: '5060' });
    expect(stdout).not.toContain('SIP_PORTT');
    expect(stderr).toMatch(/^warn {2}.*SIP_PORTT/);
  });
});
