import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { refuseOwned } from '../app/data-folder.ts';
import { StartFailure } from '../app/start-failure.ts';
import type { Config } from '../config.ts';
import { VERSION } from '../shared/version.ts';
import { hasCluster } from '../store/embedded/cluster.ts';
import { runBackup } from './backup.ts';

export interface UpgradeOptions {
  /** False: the operator has a backup already. */
  readonly backup: boolean;
}

/** Where npm installed the package. */
export interface Installed {
  /** The arguments of `npm install` before the name of the package. */
  readonly npm: readonly string[];
  readonly cwd: string;
}

/** Null: the program was not installed by npm. `program`: the folder of its package.json. */
export function installedIn(
  program: string,
  exists: (file: string) => boolean = existsSync,
): Installed | null {
  const modules = '/node_modules/callwright';
  if (!program.endsWith(modules)) return null;
  const cwd = program.slice(0, -modules.length);
  // npm keeps global packages in a folder without a package.json.
  const isGlobal = !exists(join(cwd, 'package.json'));
  return {
    cwd,
    npm: ['install', ...(isGlobal ? ['--global'] : ['--save-exact']), '--no-audit', '--no-fund'],
  };
}

/**
 * What npm installs for a version: a URL, the absolute path of a tarball (npm runs in another folder), or a version of the
 * registry. Null: there is no such tarball.
 */
export const packageOf = (version: string, exists: (file: string) => boolean = existsSync): string | null => {
  if (version.startsWith('http:') || version.startsWith('https:')) return version;
  if (!version.endsWith('.tgz')) return `callwright@${version}`;
  return exists(version) ? resolve(version) : null;
};

/** `callwright upgrade`; returns the exit code. Backs up, then installs the version; the next start migrates the database. */
export async function runUpgrade(config: Config, version: string, options: UpgradeOptions): Promise<number> {
  const program = join(import.meta.dirname, '../..');
  const installed = installedIn(program);
  if (installed === null) {
    console.error(
      'npm did not install this program, so it cannot install another version. In a clone: git pull && ./scripts/setup.sh',
    );
    return 1;
  }
  const wanted = packageOf(version);
  if (wanted === null) {
    console.error(`There is no file ${resolve(version)}. Nothing was installed.`);
    return 1;
  }
  const dataDir = resolve(config.dataDir);
  try {
    await refuseOwned(dataDir);
  } catch (error) {
    if (!(error instanceof StartFailure)) throw error;
    console.error(error.message);
    return 1;
  }
  if (options.backup && (config.databaseUrl !== null || (await hasCluster(dataDir)))) {
    const folder = `${dataDir}-backup-${VERSION}-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
    if ((await runBackup(config, folder)) !== 0) {
      console.error('Nothing was installed, because the backup failed.');
      return 1;
    }
  }
  console.log(`Installing ${wanted}`);
  if ((await npm([...installed.npm, wanted], installed.cwd)) !== 0) {
    console.error(
      `npm did not install ${wanted}; the output above says why. Version ${VERSION} is still installed.`,
    );
    return 1;
  }
  const { version: now } = JSON.parse(readFileSync(join(program, 'package.json'), 'utf8')) as {
    version: string;
  };
  console.log(
    now === VERSION
      ? `Version ${VERSION} was installed already.`
      : `Version ${now} is installed, ${VERSION} was before. Start the service: it migrates the database.`,
  );
  return 0;
}

function npm(args: readonly string[], cwd: string): Promise<number> {
  return new Promise((done) => {
    const child = spawn('npm', args, { cwd, stdio: 'inherit' });
    child.once('error', (error) => {
      console.error(`npm does not run: ${error.message}`);
      done(1);
    });
    child.once('exit', (code) => done(code ?? 1));
  });
}
