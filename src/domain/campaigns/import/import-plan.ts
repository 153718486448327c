import type { FieldProblem } from '../../../errors.ts';
import type { ColumnRules } from './contact-columns.ts';
import type { NumberRules } from './contact-number.ts';
import type { RowProblem } from './contact-row.ts';

/** How an uploaded list is to be read, fixed when it was taken: it is stored with the file. */
export interface ImportPlan {
  readonly agentId: string;
  /** The agent's active version; the dialer chooses again at the first attempt. */
  readonly versionId: string;
  readonly columns: ColumnRules;
  readonly numbers: NumberRules;
  readonly removeInvalidRows: boolean;
  readonly maxRows: number;
  readonly campaign: {
    readonly name: string;
    readonly callConfig: object | null;
    readonly countryCode: string | null;
    /** ISO 8601. */
    readonly startAt: string | null;
    readonly endAt: string | null;
  };
}

/** How the reading of a list ended. */
export interface ImportOutcome {
  /** Null: its contacts are queued. */
  readonly failure: string | null;
  readonly totalRows: number;
  readonly successfulRows: number;
  readonly failedRows: number;
  readonly hasRejects: boolean;
  readonly report: ImportReport;
}

export interface ImportReport {
  readonly encoding: string;
  readonly delimiter: string;
  /** The first hundred problems. */
  readonly invalidRows: readonly RowProblem[];
}

/** The file cannot be read as a contact list at all. */
export class ListRefused extends Error {
  override readonly name = 'ListRefused';
  readonly problems: readonly FieldProblem[];
  constructor(problems: readonly FieldProblem[]) {
    super(problems.map((p) => `${p.field} ${p.message}`).join('; '));
    this.problems = problems;
  }
}
