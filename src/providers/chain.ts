import { systemScheduler, type Scheduler } from '../shared/clock.ts';
import type { VendorFault } from '../shared/vendor-fault.ts';
import { VendorHealth, type ChainHealth } from './wire/health.ts';

/** Where a member stands when the next one is chosen. `failed`: asked only while no other vendor works. */
export type Standing = 'works' | 'failed' | 'unable';

/**
 * The members to try in order. Vendors come first: the one that works, else every one that failed. The last member is the
 * engine of this machine, which always works.
 */
export function candidates(standings: readonly Standing[]): readonly number[] {
  const last = standings.length - 1;
  const vendors = standings.slice(0, -1);
  const working = vendors.indexOf('works');
  if (working >= 0) return [working];
  return [...vendors.flatMap((standing, i) => (standing === 'failed' ? [i] : [])), last];
}

/** What a part allows a member that failed. */
export interface Retries {
  /** Delays before each new try of the same member. */
  readonly delaysMs: readonly number[];
  /** A new try may help: the fault passes, and there is time. */
  readonly mayRetry: boolean;
}

/** The delay until the same member is tried again; null: the next member takes over. */
export const retryDelay = (tries: number, { delaysMs, mayRetry }: Retries): number | null =>
  (mayRetry ? delaysMs[tries] : undefined) ?? null;

/** What readers of a call learn when a member takes over after a fault. */
export const takesOver = (
  fault: VendorFault,
  name: string,
  does: 'recognises' | 'replies' | 'speaks',
): string => `${fault.message}; ${name} ${does} instead`;

interface Member {
  readonly name: string;
  close(): Promise<void>;
}

export interface ChainDeps {
  /** Shared by all calls. Absent: this chain's own. */
  readonly health?: ChainHealth;
  readonly scheduler?: Scheduler;
}

/** Whether a member can do the work at all, such as speak a language. */
type IsAble = (index: number) => boolean;
const EVERY: IsAble = () => true;

/** Recognisers, models or voices in order of preference. The last one is the engine of this machine. */
export class Chain<M extends Member> {
  readonly members: readonly M[];
  readonly health: ChainHealth;
  readonly scheduler: Scheduler;

  constructor(
    members: readonly M[],
    { health = new VendorHealth(), scheduler = systemScheduler }: ChainDeps,
  ) {
    this.members = members;
    this.health = health;
    this.scheduler = scheduler;
  }

  get name(): string {
    return this.members.map(({ name }) => name).join(',');
  }

  get last(): number {
    return this.members.length - 1;
  }

  nameOf(index: number): string {
    return this.members[index]?.name ?? '';
  }

  /** The same chain with other members, for one call. */
  with(members: readonly M[]): Chain<M> {
    return new Chain(members, this);
  }

  /** The member that would serve a new conversation. Takes no turn to ask a vendor that failed. */
  first(isAble: IsAble = EVERY): number {
    return new Course(this).look(isAble);
  }

  async close(): Promise<void> {
    await Promise.all(this.members.map((member) => member.close()));
  }
}

/** Members that failed a call. Its replies share them, so that a voice does not change back and forth. */
export class LostMembers {
  readonly indexes = new Set<number>();
  /** Why one is lost, until a reply reports it. */
  fault: VendorFault | null = null;
}

/**
 * The way of one reply, or of one recognition, along a chain: which member serves, and which one after a fault. A member
 * that failed in it does not serve it again.
 */
export class Course<M extends Member> {
  readonly chain: Chain<M>;
  /** The member that serves; -1: none was chosen yet. */
  index = -1;
  readonly #lost: LostMembers | null;
  readonly #failed = new Set<number>();
  /** Members that failed earlier and are asked again. */
  readonly #asked = new Set<number>();
  #tries = 0;
  #isLate = false;

  constructor(chain: Chain<M>, lost: LostMembers | null = null) {
    this.chain = chain;
    this.#lost = lost;
  }

  get isLast(): boolean {
    return this.index === this.chain.last;
  }

  /** The member that `choose` would return, without a turn to ask a vendor that failed. */
  look(isAble: IsAble = EVERY): number {
    return this.#find(isAble, (name) => this.chain.health.mayAsk(name));
  }

  /** Chooses the member that serves now. */
  choose(isAble: IsAble = EVERY): number {
    this.index = this.#find(isAble, (name, index) => {
      const asks = this.chain.health.asksAgain(name);
      if (asks) this.#asked.add(index);
      if (asks && this.#lost !== null) this.#lost.fault = null;
      return asks;
    });
    return this.index;
  }

  /** Another vendor works that could serve in place of the present member. */
  hasOther(): boolean {
    const isOther = (i: number): boolean => i !== this.index;
    return this.#standings(isOther).slice(0, -1).includes('works');
  }

  /**
   * The present member failed, or the one named. Returns the delay until it is tried again; null: `choose` names another.
   * `isOfRequest`: the fault is of one request, so other calls keep the vendor.
   */
  failed(
    fault: VendorFault,
    retries: Retries,
    { index = this.index, isOfRequest = false }: { index?: number; isOfRequest?: boolean } = {},
  ): number | null {
    const { health } = this.chain;
    const delayMs = retryDelay(this.#tries, retries);
    this.#tries = delayMs === null ? 0 : this.#tries + 1;
    if (delayMs !== null) return delayMs;
    if (isOfRequest) health.failed(fault);
    else health.broke(this.chain.nameOf(index), fault);
    this.#failed.add(index);
    this.#asked.delete(index);
    if (this.#lost !== null) {
      this.#lost.indexes.add(index);
      this.#lost.fault = fault;
    }
    return null;
  }

  /** The member answers. */
  worked(index = this.index): void {
    if (index === this.chain.last) return;
    this.#asked.delete(index);
    this.#lost?.indexes.delete(index);
    this.chain.health.worked(this.chain.nameOf(index));
  }

  /** Cancelled before an answer of the members that were asked again: other calls may ask them at once. */
  cancelled(): void {
    for (const index of this.#asked) this.chain.health.returned(this.chain.nameOf(index));
    this.#asked.clear();
  }

  /** The next fault is the first one of its member. */
  resetTries(): void {
    this.#tries = 0;
  }

  /** The time for vendors is over: the last member serves. */
  tooLate(): void {
    this.#isLate = true;
  }

  /** The name of the member that serves. */
  get name(): string {
    return this.chain.nameOf(this.index);
  }

  /** Every member may serve again. */
  restart(): void {
    this.#failed.clear();
    this.#tries = 0;
  }

  #find(isAble: IsAble, asks: (name: string, index: number) => boolean): number {
    const standings = this.#standings(isAble);
    const isUsable = (i: number): boolean =>
      i === this.chain.last || standings[i] === 'works' || asks(this.chain.nameOf(i), i);
    return candidates(standings).find(isUsable) ?? this.chain.last;
  }

  #standings(isAble: IsAble): Standing[] {
    return this.chain.members.map(({ name }, i): Standing => {
      if (this.#isLate || this.#failed.has(i) || !isAble(i)) return 'unable';
      return this.#works(name, i) ? 'works' : 'failed';
    });
  }

  #works(name: string, index: number): boolean {
    const fault = this.chain.health.brokenBy(name);
    const lost = this.#lost;
    if (lost === null) return fault === null;
    if (this.#asked.has(index)) return true;
    if (fault !== null && index < this.chain.last && !lost.indexes.has(index)) {
      lost.indexes.add(index);
      lost.fault ??= fault;
    }
    return !lost.indexes.has(index);
  }
}
