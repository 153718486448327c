import { resolve } from 'node:path';
import { openCheckedSeal } from '../app/secrets.ts';
import type { Config } from '../config.ts';
import { rotateLinkKey } from '../domain/links/link-keys.ts';
import { systemClock } from '../shared/clock.ts';
import { openDatabase } from '../store/database.ts';
import { besideService } from './backup/open-installation.ts';

/** `callwright rotate-recording-links`; returns the exit code. */
export async function runRotateLinks(config: Config, { revoke }: { revoke: boolean }): Promise<number> {
  const days = config.recordingLinkDays;
  try {
    await besideService(config, 'rotate-recording-links', async (url) => {
      const database = openDatabase(url, { maxConnections: 1, applicationName: 'callwright cli' });
      try {
        const { kysely: db } = database;
        const seal = await openCheckedSeal(db, config.secretKey, resolve(config.dataDir), new Date());
        await rotateLinkKey({ db, clock: systemClock, seal, days }, revoke);
      } finally {
        await database.close();
      }
    });
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return 1;
  }
  console.log(
    revoke
      ? 'A new key signs links. Every earlier link ends within ten seconds.'
      : 'A new key signs links. Earlier links stay valid until they expire.',
  );
  return 0;
}
