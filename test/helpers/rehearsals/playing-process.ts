import { rehearsalRunner } from '../../../src/app/rehearsals.ts';
import { systemClock } from '../../../src/shared/clock.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { openDatabase } from '../../../src/store/database.ts';

/** A process that plays due rehearsals until it is killed: `node playing-process.ts DATABASE_URL`. */
const [url = ''] = process.argv.slice(2);
const { kysely: db } = openDatabase(url, { maxConnections: 4, applicationName: 'rehearsals' });
rehearsalRunner({ db, clock: systemClock, log: silentLog, pollMs: 50 }).start();
