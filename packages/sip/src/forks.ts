import type { CallDialog } from './call-dialog.ts';
import { type SipResponse, tagOf } from './message.ts';
import { isNextReliable, rackOf, reliableSequence } from './reliable-response.ts';

/** Early dialogs of one call: a carrier forks to a handful of phones. */
const MAX_FORKS = 32;

export interface Fork {
  readonly dialog: CallDialog;
  readonly earlySdp: string | null;
  /** True once its 2xx was received and acknowledged. */
  readonly confirmed: boolean;
  /** RSeq of the last provisional response that got a PRACK. */
  readonly acknowledged: number | null;
}

/** The dialogs that the responses to one INVITE make, by To tag. */
export class Forks {
  readonly #open: (response: SipResponse) => CallDialog | null;
  readonly #forks = new Map<string, Fork>();
  /** `open` makes the dialog of a response; null: the response makes none. */
  constructor(open: (response: SipResponse) => CallDialog | null) {
    this.#open = open;
  }

  /** The fork that a response belongs to, made by its first response. Null if the response makes no dialog. */
  of(response: SipResponse, earlySdp: string | null): Fork | null {
    const tag = tagOf(response.to) ?? '';
    const existing = this.#forks.get(tag);
    if (existing !== undefined) {
      if (earlySdp === null || existing.confirmed) return existing;
      return this.#set(tag, { ...existing, earlySdp });
    }
    // A peer that invents To tags gets no dialog for each of them; an answer must be acknowledged in any case.
    if (this.#forks.size >= MAX_FORKS && response.status < 200) return null;
    const dialog = this.#open(response);
    return dialog === null
      ? null
      : this.#set(tag, { dialog, earlySdp, confirmed: false, acknowledged: null });
  }

  /** Notes a provisional response of a fork and sends its PRACK; false for a reliable one that is not the next. */
  progress(response: SipResponse, tag: string, earlySdp: string | null): boolean {
    const sequence = reliableSequence(response);
    const last = this.#forks.get(tag)?.acknowledged ?? null;
    if (sequence !== null && !isNextReliable(last, sequence)) return false;
    const fork = this.of(response, earlySdp);
    if (fork === null || sequence === null) return true;
    this.#set(tag, { ...fork, acknowledged: sequence });
    fork.dialog.prack(rackOf(response, sequence));
    return true;
  }

  /** Notes that the 2xx of a fork was received. */
  confirmed(response: SipResponse, fork: Fork): void {
    this.#set(tagOf(response.to) ?? '', { ...fork, confirmed: true });
  }

  /** Closes the dialogs that were not answered. */
  close(): void {
    for (const { dialog, confirmed } of this.#forks.values()) if (!confirmed) dialog.close();
  }

  /** Another INVITE follows in the same call. */
  reset(): void {
    this.close();
    this.#forks.clear();
  }

  #set(tag: string, fork: Fork): Fork {
    this.#forks.set(tag, fork);
    return fork;
  }
}
