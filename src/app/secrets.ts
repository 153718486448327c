import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { randomToken } from '../shared/ids.ts';
import type { Log } from '../shared/log.ts';
import { createSeal, type Seal } from '../shared/seal.ts';

/** The installation's seal: under SECRET_KEY, or under a key made once and kept beside the data. */
export async function openSeal(secretKey: string | null, dataDir: string): Promise<Seal> {
  if (secretKey !== null) return createSeal(secretKey);
  const path = join(dataDir, 'secret.key');
  await writeFile(path, randomToken(48), { mode: 0o600, flag: 'wx' }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    },
  );
  return createSeal(await readFile(path, 'utf8'));
}

/** A trunk's password as SIP needs it; null, and said in the log, when another key sealed it. */
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
