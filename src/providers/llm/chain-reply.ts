import type { VendorFault } from '../../shared/vendor-fault.ts';
import type { LlmEvent } from '../../voice/ports.ts';
import { vendorFault } from '../vendor/fault.ts';
import type { After } from './chain.ts';

/** Longest wait for the first word of a model while another one can still be asked. */
const FIRST_WORD_MS = 1_800;
/** Time of all models together; then the brain of this machine replies. The turn machine gives up after 3.5 s. */
const MODELS_MS = 3_200;
/** Less time is not enough for a model. */
const SHORTEST_MS = 500;
/** A request that is lost this early is sent once more if no other model is left. */
const AGAIN_MS = 1_000;

export interface ChainReplyDeps {
  /** Index of the brain of this machine. */
  readonly last: number;
  readonly signal: AbortSignal;
  readonly after: After;
  readonly now: () => number;
  /** The first usable model from an index on. */
  next(from: number): number;
  ask(index: number, signal: AbortSignal, emit: (event: LlmEvent) => void): void;
  nameOf(index: number): string;
  /** The model failed before its first word. */
  onFault(index: number, fault: VendorFault): void;
  /** The model failed in the middle of its reply. */
  onCut(fault: VendorFault): void;
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
    const leftMs = this.#startedAt + MODELS_MS - deps.now();
    const limitMs = deps.next(index + 1) === last ? leftMs : Math.min(FIRST_WORD_MS, leftMs);
    const cancel = isLast
      ? () => undefined
      : deps.after(limitMs, () => fail(vendorFault(deps.nameOf(index), 'timeout', 'no word of a reply')));
    const fail = (fault: VendorFault): void => {
      cancel();
      own.abort();
      if (!signal.aborted) this.#handOver(index, fault);
    };
    signal.addEventListener('abort', cancel, { once: true });
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
      hasWords = true;
      cancel();
      deps.emit(index, event);
    });
  }

  #handOver(index: number, fault: VendorFault): void {
    const deps = this.#deps;
    const { last } = deps;
    const isEarly = deps.now() - this.#startedAt < AGAIN_MS;
    if (
      fault.retryable &&
      fault.kind === 'lost' &&
      isEarly &&
      !this.#hasTriedAgain &&
      deps.next(index + 1) === last
    ) {
      this.#hasTriedAgain = true;
      return this.start(index);
    }
    deps.onFault(index, fault);
    const isLate = deps.now() - this.#startedAt > MODELS_MS - SHORTEST_MS;
    const following = isLate ? last : deps.next(index + 1);
    deps.onSwitch(following, fault);
    this.start(following);
  }
}
