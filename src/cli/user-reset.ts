import type { Config } from '../config.ts';
import { resetByOperator } from '../domain/users/recovery.ts';
import { systemClock } from '../shared/clock.ts';
import { openDatabase } from '../store/database.ts';
import { besideService } from './backup/open-installation.ts';

/** `callwright user reset`; returns the exit code. */
export async function runUserReset(
  config: Config,
  email: string,
  { twoStep }: { readonly twoStep: boolean },
): Promise<number> {
  try {
    const done = await besideService(config, 'user reset', async (url) => {
      const database = openDatabase(url, { maxConnections: 1, applicationName: 'callwright cli' });
      try {
        const publicUrl = config.publicUrl ?? `http://127.0.0.1:${config.port}`;
        const deps = { db: database.kysely, clock: systemClock, publicUrl };
        return await resetByOperator(deps, email, twoStep ? 'two-step' : 'password');
      } finally {
        await database.close();
      }
    });
    if (done === null) {
      console.error(`No user has the email address ${email}.`);
      return 1;
    }
    console.log(
      done === 'two-step is off'
        ? 'Two-step sign-in is off, and every session of the user has ended.'
        : `The user sets a new password here, once, until ${done.expiresAt.toISOString()}:\n${done.url}`,
    );
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return 1;
  }
}
