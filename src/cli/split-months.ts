import type { Config } from '../config.ts';
import { openDatabase } from '../store/database.ts';
import { firstSplit } from '../store/months/month.ts';
import { splitTable } from '../store/months/split.ts';
import { isSplit, MONTHLY } from '../store/months/tables.ts';
import { besideService } from './backup/open-installation.ts';

/** Reading a table of a hundred million rows takes minutes. */
const STATEMENT_MS = 24 * 3_600_000;

/** `callwright split-months`; returns the exit code. */
export async function runSplitMonths(config: Config): Promise<number> {
  try {
    await besideService(config, 'split-months', (url) => splitMonths(url, new Date(), console.log));
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    if (error instanceof Error && error.cause instanceof Error) console.error(error.cause.message);
    return 1;
  }
}

/** Splits the tables that are whole. Each is changed at once; a run that was interrupted is completed by the next one. */
export async function splitMonths(url: string, now: Date, say: (line: string) => void): Promise<void> {
  const database = openDatabase(url, {
    maxConnections: 1,
    applicationName: 'callwright split-months',
    statementTimeoutMs: STATEMENT_MS,
    queryTimeoutMs: STATEMENT_MS,
  });
  try {
    const db = database.kysely;
    const month = firstSplit(now);
    for (const table of MONTHLY) {
      if (await isSplit(db, table.name)) say(`${table.name} is split by month already`);
      else {
        await splitTable(db, table, month, now);
        say(`${table.name} has a table for each month from ${month} on`);
      }
    }
  } finally {
    await database.close();
  }
}
