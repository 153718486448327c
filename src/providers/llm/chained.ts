import type { VendorFault } from '../../shared/vendor-fault.ts';
import type { BrainContext, LlmEvent, LlmProvider, LlmRequest, LlmSession } from '../ports/model.ts';
import type { Ears } from '../../voice/turn/ports.ts';
import type { After } from '../wire/after.ts';
import type { ChainHealth } from '../wire/health.ts';
import { hasHealthy, usableMember } from '../wire/usable-member.ts';
import { CALL_PATIENCE, ChainReply, TEXT_PATIENCE } from './chained-reply.ts';

const afterReal: After = (ms, work) => {
  const timer = setTimeout(work, ms);
  return () => clearTimeout(timer);
};

export interface ChainDeps {
  readonly health: ChainHealth;
  readonly after?: After;
  readonly now?: () => number;
}

/**
 * Language models in order of preference, the brain of this machine last. A reply comes from the first model that works:
 * one that fails or is slow before its first word hands over to the next within the reply. The brain of this machine
 * replies only for an agent that wants it; else a reply without a model fails.
 */
export class ChainedModel implements LlmProvider {
  readonly name: string;
  readonly #members: readonly LlmProvider[];
  readonly #deps: Required<ChainDeps>;

  constructor(members: readonly LlmProvider[], deps: ChainDeps) {
    this.name = members.map(({ name }) => name).join(',');
    this.#members = members;
    this.#deps = { after: afterReal, now: () => performance.now(), ...deps };
  }

  open(context: BrainContext): LlmSession {
    return new ChainSession(this.#members, context, this.#deps);
  }

  warm(): void {
    this.#members[usableMember(this.#members, this.#deps.health, { isLook: true })]?.warm?.();
  }

  async close(): Promise<void> {
    await Promise.all(this.#members.map((member) => member.close()));
  }
}

/** Memory of the chain: that of the model which gave the last reply. */
interface ChainMemory {
  readonly member: number;
  readonly own: unknown;
}
const isMemory = (memory: unknown): memory is ChainMemory =>
  typeof memory === 'object' && memory !== null && 'member' in memory && 'own' in memory;

/** One call's session: opens the session of a model when the model is first needed. */
class ChainSession implements LlmSession {
  readonly expectsFirst?: NonNullable<LlmSession['expectsFirst']>;
  readonly introduces?: string;
  readonly checksIn?: true;
  readonly #members: readonly LlmProvider[];
  #context: BrainContext;
  readonly #deps: Required<ChainDeps>;
  readonly #sessions = new Map<number, LlmSession>();
  /** The model of the last reply. */
  #current = 0;

  constructor(members: readonly LlmProvider[], context: BrainContext, deps: Required<ChainDeps>) {
    this.#members = members;
    this.#context = context;
    this.#deps = deps;
    const first = usableMember(members, deps.health, { isLook: true });
    const { expectsFirst, introduces, checksIn } = this.#session(this.#isSilent(first) ? 0 : first);
    if (expectsFirst !== undefined) this.expectsFirst = expectsFirst;
    if (introduces !== undefined) this.introduces = introduces;
    if (checksIn !== undefined) this.checksIn = checksIn;
  }

  reply(request: LlmRequest, onEvent: (event: LlmEvent) => void): void {
    const { health, after, now } = this.#deps;
    const { signal } = request;
    const member = usableMember(this.#members, health);
    const passedOver = health.brokenBy(this.#nameOf(0));
    if (this.#isSilent(member)) return this.#failed(passedOver, signal, onEvent);
    this.#report(member, passedOver, onEvent);
    const reply = new ChainReply({
      last: this.#members.length - 1,
      hasBrain: !this.#isSilent(this.#members.length - 1),
      patience: this.#context.channel === 'text' ? TEXT_PATIENCE : CALL_PATIENCE,
      signal,
      after,
      now,
      next: (from) => usableMember(this.#members, health, { from }),
      hasOther: (from) => hasHealthy(this.#members, health, from),
      ask: (index, ofReply, emit) => {
        const { memory } = request;
        const own = isMemory(memory) && memory.member === index ? memory.own : null;
        this.#session(index).reply({ ...request, memory: own, signal: ofReply }, emit);
      },
      nameOf: (index) => this.#nameOf(index),
      onFault: (index, fault) => {
        if (isOfVendor(fault)) health.broke(this.#nameOf(index), fault);
        else health.failed(fault);
      },
      onCut: (fault) => health.failed(fault),
      onWords: (index) => health.worked(this.#nameOf(index)),
      onDropped: (index) => health.returned(this.#nameOf(index)),
      onSwitch: (index, fault) => this.#report(index, fault, onEvent),
      emit: (index, event) => onEvent(this.#byMember(index, event)),
    });
    reply.start(member);
  }

  hears(ears: Ears): void {
    this.#context = { ...this.#context, ...ears };
    for (const session of this.#sessions.values()) session.hears?.(ears);
  }

  close(): void {
    for (const session of this.#sessions.values()) session.close();
  }

  /** The brain of this machine, for an agent that does not want it instead of its models. */
  #isSilent(index: number): boolean {
    const { length } = this.#members;
    return length > 1 && index === length - 1 && this.#context.onModelFailure !== 'script';
  }

  #failed(fault: VendorFault | null, signal: AbortSignal, onEvent: (event: LlmEvent) => void): void {
    const message = fault?.message ?? 'no language model may be asked now';
    queueMicrotask(() => {
      const named = fault === null ? {} : { fault };
      if (!signal.aborted) onEvent({ type: 'failed', message, retryable: false, ...named });
    });
  }

  #byMember(member: number, event: LlmEvent): LlmEvent {
    if (event.type !== 'done' && event.type !== 'delta') return event;
    const { name = '', model = null } = this.#members[member] ?? {};
    const by = { vendor: name, model, isFirst: member === 0 };
    if (event.type === 'delta') return { ...event, by };
    const named = { ...by, model: event.usage?.model ?? model };
    return { ...event, by: named, memory: { member, own: event.memory } satisfies ChainMemory };
  }

  #nameOf(index: number): string {
    return this.#members[index]?.name ?? '';
  }

  #session(index: number): LlmSession {
    const known = this.#sessions.get(index);
    if (known !== undefined) return known;
    const member = this.#members[index];
    if (member === undefined) throw new Error('a chain of models has no member');
    const session = member.open(this.#context);
    this.#sessions.set(index, session);
    return session;
  }

  #report(index: number, fault: VendorFault | null, onEvent: (event: LlmEvent) => void): void {
    if (index === this.#current) return;
    const isBack = index < this.#current;
    this.#current = index;
    if (fault === null || isBack) return;
    onEvent({
      type: 'switched',
      message: `${fault.message}; ${this.#nameOf(index)} replies instead`,
      fault,
    });
  }
}

/** Not of this one request, such as a prompt that the vendor refuses. */
const isOfVendor = ({ kind, status }: VendorFault): boolean =>
  kind !== 'rejected' || status === 403 || status === 404 || status === 405;
