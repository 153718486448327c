import type { VendorFault } from '../../shared/vendor-fault.ts';
import type { LlmEvent } from '../ports/model.ts';
import { vendorFault } from '../wire/fault.ts';
import type { After } from '../wire/after.ts';

/** How long a reply waits for its first word. */
interface Patience {
  /** Of one model while another one can still be asked. */
  readonly firstWordMs: number;
  /** Of all models together. */
  readonly modelsMs: number;
}
/** The turn machine gives up after 3.5 s. */
export const CALL_PATIENCE: Patience = { firstWordMs: 1_800, modelsMs: 3_200 };
/** A person who writes can wait longer than one on the phone. */
export const TEXT_PATIENCE: Patience = { firstWordMs: 8_000, modelsMs: 20_000 };
/** Less time is not enough for a model. */
const SHORTEST_MS = 500;
/** A request that is lost this early is sent once more if no other model is left. */
const AGAIN_MS = 1_000;

export interface ChainReplyDeps {
  /** Index of the brain of this machine. */
  readonly last: number;
  /** Whether that brain replies when no model does; else the reply fails. */
  readonly hasBrain: boolean;
  readonly patience: Patience;
  readonly signal: AbortSignal;
  readonly after: After;
  readonly now: () => number;
  /** The model to ask next, from an index on. */
  next(from: number): number;
  /** A model from this index on has not failed. */
  hasOther(from: number): boolean;
  ask(index: number, signal: AbortSignal, emit: (event: LlmEvent) => void): void;
  nameOf(index: number): string;
  /** The model failed before its first word. */
  onFault(index: number, fault: VendorFault): void;
  /** The model failed in the middle of its reply. */
  onCut(fault: VendorFault): void;
  /** The model answers. */
  onWords(index: number): void;
  /** The reply was cancelled before the model's first word. */
  onDropped(index: number): void;
  onSwitch(index: number, fault: VendorFault): void;
  emit(index: number, event: LlmEvent): void;
}

/** One reply over several models: words of one model only, so that nothing is spoken twice. */
export class ChainReply {
  readonly #deps: ChainReplyDeps;
  readonly #startedAt: number;
  #hasTriedAgain = false;

  constructor(deps: ChainReplyDeps) {
    this.#deps = deps;
    this.#startedAt = deps.now();
  }

  start(index: number): void {
    const deps = this.#deps;
    const { signal, last } = deps;
    if (signal.aborted) return;
    const own = new AbortController();
    const isLast = index === last;
    let hasWords = false;
    const { firstWordMs, modelsMs } = deps.patience;
    const leftMs = this.#startedAt + modelsMs - deps.now();
    const limitMs = deps.hasOther(index + 1) ? Math.min(firstWordMs, leftMs) : leftMs;
    const cancel = isLast
      ? () => undefined
      : deps.after(limitMs, () => fail(vendorFault(deps.nameOf(index), 'timeout', 'no word of a reply')));
    const fail = (fault: VendorFault): void => {
      cancel();
      own.abort();
      if (!signal.aborted) this.#handOver(index, fault);
    };
    const onAbort = (): void => {
      cancel();
      if (!isLast && !hasWords && !own.signal.aborted) deps.onDropped(index);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    deps.ask(index, AbortSignal.any([signal, own.signal]), (event) => {
      if (own.signal.aborted) return;
      if (event.type === 'failed') {
        const { retryable, message } = event;
        const fault = event.fault ?? vendorFault(deps.nameOf(index), 'lost', message, { retryable });
        if (!isLast && !hasWords) return fail(fault);
        cancel();
        if (!isLast) deps.onCut(fault);
        // A new reply may go on with another model.
        return deps.emit(index, isLast ? event : { ...event, retryable: true });
      }
      if (!hasWords && !isLast) deps.onWords(index);
      hasWords = true;
      cancel();
      deps.emit(index, event);
    });
  }

  #handOver(index: number, fault: VendorFault): void {
    const deps = this.#deps;
    const { last, hasBrain } = deps;
    const spentMs = deps.now() - this.#startedAt;
    const isPassing = fault.retryable && fault.kind === 'lost' && spentMs < AGAIN_MS;
    if (isPassing && !this.#hasTriedAgain && !deps.hasOther(index + 1)) {
      this.#hasTriedAgain = true;
      return this.start(index);
    }
    deps.onFault(index, fault);
    const isLate = spentMs > deps.patience.modelsMs - SHORTEST_MS;
    const following = isLate ? last : deps.next(index + 1);
    if (following === last && !hasBrain) {
      const { message } = fault;
      return deps.emit(index, { type: 'failed', message, retryable: false, fault });
    }
    deps.onSwitch(following, fault);
    this.start(following);
  }
}
