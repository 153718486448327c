import type { FaultKind } from '../shared/vendor-fault.ts';
import type { ConversationResult } from '../voice/conversation.ts';

/** A recogniser that failed in each of the last calls that used it. */
export interface FailingRecogniser {
  readonly vendor: string;
  /** Of the last fault. */
  readonly kind: FaultKind;
  readonly calls: number;
}

/** Fewer failed calls in a row may be chance. */
const NAMED_AFTER = 3;
/** Vendors have few names; more would fill the report. */
const MOST_NAMES = 50;
/** Words of this machine: their faults have a name of their own, and their audio is the offline engine's with a model. */
const MACHINE_WORDS = 'offline-words';

/** Counts, for each recogniser, the calls in a row in which it failed. A call that it heard without a fault ends the row. */
export class FailingRecognisers {
  readonly #rows = new Map<string, FailingRecogniser>();

  /** Returns the recogniser that this call named: it has failed in `NAMED_AFTER` calls in a row now. */
  ended({ faults = [], usage = [] }: Pick<ConversationResult, 'faults' | 'usage'>): FailingRecogniser | null {
    const failed = new Map(
      faults.flatMap((fault) => (fault.part === 'stt' ? [[fault.vendor, fault.kind] as const] : [])),
    );
    for (const use of usage) {
      if (use.part !== 'stt' || use.audioMs === 0) continue;
      const name = use.vendor === 'offline' && use.model !== null ? MACHINE_WORDS : use.vendor;
      if (!failed.has(name)) this.#rows.delete(name);
    }
    let named: FailingRecogniser | null = null;
    for (const [vendor, kind] of failed) {
      const calls = (this.#rows.get(vendor)?.calls ?? 0) + 1;
      if (calls === 1 && this.#rows.size >= MOST_NAMES) continue;
      const row = { vendor, kind, calls };
      this.#rows.set(vendor, row);
      if (calls === NAMED_AFTER) named = row;
    }
    return named;
  }

  list(): readonly FailingRecogniser[] {
    return [...this.#rows.values()].filter(({ calls }) => calls >= NAMED_AFTER);
  }
}
