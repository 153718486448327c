import type { VendorFault } from '../../shared/vendor-fault.ts';
import type { BrainContext, Ears, LlmEvent, LlmProvider, LlmSession } from '../../voice/ports.ts';
import type { ChainHealth } from '../vendor/health.ts';
import { ChainReply } from './chain-reply.ts';

/** Runs work after a delay; returns its cancellation. */
export type After = (ms: number, work: () => void) => () => void;

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
 * one that fails or is slow before its first word hands over to the next within the reply.
 */
export class ModelChain implements LlmProvider {
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
    this.#members.find((member) => this.#deps.health.brokenBy(member.name) === null)?.warm?.();
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
    const { expectsFirst, introduces, checksIn } = this.#session(this.#next(0));
    if (expectsFirst !== undefined) this.expectsFirst = expectsFirst;
    if (introduces !== undefined) this.introduces = introduces;
    if (checksIn !== undefined) this.checksIn = checksIn;
  }

  reply(request: Parameters<LlmSession['reply']>[0], onEvent: (event: LlmEvent) => void): void {
    const member = this.#next(0);
    this.#report(member, this.#deps.health.brokenBy(this.#members[0]?.name ?? ''), onEvent);
    const { health, after, now } = this.#deps;
    const reply = new ChainReply({
      last: this.#members.length - 1,
      signal: request.signal,
      after,
      now,
      next: (from) => this.#next(from),
      ask: (index, signal, emit) => {
        const { memory } = request;
        const own = isMemory(memory) && memory.member === index ? memory.own : null;
        this.#session(index).reply({ ...request, memory: own, signal }, emit);
      },
      nameOf: (index) => this.#members[index]?.name ?? '',
      onFault: (index, fault) => {
        if (isOfVendor(fault)) health.broke(this.#members[index]?.name ?? '', fault);
        else health.failed(fault);
      },
      onCut: (fault) => health.failed(fault),
      onSwitch: (index, fault) => this.#report(index, fault, onEvent),
      emit: (index, event) => {
        if (event.type !== 'done') return onEvent(event);
        return onEvent({ ...event, memory: { member: index, own: event.memory } satisfies ChainMemory });
      },
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

  /** The first model from `index` on that is not passed over; the last one always answers. */
  #next(index: number): number {
    const last = this.#members.length - 1;
    for (let i = index; i < last; i++) {
      if (this.#deps.health.brokenBy(this.#members[i]?.name ?? '') === null) return i;
    }
    return last;
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
    const { name = '' } = this.#members[index] ?? {};
    onEvent({ type: 'switched', message: `${fault.message}; ${name} replies instead`, fault });
  }
}

/** Not of this one request, such as a prompt that the vendor refuses. */
const isOfVendor = ({ kind, status }: VendorFault): boolean =>
  kind !== 'rejected' || status === 403 || status === 404 || status === 405;
