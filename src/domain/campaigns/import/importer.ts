import type { FieldProblem } from '../../../errors.ts';
import type { ImportOutcome } from './import-plan.ts';
import type { ImportTask } from './run-import.ts';

export type ImportResult =
  | { readonly kind: 'done'; readonly outcome: ImportOutcome }
  /** The file is no contact list. */
  | { readonly kind: 'refused'; readonly problems: readonly FieldProblem[] }
  /** Another process has it in hand, or nobody wants it any more. */
  | { readonly kind: 'not_ours' };

/** Reads uploaded lists beside the thread that asks. Rejects when another attempt may help. */
export interface Importer {
  run(task: ImportTask): Promise<ImportResult>;
}
