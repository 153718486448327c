import type { ImportReport } from '../../../store/json/contact-import.ts';
import type { CallLevelConfig } from '../../../store/json/call-config.ts';
import type { Wire } from '../../../shared/wire-names.ts';
import type { Template } from '../../../store/json/template.ts';
import type { FieldProblem } from '../../../errors.ts';
import type { ColumnRules } from './contact-columns.ts';
import type { NumberRules } from '../../calls/contact-number.ts';
import type { WindowLevels } from '../../call-windows/calling-window.ts';
import type { Warning } from '../../warnings.ts';

/** How to read an uploaded list; fixed at upload and stored with the file. */
export interface ImportPlan {
  readonly agentId: string;
  /** The agent's active version at upload; the scheduler chooses the version again at the first attempt. */
  readonly versionId: string;
  readonly columns: ColumnRules;
  readonly numbers: NumberRules;
  /** The message of a campaign of a WhatsApp agent; null or absent: its contacts are called. */
  readonly template?: Template | null;
  readonly removeInvalidRows: boolean;
  readonly maxRows: number;
  readonly campaign: {
    readonly name: string;
    readonly callConfig: Wire<CallLevelConfig> | null;
    readonly countryCode: string | null;
    /** ISO 8601. */
    readonly startAt: string | null;
    readonly endAt: string | null;
  };
  /** When the campaign would call, and what its sender should know; absent in plans of an earlier version. */
  readonly calling?: { readonly window: WindowLevels | null; readonly warnings: readonly Warning[] };
}

/** Result of an import. */
export interface ImportOutcome {
  /** The reason of a failed import; null when the contacts are queued. */
  readonly failure: string | null;
  readonly totalRows: number;
  readonly successfulRows: number;
  readonly failedRows: number;
  readonly hasRejects: boolean;
  readonly report: ImportReport;
}

/** Thrown when the file as a whole is no readable contact list. */
export class ListRefused extends Error {
  override readonly name = 'ListRefused';
  readonly problems: readonly FieldProblem[];
  constructor(problems: readonly FieldProblem[]) {
    super(problems.map((p) => `${p.field} ${p.message}`).join('; '));
    this.problems = problems;
  }
}
