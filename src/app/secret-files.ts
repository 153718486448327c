import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { keyHashOf } from '../domain/workspaces/authenticate-key.ts';
import type { NewKey } from '../domain/provision/apply-workspace.ts';
import { findKeyOwner } from '../store/tenants/keys.ts';
import type { Db } from '../store/database.ts';

/**
 * New API keys and the link of the first owner, in files of DATA_DIR that only the user of the service reads: without a
 * terminal the output ends in a journal or a log, which more people read.
 */
export class SecretFiles {
  readonly keyFile: string;
  readonly linkFile: string;

  constructor(dataDir: string) {
    this.keyFile = join(dataDir, 'api-key.txt');
    this.linkFile = join(dataDir, 'owner-link.txt');
  }

  /** Writes the secrets of a start, if `isWanted`, and removes those of earlier starts that are of no use any more. */
  async keep(
    db: Db,
    { link, newKeys }: { readonly link: string | null; readonly newKeys: readonly NewKey[] },
    isWanted: boolean,
  ): Promise<void> {
    await this.removeDeadKeys(db);
    if (isWanted) await this.addKeys(newKeys);
    if (link === null) await this.removeLink();
    else if (isWanted) await this.#writeLink(link);
  }

  /** Adds a line for each key: the key, and its workspace where several may have one. */
  async addKeys(keys: readonly NewKey[]): Promise<void> {
    if (keys.length === 0) return;
    const lines = keys.map(({ apiKey, workspace }) => `${apiKey}  ${workspace}`.trimEnd());
    await replace(this.keyFile, [...(await this.#keyLines()), ...lines]);
  }

  #writeLink(link: string): Promise<void> {
    return replace(this.linkFile, [link]);
  }

  /** The installation has an owner: the link creates none any more. */
  removeLink(): Promise<void> {
    return rm(this.linkFile, { force: true });
  }

  /** Removes keys that were replaced or whose workspace is gone. */
  async removeDeadKeys(db: Db): Promise<void> {
    const lines = await this.#keyLines();
    if (lines.length === 0) return;
    const alive: string[] = [];
    for (const line of lines) {
      const hash = keyHashOf(line.split(' ')[0]);
      if (hash !== null && (await findKeyOwner(db, hash)) !== null) alive.push(line);
    }
    if (alive.length < lines.length) await replace(this.keyFile, alive);
  }

  async #keyLines(): Promise<string[]> {
    const text = await readFile(this.keyFile, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    });
    return text.split('\n').filter((line) => line !== '');
  }
}

/** A new file, as an existing one may be readable for others. */
async function replace(path: string, lines: readonly string[]): Promise<void> {
  await rm(path, { force: true });
  if (lines.length > 0) await writeFile(path, `${lines.join('\n')}\n`, { mode: 0o600, flag: 'wx' });
}
