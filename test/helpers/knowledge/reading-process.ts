import { constants, PerformanceObserver } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { openDatabase } from '../../../src/store/database.ts';

/** Child process that reads 200 kB repeatedly, keeps nothing and reports the number of full garbage collections. */
const READS = 1500;
const WARM_UP = 300;
const database = openDatabase(process.argv[2] ?? '', { maxConnections: 2 });
let full = 0;
const observer = new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    const { kind } = (entry as { detail?: { kind?: number } }).detail ?? {};
    if (kind === constants.NODE_PERFORMANCE_GC_MAJOR) full += 1;
  }
});
observer.observe({ entryTypes: ['gc'] });

async function readAgain(times: number): Promise<void> {
  for (let left = times; left > 0; left -= 1) {
    await sql`select n, repeat('x', 2000) as body from generate_series(1, 100) n`.execute(database.kysely);
  }
  // Observed entries are reported in a later event-loop iteration.
  await sleep(50);
}

await readAgain(WARM_UP);
full = 0;
await readAgain(READS);
process.send?.(full);
await database.close();
