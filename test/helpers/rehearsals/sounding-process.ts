import { flushCompileCache } from 'node:module';
import { soundRehearsalRunner } from '../../../src/app/rehearsals.ts';
import { SoundThreads } from '../../../src/app/sound-threads.ts';
import { systemClock } from '../../../src/shared/clock.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { openDatabase } from '../../../src/store/database.ts';

/** A process that plays due rehearsals by sound until it is killed: `node sounding-process.ts DATABASE_URL`. */
const [url = ''] = process.argv.slice(2);
const { kysely: db } = openDatabase(url, { maxConnections: 4, applicationName: 'rehearsals by sound' });
const load = () => Promise.resolve({ calls: 0, ears: { used: 0, limit: null } });
const stage = new SoundThreads({ modelsDir: '/nowhere', log: silentLog, load });
soundRehearsalRunner({ db, clock: systemClock, log: silentLog, pollMs: 50 }, stage).start();
// A process that is killed keeps nothing of what it compiled.
flushCompileCache();
