import { resolve } from 'node:path';
import { asOwner, inUseBy } from '../../app/data-folder.ts';
import type { Config } from '../../config.ts';
import { createLog } from '../../shared/log.ts';
import { hasCluster } from '../../store/embedded/cluster.ts';
import { EmbeddedPostgres } from '../../store/embedded/embedded-postgres.ts';

/** The settings that say where an installation keeps its data. */
export type Place = Pick<Config, 'dataDir' | 'databaseUrl' | 'secretKey'>;

/** Why a command did not run; the message is for the operator. */
export class CommandFailure extends Error {}

/**
 * Runs `work` with the URL of the installation's database, beside the service if that runs: it uses the embedded database
 * of the service, or starts and stops it as the owner of the data folder.
 */
export async function besideService<T>(
  place: Place,
  task: string,
  work: (url: string) => Promise<T>,
): Promise<T> {
  if (place.databaseUrl !== null) return work(place.databaseUrl);
  const dataDir = resolve(place.dataDir);
  if (!(await hasCluster(dataDir))) {
    throw new CommandFailure(
      `DATA_DIR ${dataDir} has no database: set DATA_DIR to the folder of the installation, or DATABASE_URL to its database.`,
    );
  }
  const alone = await asOwner(dataDir, task, () => withEmbedded(dataDir, false, work));
  return 'done' in alone ? alone.done : withEmbedded(dataDir, true, work);
}

/** Runs `work` as the owner of the data folder; throws while the service or another command owns it. */
export async function withoutService<T>(
  place: Place,
  task: string,
  work: (url: string) => Promise<T>,
): Promise<T> {
  const dataDir = resolve(place.dataDir);
  const url = place.databaseUrl;
  const alone = await asOwner(dataDir, task, () =>
    url === null ? withEmbedded(dataDir, false, work) : work(url),
  );
  if ('done' in alone) return alone.done;
  const { heldBy } = alone;
  const who = heldBy.task === 'start' ? 'The service' : `callwright ${heldBy.task}`;
  throw new CommandFailure(`${who} is running. ${inUseBy(dataDir, heldBy)}`);
}

async function withEmbedded<T>(
  dataDir: string,
  joinsOnly: boolean,
  work: (url: string) => Promise<T>,
): Promise<T> {
  const log = createLog({ level: 'error', pretty: false });
  const embedded = new EmbeddedPostgres({ dataDir, log, joinsOnly });
  try {
    return await work(await embedded.start());
  } finally {
    await embedded.stop();
  }
}
