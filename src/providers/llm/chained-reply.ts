import type { VendorFault } from '../../shared/vendor-fault.ts';
import type { Course } from '../chain.ts';
import type { LlmEvent, LlmProvider } from '../ports/model.ts';
import { vendorFault } from '../wire/fault.ts';

/** How long a reply waits for its first word. */
interface Patience {
  /** For one model while another one is left. */
  readonly firstWordMs: number;
  /** For all models together. */
  readonly modelsMs: number;
}
/** The turn machine gives up after 3.5 s. */
export const CALL_PATIENCE: Patience = { firstWordMs: 1_800, modelsMs: 3_200 };
/** A chat tolerates a longer wait than a call. */
export const TEXT_PATIENCE: Patience = { firstWordMs: 8_000, modelsMs: 20_000 };
/** A model gets no request with less time left. */
const SHORTEST_MS = 500;
/** A request that fails this early is repeated once if no other model is left. */
const AGAIN_MS = 1_000;

/** A failed request is repeated once, immediately. */
const RETRY_MS = [0] as const;

export interface ChainedReplyDeps {
  /** The chosen model. */
  readonly course: Course<LlmProvider>;
  /** The script engine replies if no model does; otherwise the reply fails. */
  readonly hasBrain: boolean;
  readonly patience: Patience;
  readonly signal: AbortSignal;
  ask(index: number, signal: AbortSignal, emit: (event: LlmEvent) => void): void;
  /** Another model takes over because of this fault. */
  onSwitch(fault: VendorFault): void;
  emit(index: number, event: LlmEvent): void;
}

/** One reply over several models. Only one of them contributes words, so nothing is spoken twice. */
export class ChainedReply {
  readonly #deps: ChainedReplyDeps;
  readonly #startedAt: number;
  #hasRetried = false;

  constructor(deps: ChainedReplyDeps) {
    this.#deps = deps;
    this.#startedAt = deps.course.chain.scheduler.now();
  }

  start(): void {
    const deps = this.#deps;
    const { signal, course } = deps;
    if (signal.aborted) return;
    const { chain, index, isLast } = course;
    const own = new AbortController();
    let hasWords = false;
    const { firstWordMs, modelsMs } = deps.patience;
    const leftMs = modelsMs - this.#spentMs;
    const limitMs = course.hasOther() ? Math.min(firstWordMs, leftMs) : leftMs;
    const name = chain.nameOf(index);
    const cancel = isLast
      ? () => undefined
      : chain.scheduler.after(limitMs, () => fail(vendorFault(name, 'timeout', 'no word of a reply')));
    const fail = (fault: VendorFault): void => {
      cancel();
      own.abort();
      if (!signal.aborted) this.#handOver(fault);
    };
    const onAbort = (): void => {
      cancel();
      if (!hasWords) course.cancelled();
    };
    signal.addEventListener('abort', onAbort, { once: true });
    deps.ask(index, AbortSignal.any([signal, own.signal]), (event) => {
      if (own.signal.aborted) return;
      if (event.type === 'failed') {
        const { retryable, message } = event;
        const fault = event.fault ?? vendorFault(name, 'lost', message, { retryable });
        if (!isLast && !hasWords) return fail(fault);
        cancel();
        if (!isLast) chain.health.failed(fault);
        // The next reply may use another model.
        return deps.emit(index, isLast ? event : { ...event, retryable: true });
      }
      if (!hasWords) course.worked();
      hasWords = true;
      cancel();
      deps.emit(index, event);
    });
  }

  get #spentMs(): number {
    return this.#deps.course.chain.scheduler.now() - this.#startedAt;
  }

  #handOver(fault: VendorFault): void {
    const deps = this.#deps;
    const { course, hasBrain, patience } = deps;
    const { index } = course;
    const spentMs = this.#spentMs;
    const isPassing = fault.retryable && fault.kind === 'lost' && spentMs < AGAIN_MS;
    const mayRetry = isPassing && !this.#hasRetried && !course.hasOther();
    this.#hasRetried ||= mayRetry;
    const isOfRequest = !isOfVendor(fault);
    if (course.failed(fault, { delaysMs: RETRY_MS, mayRetry }, { isOfRequest }) !== null) return this.start();
    if (spentMs > patience.modelsMs - SHORTEST_MS) course.tooLate();
    course.choose();
    if (course.isLast && !hasBrain) {
      const { message } = fault;
      return deps.emit(index, { type: 'failed', message, retryable: false, fault });
    }
    deps.onSwitch(fault);
    this.start();
  }
}

/** Whether the fault concerns the vendor, and not only this request (such as a refused prompt). */
const isOfVendor = ({ kind, status }: VendorFault): boolean =>
  kind !== 'rejected' || status === 403 || status === 404 || status === 405;
