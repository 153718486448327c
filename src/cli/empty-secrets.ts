import { join, resolve } from 'node:path';
import { KEY_CHECK, KEY_FILE, keyInFile } from '../app/secrets.ts';
import type { Config } from '../config.ts';
import { randomToken } from '../shared/ids.ts';
import { createSeal, lostPaths, replaceLost, SEALED_PREFIX, type Seal } from '../shared/seal.ts';
import { SealedValues } from '../store/sealed-values.ts';
import { withoutService } from './backup/open-installation.ts';

/** `callwright secrets empty`; returns the exit code. */
export async function runEmptySecrets(config: Config): Promise<number> {
  try {
    const { emptied, toEnter } = await emptySecrets(config);
    if (emptied === 0) {
      console.log('The key opens every stored secret: nothing was changed.');
      return 0;
    }
    console.log(`Emptied ${emptied} stored secrets that the key cannot open. Enter again:`);
    for (const line of toEnter) console.log(`  ${line}`);
    console.log('Links to recordings and signing secrets are new; docs/operations.md says what else ends.');
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return 1;
  }
}

/** Nobody knows it, so it signs and opens nothing until somebody enters the secret again. */
const unknown = (): string => randomToken(43);

/**
 * Goes on after the loss of the key: SECRET_KEY, or a new key file, becomes the key of the installation, and every secret that
 * it cannot open is emptied, all in one transaction. Secrets that the service made itself are made again by the next start.
 */
export async function emptySecrets(
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 'secretKey'>,
): Promise<{ readonly emptied: number; readonly toEnter: readonly string[] }> {
  return withoutService(config, 'secrets empty', async (url) => {
    const key = config.secretKey ?? (await keyInFile(join(resolve(config.dataDir), KEY_FILE)));
    const seal = createSeal(key);
    const values = await SealedValues.open(url);
    try {
      if (await values.isInUse()) throw new Error('The service is running: stop all its processes first.');
      const toEnter = await lostBy(values, seal);
      let emptied = 0;
      const isLost = (sealed: string): boolean => {
        const is = seal.open(sealed) === null;
        if (is) emptied += 1;
        return is;
      };
      await values.rewrite(
        SEALED_PREFIX,
        { key: KEY_CHECK, value: seal.check },
        () => true,
        (text) => {
          const replaced = replaceLost(seal, text, unknown);
          emptied += replaced.lost;
          return replaced.text;
        },
        () => undefined,
        isLost,
      );
      return { emptied, toEnter };
    } finally {
      await values.close();
    }
  });
}

/** One line for each secret that somebody entered, such as `workspace Clinic, agent Maya: agent_config.llm.api_key`. */
async function lostBy(values: SealedValues, seal: Seal): Promise<readonly string[]> {
  const lines = new Set<string>();
  for (const { workspace, owner, value } of await values.owned(SEALED_PREFIX)) {
    const whose = workspace === null ? owner : `workspace ${workspace}, ${owner}`;
    for (const path of lostPaths(seal, value)) lines.add(`${whose}: ${path}`);
  }
  return [...lines];
}
