import { flushCompileCache } from 'node:module';
import { rehearsalRunner } from '../../../src/app/rehearsals.ts';
import { systemClock } from '../../../src/shared/clock.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { callersBy } from './caller-model.ts';

/** A process that plays due rehearsals until it is killed: `node playing-process.ts DATABASE_URL [MODEL_URL]`. */
const [url = '', modelUrl] = process.argv.slice(2);
const { kysely: db } = openDatabase(url, { maxConnections: 4, applicationName: 'rehearsals' });
const callers = callersBy(modelUrl);
rehearsalRunner({ db, clock: systemClock, log: silentLog, pollMs: 50, callers }).start();
// A process that is killed keeps nothing of what it compiled.
flushCompileCache();
