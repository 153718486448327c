import { resolve } from 'node:path';
import { ownerLink } from '../app/report.ts';
import { openCheckedSeal } from '../app/secrets.ts';
import type { Config } from '../config.ts';
import { renewFirstRun } from '../domain/users/first-run.ts';
import { systemClock } from '../shared/clock.ts';
import { openDatabase } from '../store/database.ts';
import { besideService } from './backup/open-installation.ts';

/** `callwright first-run`; returns the exit code. */
export async function runFirstRun(config: Config): Promise<number> {
  try {
    const made = await besideService(config, 'first-run', async (url) => {
      const database = openDatabase(url, { maxConnections: 1, applicationName: 'callwright cli' });
      try {
        const { kysely: db } = database;
        const seal = await openCheckedSeal(db, config.secretKey, resolve(config.dataDir), new Date());
        return await renewFirstRun({ db, clock: systemClock, seal });
      } finally {
        await database.close();
      }
    });
    if (made === null) {
      console.error(
        'The installation has an owner already. `callwright user reset` helps a user to sign in again.',
      );
      return 1;
    }
    const link = ownerLink(config.publicUrl ?? `http://127.0.0.1:${config.port}`, made.token);
    console.log(`The first owner is created here, once, until ${made.expiresAt.toISOString()}:\n${link}`);
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return 1;
  }
}
