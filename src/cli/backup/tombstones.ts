import { resolve } from 'node:path';
import { openTombstones } from '../../app/tombstones.ts';
import { verifiedSeal } from '../../app/secrets.ts';
import type { Config } from '../../config.ts';
import { applyTombstones, type Applied } from '../../domain/privacy/apply-tombstones.ts';
import { findTombstoneKey, parseTombstone, type Tombstone } from '../../domain/privacy/tombstones.ts';
import { TombstoneFile } from '../../recordings/tombstone-lists.ts';
import { systemClock } from '../../shared/clock.ts';
import { openDatabase, type Db } from '../../store/database.ts';
import { deleteInstallationValue } from '../../store/installation.ts';
import { RESTORE_UNFINISHED } from '../../store/backup/load.ts';
import { migrate } from '../../store/migrate.ts';
import { BackupFailure, type Manifest } from './manifest.ts';
import type { Place } from './open-installation.ts';

/** Where a restore finds the list. */
export interface ListOptions {
  /** Copies of the list. */
  readonly tombstones?: readonly string[];
  /** The list is lost: restore all the same. */
  readonly withoutTombstones?: boolean;
}

/** A change that was under way when the backup began may have been committed after it. */
const UNDER_WAY_MS = 3_600_000;
const COPY_BATCH = 1000;

/** The id of the key that makes the lines of the list; null: the installation has none yet. */
export async function tombstoneKeyId(place: Place, url: string): Promise<string | null> {
  return withDatabase(url, async (db) => {
    const seal = await verifiedSeal(db, place.secretKey, resolve(place.dataDir));
    return (await findTombstoneKey(db, seal))?.id ?? null;
  });
}

/**
 * Reads what was erased, opted out and revoked since the backup; null: the list is lost, and the operator said so. Throws
 * when the backup's installation keeps a list and none is found.
 */
export async function collectTombstones(
  place: Place & Pick<Config, 's3'>,
  manifest: Manifest,
  options: ListOptions,
): Promise<Tombstone[] | null> {
  const key = manifest.tombstones?.key ?? null;
  const since = new Date(Date.parse(manifest.created_at) - UNDER_WAY_MS);
  const now = new Date();
  const copies = (options.tombstones ?? []).map((path) => ({ path, list: new TombstoneFile(resolve(path)) }));
  for (const { path, list } of copies) {
    if (!(await list.exists())) throw new BackupFailure(`There is no list of tombstones at ${path}.`);
  }
  // An earlier version made the backup: there was no list.
  if (key === null) return [];
  const found: Tombstone[] = [];
  let lists = 0;
  let strange = 0;
  for (const list of [...ownLists(place), ...copies.map(({ list }) => list)]) {
    if (!(await list.exists())) continue;
    lists += 1;
    for await (const line of list.lines(since, now)) {
      const tombstone = parseTombstone(line);
      if (tombstone === null) continue;
      if (tombstone.key !== key) strange += 1;
      else if (tombstone.at >= since) found.push(tombstone);
    }
  }
  if (strange > 0 && found.length === 0 && options.withoutTombstones !== true) {
    throw new BackupFailure(`The list of tombstones belongs to another installation. ${GIVE_LIST}`);
  }
  if (lists > 0) return found.toSorted((a, b) => a.at.getTime() - b.at.getTime());
  if (options.withoutTombstones === true) return null;
  throw new BackupFailure(`No list of tombstones was found. ${GIVE_LIST}`);
}

const GIVE_LIST =
  'It says who was erased or opted out since the backup. Give its newest copy with --tombstones FILE. If every copy is ' +
  'lost, --without-tombstones restores without it: people erased since come back, those who opted out since may be ' +
  'called, and every API key is revoked.';

/** The store's list and that of the data folder: an installation may have moved from one to the other. */
const ownLists = ({ dataDir, s3 }: Pick<Config, 'dataDir' | 's3'>) => [
  openTombstones(resolve(dataDir), null),
  ...(s3 === null ? [] : [openTombstones(resolve(dataDir), s3)]),
];

/** Migrates the database that was just loaded, applies the list, and lets the service start. */
export async function applyAfterRestore(
  place: Place & Pick<Config, 's3'>,
  url: string,
  tombstones: readonly Tombstone[] | null,
): Promise<Applied> {
  await migrate(url);
  return withDatabase(url, async (db) => {
    const seal = await verifiedSeal(db, place.secretKey, resolve(place.dataDir));
    const applied = await applyTombstones(
      { db, clock: systemClock },
      await findTombstoneKey(db, seal),
      tombstones,
      openTombstones(resolve(place.dataDir), place.s3),
    );
    await deleteInstallationValue(db, RESTORE_UNFINISHED);
    return applied;
  });
}

/** Adds the lines of the given copies to the list of the new place, so that a later restore has them. */
export async function adoptCopies(
  place: Place & Pick<Config, 's3'>,
  copies: readonly string[],
): Promise<void> {
  const own = openTombstones(resolve(place.dataDir), place.s3);
  for (const path of copies) {
    let batch: string[] = [];
    for await (const line of new TombstoneFile(resolve(path)).lines()) {
      batch.push(line);
      if (batch.length < COPY_BATCH) continue;
      await own.append(batch, Date.now());
      batch = [];
    }
    if (batch.length > 0) await own.append(batch, Date.now());
  }
}

async function withDatabase<T>(url: string, work: (db: Db) => Promise<T>): Promise<T> {
  const database = openDatabase(url, { maxConnections: 2, applicationName: 'callwright cli' });
  try {
    return await work(database.kysely);
  } finally {
    await database.close();
  }
}
