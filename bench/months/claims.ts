import { Client } from 'pg';
import { splitMonths } from '../../src/cli/split-months.ts';
import { openDatabase } from '../../src/store/database.ts';
import { migrate } from '../../src/store/migrate.ts';
import { addMonths, noteOpenSince } from '../../src/store/months/upkeep.ts';
import { runClaims } from '../campaign/claims/run.ts';
import { createWorld, warmUp } from '../campaign/claims/world.ts';
import { timeOfFamily } from '../webhooks/processor-time.ts';

/** Due calls for every round: half of them belong to one workspace, whose limits are full at once. */
const SIZE = { calls: 600_000, workspaces: 50, campaigns: 200 };
const HOLD_MS = 400;
const CLAIMERS = 4;

export interface ClaimCost {
  readonly name: string;
  /** Claims and settlements a second, by round. */
  readonly rates: number[];
  /** PostgreSQL's processor time of a claim and its settlement in µs, by round. */
  readonly costs: number[];
}

const ago = (months: number): Date => {
  const at = new Date();
  at.setUTCMonth(at.getUTCMonth() - months);
  return at;
};

/** Splits an empty database as it would be after `months` months. */
export async function splitSince(url: string, months: number): Promise<void> {
  await splitMonths(url, ago(months), () => undefined);
  const database = openDatabase(url, { maxConnections: 1 });
  // Month by month, as the service does.
  for (let month = months; month >= 0; month -= 1) {
    await addMonths(database.kysely, ago(month));
    await noteOpenSince(database.kysely, ago(month));
  }
  await database.close();
}

/** Claims from a whole database and from one of `months` months, in alternating rounds on the same server. */
export async function claimCosts(
  adminUrl: string,
  postmaster: number,
  months: number,
  run: { readonly rounds: number; readonly seconds: number },
): Promise<readonly [whole: ClaimCost, split: ClaimCost]> {
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  const urlOf = async (name: string): Promise<string> => {
    await admin.query(`create database ${name}`);
    const url = adminUrl.replace(/[^/]+$/, name);
    await migrate(url);
    if (name === 'split') await splitSince(url, months);
    await createWorld(url, SIZE);
    return url;
  };
  const kinds = [
    { name: 'one table', url: await urlOf('whole'), rates: [] as number[], costs: [] as number[] },
    {
      name: `a table for each of ${months} months`,
      url: await urlOf('split'),
      rates: [] as number[],
      costs: [] as number[],
    },
  ] as const;
  await admin.query('checkpoint');
  await admin.end();
  for (let round = 0; round < run.rounds; round += 1) {
    for (const kind of round % 2 === 0 ? kinds : kinds.toReversed()) {
      await warmUp(kind.url);
      const before = timeOfFamily(postmaster);
      const { claimed, seconds } = await runClaims(kind.url, {
        claimers: CLAIMERS,
        seconds: run.seconds,
        holdMs: HOLD_MS,
      });
      kind.rates.push(claimed / seconds);
      kind.costs.push(((timeOfFamily(postmaster) - before) * 1000) / claimed);
    }
  }
  return kinds;
}
