import { resolve } from 'node:path';
import { ownerOf } from '../app/data-folder.ts';
import { KEY_CHECK, verifiedSeal } from '../app/secrets.ts';
import { StartFailure } from '../app/start-failure.ts';
import type { Config } from '../config.ts';
import { openDatabase, type Db } from '../store/database.ts';
import { keyEvidence } from '../store/installation.ts';
import { hasCluster } from '../store/embedded/cluster.ts';
import { besideService } from './backup/open-installation.ts';
import { failed, messageOf, passed, type Finding } from './finding.ts';

const NAME = 'key of the data';

/** Who owns the data folder. */
export async function dataOwner({ dataDir }: Pick<Config, 'dataDir'>): Promise<Finding> {
  const name = 'data owner';
  try {
    const owner = await ownerOf(resolve(dataDir));
    if (owner === null) return passed(name, 'no process');
    return passed(
      name,
      `callwright ${owner.task}, process ${owner.pid} on host ${owner.host}, since ${owner.since}`,
    );
  } catch (error) {
    return failed(name, messageOf(error), 'run the command as the user of the service');
  }
}

/** Whether SECRET_KEY, or the key file, is the key that the database was set up with. Makes no key. */
export async function keyOfData(config: Config): Promise<Finding> {
  if (config.databaseUrl === null && !(await hasCluster(resolve(config.dataDir)))) {
    return passed(NAME, 'no database yet: the first start makes it');
  }
  try {
    return await besideService(config, 'doctor', async (url) => {
      const database = openDatabase(url, { maxConnections: 1, connectTimeoutMs: 5_000 });
      try {
        return await check(database.kysely, config);
      } finally {
        await database.close();
      }
    });
  } catch (error) {
    return failed(
      NAME,
      `not checked: ${messageOf(error)}`,
      'make the database reachable, then run the command again',
    );
  }
}

async function check(db: Db, { secretKey, dataDir }: Config): Promise<Finding> {
  const evidence = await keyEvidence(db, KEY_CHECK);
  if (evidence.check === null && evidence.sealed === null) {
    return passed(NAME, 'the database has no secrets yet');
  }
  try {
    await verifiedSeal(db, secretKey, resolve(dataDir));
    return passed(NAME, 'opens the stored secrets');
  } catch (error) {
    if (!(error instanceof StartFailure)) throw error;
    return failed(
      NAME,
      error.message,
      'docs/operations.md shows how to run a command with the key of the service',
    );
  }
}
