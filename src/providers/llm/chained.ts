import type { VendorFault } from '../../shared/vendor-fault.ts';
import type { Ears } from '@callwright/turns';
import { Chain, Course, takesOver, type ChainDeps } from '../chain.ts';
import type { BrainContext, LlmEvent, LlmProvider, LlmRequest, LlmSession } from '../ports/model.ts';
import { CALL_PATIENCE, ChainedReply, TEXT_PATIENCE } from './chained-reply.ts';

/**
 * Language models in a chain, the script engine last. A model that fails or stalls before its first word hands over within
 * the reply. The script engine replies only for agents that allow it; otherwise a reply without a model fails.
 */
export class ChainedModel implements LlmProvider {
  readonly #chain: Chain<LlmProvider>;

  constructor(members: readonly LlmProvider[], deps: ChainDeps = {}) {
    this.#chain = new Chain(members, deps);
  }

  get name(): string {
    return this.#chain.name;
  }

  /** The script engine, which needs no vendor. */
  get last(): LlmProvider | undefined {
    return this.#chain.members.at(-1);
  }

  open(context: BrainContext): LlmSession {
    return new ChainedSession(this.#chain, context);
  }

  warm(): void {
    this.#chain.members[this.#chain.first()]?.warm?.();
  }

  close(): Promise<void> {
    return this.#chain.close();
  }
}

/** Memory of the chain: the memory of the model that replied last. */
interface ChainMemory {
  readonly member: number;
  readonly own: unknown;
}
const isMemory = (memory: unknown): memory is ChainMemory =>
  typeof memory === 'object' && memory !== null && 'member' in memory && 'own' in memory;

/** One call's session: opens the session of a model when the model is first needed. */
class ChainedSession implements LlmSession {
  readonly expectsFirst?: NonNullable<LlmSession['expectsFirst']>;
  readonly introduces?: string;
  readonly checksIn?: true;
  readonly #chain: Chain<LlmProvider>;
  #context: BrainContext;
  readonly #sessions = new Map<number, LlmSession>();
  /** The model of the last reply. */
  #current = 0;

  constructor(chain: Chain<LlmProvider>, context: BrainContext) {
    this.#chain = chain;
    this.#context = context;
    const first = chain.first();
    const { expectsFirst, introduces, checksIn } = this.#session(this.#isSilent(first) ? 0 : first);
    if (expectsFirst !== undefined) this.expectsFirst = expectsFirst;
    if (introduces !== undefined) this.introduces = introduces;
    if (checksIn !== undefined) this.checksIn = checksIn;
  }

  reply(request: LlmRequest, onEvent: (event: LlmEvent) => void): void {
    const course = new Course(this.#chain);
    const passedOver = this.#chain.health.brokenBy(this.#chain.nameOf(0));
    if (this.#isSilent(course.choose())) return this.#failed(passedOver, request.signal, onEvent);
    this.#report(course, passedOver, onEvent);
    const { last } = this.#chain;
    const reply = new ChainedReply({
      course,
      hasBrain: !this.#isSilent(last),
      patience: this.#context.channel === 'text' ? TEXT_PATIENCE : CALL_PATIENCE,
      signal: request.signal,
      ask: (index, signal, emit) => {
        const { memory } = request;
        const own = isMemory(memory) && memory.member === index ? memory.own : null;
        this.#session(index).reply({ ...request, memory: own, signal }, emit);
      },
      onSwitch: (fault) => this.#report(course, fault, onEvent),
      emit: (index, event) => onEvent(this.#byMember(index, event)),
    });
    reply.start();
  }

  hears(ears: Ears): void {
    this.#context = { ...this.#context, ...ears };
    for (const session of this.#sessions.values()) session.hears?.(ears);
  }

  close(): void {
    for (const session of this.#sessions.values()) session.close();
  }

  /** The script engine, for an agent that does not allow it as a fallback. */
  #isSilent(index: number): boolean {
    const { last } = this.#chain;
    return last > 0 && index === last && this.#context.onModelFailure !== 'script';
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
    const { name = '', model = null } = this.#chain.members[member] ?? {};
    const by = { vendor: name, model, isFirst: member === 0 };
    if (event.type === 'delta') return { ...event, by };
    const named = { ...by, model: event.usage?.model ?? model };
    return { ...event, by: named, memory: { member, own: event.memory } satisfies ChainMemory };
  }

  #session(index: number): LlmSession {
    const known = this.#sessions.get(index);
    if (known !== undefined) return known;
    const member = this.#chain.members[index];
    if (member === undefined) throw new Error('a chain of models has no member');
    const session = member.open(this.#context);
    this.#sessions.set(index, session);
    return session;
  }

  #report(course: Course<LlmProvider>, fault: VendorFault | null, onEvent: (event: LlmEvent) => void): void {
    const { index } = course;
    if (index === this.#current) return;
    const isBack = index < this.#current;
    this.#current = index;
    if (fault === null || isBack) return;
    onEvent({ type: 'switched', message: takesOver(fault, course.name, 'replies'), fault });
  }
}
