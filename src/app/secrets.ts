import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { randomToken } from '../shared/ids.ts';
import type { Log } from '../shared/log.ts';
import { createSeal, type Seal } from '../shared/seal.ts';
import type { Db } from '../store/database.ts';
import { RESTORE_UNFINISHED } from '../store/backup/load.ts';
import { findInstallationValue, installationValue, keyEvidence } from '../store/installation.ts';
import { StartFailure } from './start-failure.ts';

/** The key file of the data folder, and the one that a rotation makes before it changes the database. */
export const KEY_FILE = 'secret.key';
export const NEXT_KEY_FILE = 'secret.key.next';

/** The key in the file, which is made on first use. */
export async function keyInFile(path: string): Promise<string> {
  await writeFile(path, randomToken(48), { mode: 0o600, flag: 'wx' }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    },
  );
  return readFile(path, 'utf8');
}

/** The text of a file; null: it does not exist. */
const textOf = (path: string): Promise<string | null> =>
  readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });

/** The installation's seal: from SECRET_KEY, or from the key file of the data folder. Never makes a key. */
export async function openSeal(secretKey: string | null, dataDir: string): Promise<Seal> {
  const key = secretKey ?? (await textOf(join(dataDir, KEY_FILE)));
  if (key === null) throw new StartFailure(noKey(dataDir), null, 2);
  return createSeal(key);
}

/** Makes the key file of a new installation. A database that was set up with a key needs that one, so none is made for it. */
export async function makeFirstKey(db: Db, secretKey: string | null, dataDir: string): Promise<void> {
  const path = join(dataDir, KEY_FILE);
  if (secretKey !== null || (await textOf(path)) !== null) return;
  const { check, sealed } = await keyEvidence(db, KEY_CHECK);
  if (check === null && sealed === null) await keyInFile(path);
}

/**
 * The seal of the installation, after the check that it is the key of the other processes on the database. The first
 * process stores the key's check value. Completes a rotation that was interrupted after its transaction: the database has
 * the new key, the key file does not yet.
 */
export async function openCheckedSeal(
  db: Db,
  secretKey: string | null,
  dataDir: string,
  now: Date,
): Promise<Seal> {
  if ((await findInstallationValue(db, RESTORE_UNFINISHED)) !== null) {
    throw new StartFailure(UNFINISHED, null, 2);
  }
  if (secretKey === null) {
    const next = await textOf(join(dataDir, NEXT_KEY_FILE));
    if (next !== null) {
      const isDone = (await findInstallationValue(db, KEY_CHECK))?.value === createSeal(next).check;
      if (isDone) await rename(join(dataDir, NEXT_KEY_FILE), join(dataDir, KEY_FILE));
    }
  }
  const seal = await verifiedSeal(db, secretKey, dataDir);
  const { value: stored } = await installationValue(db, KEY_CHECK, () => seal.check, now);
  if (stored !== seal.check) throw new StartFailure(WRONG_KEY, null, 2);
  return seal;
}

/**
 * The seal of the installation, if it is the key that the database was set up with; changes nothing. In a database of an
 * older version, without a check value, the key must open a stored secret.
 */
export async function verifiedSeal(db: Db, secretKey: string | null, dataDir: string): Promise<Seal> {
  const seal = await openSeal(secretKey, dataDir);
  const { check, sealed } = await keyEvidence(db, KEY_CHECK);
  const isWrong = (sealed !== null && seal.open(sealed) === null) || (check !== null && check !== seal.check);
  if (isWrong) throw new StartFailure(WRONG_KEY, null, 2);
  return seal;
}

const UNFINISHED =
  'A restore loaded this database and was interrupted before it erased what was erased since the backup. Run ' +
  'callwright restore with --replace again.';
export const KEY_CHECK = 'secret_key_check';
const WRONG_KEY =
  'SECRET_KEY is not the key that this database was set up with. All processes on one database need the same key: ' +
  'set SECRET_KEY to it, or, if none was set, to the content of secret.key in the DATA_DIR of the first process. ' +
  'callwright rotate-key changes the key.';
const noKey = (dataDir: string): string =>
  `SECRET_KEY is not the key that this database was set up with: it is not set, and ${dataDir} has no ${KEY_FILE}. ` +
  'Give the key as the service gets it: set SECRET_KEY to it, set SECRET_KEY_FILE to a file that has it, or pass the ' +
  'systemd credential secret-key (docs/operations.md has the commands). Nothing was changed, and no key was made.';

/** A secret of a trunk in plain text; null, with a log line, when another key sealed it. */
export function unsealSecret(
  seal: Seal,
  trunk: { readonly name: string },
  sealed: string | null,
  log: Log,
): string | null {
  if (sealed === null) return null;
  const secret = seal.open(sealed);
  if (secret === null) {
    log.error(
      { trunk: trunk.name },
      'the secrets of the trunk were sealed with another key: set SECRET_KEY to that',
    );
  }
  return secret;
}
