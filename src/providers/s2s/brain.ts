import type { BrainContext, LlmEvent, LlmProvider, LlmSession } from '../ports/model.ts';
import type { Ears, HistoryItem } from '@callwright/turns';
import { Chain, Course, takesOver, type ChainDeps } from '../chain.ts';
import { vendorFault, type VendorFault } from '../wire/fault.ts';
import type { S2sCall } from './call.ts';

/** The vendor as a language model; after its fault, `next` replies. */
export const s2sBrain = (call: S2sCall, next: LlmProvider, deps: ChainDeps): LlmProvider => ({
  name: `${call.vendor.name},${next.name}`,
  open: (context) => new S2sBrain(call, next, context, deps),
  warm: () => next.warm?.(),
  close: () => next.close(),
});

type LlmMember = Pick<LlmProvider, 'name' | 'close'>;

class S2sBrain implements LlmSession {
  readonly introduces?: string;
  readonly checksIn = true;
  readonly #call: S2sCall;
  readonly #context: BrainContext;
  readonly #next: LlmProvider;
  readonly #chain: Chain<LlmMember>;
  #fallback: LlmSession | null = null;
  /** Capabilities of the recogniser that took over; null: the vendor hears. */
  #ears: Ears | null = null;
  #hasReported = false;

  constructor(call: S2sCall, next: LlmProvider, context: BrainContext, deps: ChainDeps) {
    this.#call = call;
    this.#next = next;
    this.#context = context;
    const vendor = { name: call.vendor.name, close: () => Promise.resolve() };
    this.#chain = new Chain<LlmMember>([vendor, next], deps);
    call.open({ context });
  }

  reply(request: Parameters<LlmSession['reply']>[0], onEvent: (event: LlmEvent) => void): void {
    const { signal, history, onCancelled } = request;
    const call = this.#call;
    const { name } = call.vendor;
    const course = new Course(this.#chain);
    const isAble = (index: number): boolean => index > 0 || call.fault === null;
    const reply = course.choose(isAble) === 0 ? call.requestReply(history, onCancelled) : null;
    if (reply === null) {
      const fault = call.fault ?? this.#chain.health.brokenBy(name);
      const lost = fault ?? vendorFault(name, 'lost', 'there is no connection');
      return this.#fallBack(lost, request, onEvent);
    }
    signal.addEventListener('abort', () => call.drop(reply), { once: true });
    let hasWords = false;
    reply.listen((event) => {
      if (signal.aborted) return;
      // The history lacks words that only the vendor heard; the session requests a reply once it has them.
      if (event.type === 'failed' && event.fault !== undefined && !hasWords && isAnswerable(history))
        return this.#fallBack(event.fault, request, onEvent);
      if (!hasWords && event.type === 'delta') course.worked();
      hasWords ||= event.type === 'delta' || event.type === 'tool';
      return onEvent(byOwn(name, event));
    });
  }

  hears(ears: Ears): void {
    this.#ears = ears;
    this.#fallback?.hears?.(ears);
  }

  close(): void {
    this.#fallback?.close();
    this.#call.close();
  }

  #fallBack(
    fault: VendorFault,
    request: Parameters<LlmSession['reply']>[0],
    onEvent: (event: LlmEvent) => void,
  ): void {
    if (!this.#hasReported) {
      this.#hasReported = true;
      onEvent({ type: 'switched', message: takesOver(fault, this.#next.name, 'replies'), fault });
    }
    this.#fallback ??= this.#next.open({ ...this.#context, ...this.#ears });
    this.#fallback.reply(request, (event) => onEvent(byNext(this.#next, event)));
  }
}

const byOwn = (vendor: string, event: LlmEvent): LlmEvent =>
  event.type === 'delta' || event.type === 'done'
    ? { ...event, by: { vendor, model: null, isFirst: true } }
    : event;

function byNext({ name, model }: LlmProvider, event: LlmEvent): LlmEvent {
  if (event.type !== 'delta' && event.type !== 'done') return event;
  const by = event.by ?? { vendor: name, model: model ?? null };
  return { ...event, by: { ...by, isFirst: false } };
}

const isAnswerable = (history: readonly HistoryItem[]): boolean =>
  history.length > 0 && history.at(-1)?.role !== 'agent';
