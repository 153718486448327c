import type { CarrierStatus } from '../shared/carrier-status.ts';
import type { Log } from '../shared/log.ts';
import { reportIn, sendReport } from '../store/calls/carrier-reports.ts';
import type { Db } from '../store/database.ts';

export interface CarrierReportDeps {
  readonly db: Db;
  readonly log: Log;
  /** Gives a report to its call; false: another process has the call. Null: this process carries no calls. */
  readonly status: ((status: CarrierStatus) => boolean) | null;
}

/** Reports of carriers, which reach any process, on their way to the process that placed the call. */
export class CarrierReports {
  readonly #deps: CarrierReportDeps;

  constructor(deps: CarrierReportDeps) {
    this.#deps = deps;
  }

  /** A report that a carrier sent to this process: for a call of it, or for every other process. */
  take(report: CarrierStatus): void {
    const { db, log, status } = this.#deps;
    if (status?.(report) === true) return;
    sendReport(db, report).catch((error: unknown) =>
      log.warn({ err: error }, 'a report of a carrier could not be passed on to the other processes'),
    );
  }

  /** A notification of another process. */
  receive(payload: string): void {
    const report = reportIn(payload);
    if (report !== null) this.#deps.status?.(report);
  }
}
