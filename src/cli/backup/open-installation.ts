import { resolve } from 'node:path';
import type { Config } from '../../config.ts';
import { createLog } from '../../shared/log.ts';
import { EmbeddedPostgres } from '../../store/embedded/embedded-postgres.ts';

/** The settings that say where an installation keeps its data. */
export type Place = Pick<Config, 'dataDir' | 'databaseUrl' | 'secretKey'>;

/** Runs `work` with the URL of the installation's database; starts the embedded one unless the service runs it. */
export async function withDatabase<T>(place: Place, work: (url: string) => Promise<T>): Promise<T> {
  if (place.databaseUrl !== null) return work(place.databaseUrl);
  const log = createLog({ level: 'error', pretty: false });
  const embedded = new EmbeddedPostgres({ dataDir: resolve(place.dataDir), log });
  try {
    return await work(await embedded.start());
  } finally {
    await embedded.stop();
  }
}
