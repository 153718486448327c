import { isValidZone } from '@callwright/language';
import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { newId } from '../../shared/ids.ts';
import { lockSums } from '../../store/analysis/analytics.ts';
import { moveChecks, moveDays } from '../../store/analysis/move-days.ts';
import {
  deleteZoneMove,
  findZoneMove,
  hasMoreCalls,
  insertZoneMove,
  noteZoneProgress,
  type ZoneMove,
} from '../../store/analysis/zone-moves.ts';
import type { Db, Tx } from '../../store/database.ts';
import { insertJob } from '../../store/jobs.ts';
import { mergeSettings } from '../../store/tenants/settings.ts';
import { isKnownZone, readZone } from '../../store/zone.ts';

const FIELD = 'timezone';
/** The kind of the job that carries out a change of the zone. */
export const ZONE_JOB = 'zone.move';
/** A change in a workspace with at most so many calls takes half a second, and is carried out within its request. */
export const MOVED_AT_ONCE = 50_000;

/** The zone by whose days the workspace counts. */
export const workspaceZone = (deps: { readonly db: Db }, workspaceId: string): Promise<string> =>
  readZone(deps.db, workspaceId);

/** The change of the zone that is under way; null: none. */
export const zoneMove = (db: Db, workspaceId: string): Promise<ZoneMove | null> =>
  findZoneMove(db, workspaceId);

/** Throws 422 for a zone that the service or its database does not know. */
export async function checkZone(db: Db, zone: string): Promise<void> {
  if (!isValidZone(zone) || !(await isKnownZone(db, zone)))
    throw errors.invalid(FIELD, 'must be an IANA time zone such as Asia/Kolkata');
}

/**
 * Moves the day sums to the days of another zone, or queues a job that does and then stores the zone: until then the workspace
 * counts by the zone it has. True: the caller stores the zone in the same transaction. Throws 409 while a change to another
 * zone is under way; one to the same zone goes on.
 */
export async function moveToZone(
  tx: Tx,
  workspaceId: string,
  zone: string,
  { at, most = MOVED_AT_ONCE }: { readonly at: Date; readonly most?: number | undefined },
): Promise<boolean> {
  const isOnItsWay = async (): Promise<boolean> => {
    const move = await findZoneMove(tx, workspaceId);
    if (move !== null && move.zone !== zone) throw errors.zoneChanging();
    return move !== null;
  };
  if (await isOnItsWay()) return false;
  const before = await readZone(tx, workspaceId);
  if (before === zone) return true;
  if (await hasMoreCalls(tx, workspaceId, most)) {
    // Another request may have begun one since.
    if (!(await insertZoneMove(tx, workspaceId, zone, at))) return !(await isOnItsWay());
    await insertJob(tx, { workspaceId, kind: ZONE_JOB, dedup: newId(), payload: { workspaceId } }, at);
    return false;
  }
  await lockSums(tx, workspaceId);
  // Requests that changed it meanwhile have committed.
  await moveDays(tx, workspaceId, { from: await readZone(tx, workspaceId), to: zone });
  return true;
}

interface MoveDeps {
  readonly db: Db;
  readonly clock: Clock;
}

/**
 * Carries out the change of the zone that is under way. The sums and the zone change in one transaction: a process that dies leaves
 * the old days, and the next one begins again. `moving`: a database whose statements may take as long as they need. Rejects soon after
 * `isStopped`.
 */
export async function finishZoneMove(
  { db, clock, moving }: MoveDeps & { readonly moving: Db },
  workspaceId: string,
  isStopped = () => false,
): Promise<void> {
  let percent = 0;
  let noted: Promise<void> = Promise.resolve();
  const note = (share: number): void => {
    if (isStopped()) throw new Error('the process stops: another one moves the days');
    const next = Math.floor(share * 100);
    if (next === percent) return;
    percent = next;
    // The transaction does not wait for another connection. One write follows the other, so the shown progress never goes back.
    noted = noted.then(() => noteZoneProgress(db, workspaceId, next)).catch(() => undefined);
  };
  await moving.transaction().execute(async (tx) => {
    await lockSums(tx, workspaceId);
    const move = await findZoneMove(tx, workspaceId);
    const from = await readZone(tx, workspaceId);
    if (move === null || from === move.zone) return;
    await moveDays(tx, workspaceId, { from, to: move.zone }, note);
    await mergeSettings(tx, workspaceId, { timezone: move.zone }, new Date(clock.now()));
  });
  await noted;
  await moving.transaction().execute(async (tx) => {
    const move = await findZoneMove(tx, workspaceId);
    // Checks that were written while the sums moved.
    if (move !== null) await moveChecks(tx, workspaceId, move.zone);
    await deleteZoneMove(tx, workspaceId);
  });
}

/** Gives up the change of the zone that is under way: the workspace keeps the one it has. */
export const dropZoneMove = (db: Db, workspaceId: string): Promise<void> => deleteZoneMove(db, workspaceId);
