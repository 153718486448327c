import { readFile, rename } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { KEY_CHECK, KEY_FILE, keyInFile, NEXT_KEY_FILE } from '../app/secrets.ts';
import type { Config } from '../config.ts';
import { createSeal, resealAll, SEALED_PREFIX } from '../shared/seal.ts';
import { SealedValues } from '../store/sealed-values.ts';
import { withoutService } from './backup/open-installation.ts';

/** `callwright rotate-key`; returns the exit code. */
export async function runRotateKey(config: Config): Promise<number> {
  try {
    const { changed, unreadable } = await rotateKey(config, console.log);
    if (unreadable > 0) {
      console.log(`note  ${unreadable} secrets were sealed with a third key and stay unreadable`);
    }
    console.log(
      changed === 0
        ? 'The key was in use already.'
        : `Sealed the secrets of ${changed} rows with the new key.`,
    );
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return 1;
  }
}

/**
 * Seals every stored secret with the new key: SECRET_KEY, or a new key file. Idempotent: a run that was interrupted, at
 * whatever moment, is completed by the next one.
 */
export async function rotateKey(
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 'secretKey' | 'secretKeyPrevious'>,
  progress: (line: string) => void | Promise<void>,
): Promise<{ changed: number; unreadable: number }> {
  const file = join(resolve(config.dataDir), KEY_FILE);
  const nextFile = join(resolve(config.dataDir), NEXT_KEY_FILE);
  const previous = config.secretKeyPrevious ?? (await readFile(file, 'utf8').catch(() => null));
  if (previous === null) {
    throw new Error('SECRET_KEY_PREVIOUS must be the key in use: DATA_DIR has no key file.');
  }
  if (config.secretKey === previous) throw new Error('SECRET_KEY is the key in use: set it to a new one.');
  return withoutService(config, 'rotate-key', async (url) => {
    const next = config.secretKey ?? (await keyInFile(nextFile));
    const result = await resealDatabase(url, previous, next, progress);
    // Last: a start before this line finds the new key by the check value in the database.
    if (config.secretKey === null) await rename(nextFile, file);
    return result;
  });
}

async function resealDatabase(
  url: string,
  previousKey: string,
  nextKey: string,
  progress: (line: string) => void | Promise<void>,
): Promise<{ changed: number; unreadable: number }> {
  const [previous, next] = [createSeal(previousKey), createSeal(nextKey)];
  const values = await SealedValues.open(url);
  let unreadable = 0;
  let isKnown = true;
  try {
    if (await values.isInUse()) throw new Error('The service is running: stop all its processes first.');
    const changed = await values.rewrite(
      SEALED_PREFIX,
      { key: KEY_CHECK, value: next.check },
      (stored) => {
        if (stored === next.check) return false;
        isKnown = stored !== null;
        if (stored !== null && stored !== previous.check) throw new Error(WRONG_PREVIOUS);
        return true;
      },
      (text) => {
        const resealed = resealAll(previous, next, text);
        unreadable += resealed.unreadable;
        // A database of an earlier version has no check value: what the key opens shows whether it is the right one.
        if (!isKnown && unreadable > 0) throw new Error(WRONG_PREVIOUS);
        return resealed.text;
      },
      (table, rows) => progress(`table ${table}: ${rows} rows`),
    );
    return { changed, unreadable };
  } finally {
    await values.close();
  }
}

const WRONG_PREVIOUS = 'The key in use is another one: set SECRET_KEY_PREVIOUS to it. Nothing was changed.';
