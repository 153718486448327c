import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { randomToken } from '../shared/ids.ts';
import type { Log } from '../shared/log.ts';
import { createSeal, type Seal } from '../shared/seal.ts';
import type { Db } from '../store/database.ts';
import { anySealed, findInstallationValue, installationValue } from '../store/installation.ts';
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

/** The installation's seal: from SECRET_KEY, or from a key that is generated once and kept in the data folder. */
export async function openSeal(secretKey: string | null, dataDir: string): Promise<Seal> {
  return createSeal(secretKey ?? (await keyInFile(join(dataDir, KEY_FILE))));
}

/**
 * The seal of the installation, after the check that it is the key of the other processes on the database. Completes a
 * rotation that was interrupted after its transaction: the database has the new key, the key file does not yet.
 */
export async function openCheckedSeal(
  db: Db,
  secretKey: string | null,
  dataDir: string,
  now: Date,
): Promise<Seal> {
  if (secretKey === null) {
    const next = await readFile(join(dataDir, NEXT_KEY_FILE), 'utf8').catch(() => null);
    if (next !== null) {
      const isDone = (await findInstallationValue(db, KEY_CHECK)) === createSeal(next).check;
      if (isDone) await rename(join(dataDir, NEXT_KEY_FILE), join(dataDir, KEY_FILE));
    }
  }
  const seal = await openSeal(secretKey, dataDir);
  await checkSecretKey(db, seal, now);
  return seal;
}

/**
 * Throws unless this process has the key of the other processes on the database. The first process stores the key's
 * check value; in a database of an older version the key must open a stored secret first.
 */
async function checkSecretKey(db: Db, seal: Seal, now: Date): Promise<void> {
  const sealed = await anySealed(db);
  if (sealed !== null && seal.open(sealed) === null) throw new StartFailure(WRONG_KEY, null);
  const stored = await installationValue(db, KEY_CHECK, () => seal.check, now);
  if (stored !== seal.check) throw new StartFailure(WRONG_KEY, null);
}

export const KEY_CHECK = 'secret_key_check';
const WRONG_KEY =
  'SECRET_KEY is not the key that this database was set up with. All processes on one database need the same key: ' +
  'set SECRET_KEY to it, or, if none was set, to the content of secret.key in the DATA_DIR of the first process. ' +
  'callwright rotate-key changes the key.';

/** A trunk's password in plain text; null, with a log line, when another key sealed it. */
export function unsealPassword(
  seal: Seal,
  trunk: { name: string; password: string | null },
  log: Log,
): string | null {
  if (trunk.password === null) return null;
  const password = seal.open(trunk.password);
  if (password === null) {
    log.error(
      { trunk: trunk.name },
      'the trunk password was sealed with another key: set SECRET_KEY to that',
    );
  }
  return password;
}
