import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { backUp, sizeOf } from './backup/backup.ts';
import { StartFailure } from '../app/start-failure.ts';
import type { Manifest } from './backup/manifest.ts';
import { CommandFailure } from './backup/open-installation.ts';
import { restore } from './backup/restore.ts';
import type { ListOptions } from './backup/tombstones.ts';
import { verifyBackup } from './backup/verify.ts';

/** `callwright backup`; returns the exit code. */
export const runBackup = (config: Config, folder: string): Promise<number> =>
  reported(async () => {
    const manifest = await backUp(config, await programVersion(), folder, console.log);
    console.log(`Backup complete: ${summary(manifest)}, in ${folder}.`);
    for (const note of notes(manifest)) console.log(`note  ${note}`);
  });

/** `callwright restore`; returns the exit code. */
export const runRestore = (
  config: Config,
  folder: string,
  options: { replace: boolean } & ListOptions,
): Promise<number> =>
  reported(async () => {
    const { manifest, applied } = await restore(config, folder, options, console.log);
    console.log(`Restored ${summary(manifest)}, of ${manifest.created_at}.`);
    console.log(`note  ${applied.sessions} sessions were ended: everybody signs in again`);
    console.log(
      `note  since the backup, ${applied.erased} numbers, calls and chats were erased and ${applied.optedOut} numbers ` +
        `opted out, ${applied.keys} keys were revoked and ${applied.members} memberships changed: all of it holds again`,
    );
    console.log(
      'Calls that were queued then are placed, and events sent, when a process with the roles dialer',
    );
    console.log('and jobs starts. ROLES=api starts the API alone, to look at them and terminate them first.');
  });

/** `callwright restore --verify`; returns the exit code. */
export const runVerify = (config: Config, folder: string): Promise<number> =>
  reported(async () => {
    const { manifest, checks } = await verifyBackup(folder, config.secretKey, console.log);
    for (const check of checks) console.log(`ok    ${check}`);
    for (const note of notes(manifest)) console.log(`note  ${note}`);
    console.log(`The backup of ${manifest.created_at} is good: ${summary(manifest)}.`);
  }, 'The backup is not proved: ');

async function reported(work: () => Promise<void>, failed = ''): Promise<number> {
  try {
    await work();
    return 0;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const isKnown = error instanceof CommandFailure || error instanceof StartFailure;
    console.error(isKnown ? `${failed}${error.message}` : `${failed || 'Failed: '}${error.message}`);
    return error instanceof StartFailure ? error.exitCode : 1;
  }
}

const summary = ({ database, recordings }: Manifest): string => {
  const rows = database.tables.reduce((sum, table) => sum + table.rows, 0);
  return `${rows} rows of ${database.tables.length} tables, ${recordings.files} recordings (${sizeOf(recordings.bytes)})`;
};

function notes({ recordings, secret_key: key }: Manifest): string[] {
  const { in_store: inStore, on_other_disks: elsewhere, missing } = recordings;
  return [
    ...(inStore > 0 ? [`${inStore} recordings are in the object store and stay there`] : []),
    ...(elsewhere > 0
      ? [`${elsewhere} recordings are in the DATA_DIR of other processes: back each of them up, too`]
      : []),
    ...(missing > 0 ? [`${missing} recordings have no file in this DATA_DIR`] : []),
    ...(key.sha256 === null ? ['SECRET_KEY is not part of the backup: keep it elsewhere'] : []),
  ];
}

async function programVersion(): Promise<string> {
  const text = await readFile(join(import.meta.dirname, '../../package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
