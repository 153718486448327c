import { dropZoneMove, finishZoneMove } from '../domain/workspaces/zone.ts';
import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import type { Database, Db } from '../store/database.ts';
import type { DueJob, JobHandler } from './job-runner.ts';
import { leased } from './leased.ts';

export interface ZoneJobDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  /** Opens a database of one connection, whose statements may take as long as they need. */
  readonly open: () => Database;
  /** The process stops: the job is due again at once. */
  readonly isStopped: () => boolean;
}

const workspaceOf = ({ payload }: DueJob): string => String(payload['workspaceId']);

/** Job that moves the day sums of a workspace to the days of another zone. */
export const moveZone = (deps: ZoneJobDeps): JobHandler => ({
  run: (job) =>
    leased(deps, job, async () => {
      const database = deps.open();
      try {
        await finishZoneMove({ ...deps, moving: database.kysely }, workspaceOf(job), deps.isStopped);
      } finally {
        await database.close();
      }
    }),
  async gaveUp(job) {
    deps.log.error(
      { workspaceId: workspaceOf(job) },
      'the days of a workspace could not be moved to another zone; it keeps the one it has',
    );
    await dropZoneMove(deps.db, workspaceOf(job));
  },
});
