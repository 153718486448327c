import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'callwright-launcher-'));
const modules = join(folder, 'node_modules');
const launcher = join(modules, 'callwright/bin/callwright');
const [bin, old] = [join(folder, 'bin'), join(folder, 'old')];

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, 0o755);
}

// The package as npm installs it, whose program prints how messages name it.
beforeAll(() => {
  write(launcher, readFileSync('bin/callwright', 'utf8').replace('src/cli/main.ts', 'src/cli.js'));
  write(join(modules, 'callwright/src/cli.js'), 'console.log(process.env.CALLWRIGHT_COMMAND);');
  for (const place of [bin, join(modules, '.bin')]) {
    mkdirSync(place, { recursive: true });
    symlinkSync(launcher, join(place, 'callwright'));
  }
  write(join(old, 'node'), '#!/bin/sh\n[ "$1" = --version ] && echo v22.4.0 && exit 0\nexit 1\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const { PATH = '' } = process.env;
const run = (program: string, path: string): Promise<{ stdout: string; stderr: string }> =>
  new Promise((done) => {
    execFile(program, [], { cwd: folder, env: { PATH: path } }, (_, stdout, stderr) =>
      done({ stdout, stderr }),
    );
  });

describe('bin/callwright', () => {
  it('has messages name the program as it was called', async () => {
    const ownFolder = `${dirname(process.execPath)}:${PATH}`;
    expect((await run(join(modules, '.bin/callwright'), ownFolder)).stdout).toBe('npx callwright\n');
    expect((await run('node_modules/.bin/callwright', ownFolder)).stdout).toBe('npx callwright\n');
    expect((await run(join(bin, 'callwright'), `${bin}:${ownFolder}`)).stdout).toBe('callwright\n');
    expect((await run(launcher, ownFolder)).stdout).toBe(`${launcher}\n`);
  });

  it('refuses a Node.js that is too old, and names its version', async () => {
    expect((await run(launcher, `${old}:/usr/bin:/bin`)).stderr).toBe(
      'Callwright needs Node.js 22.18 or newer; v22.4.0 is in PATH.\n',
    );
  });
});
