import type { TurnNumber } from '../store/lanes.ts';

/** Which caller number is next: an individual call has its own, campaigns take theirs in turn. */
export class NumberTurns {
  readonly #own = new Map<string, TurnNumber>();
  readonly #ofLane = new Map<string, TurnNumber[]>();
  readonly #usedAt = new Map<string, number>();
  /** Microseconds: later than any use so far. */
  #last: number;

  constructor(numbers: readonly (TurnNumber & { readonly laneId: string | null })[], now: number) {
    this.#last = Math.max(now * 1000, ...numbers.map((n) => n.usedAt));
    for (const number of numbers) {
      if (number.laneId === null) this.#own.set(number.id, number);
      else this.#ofLane.set(number.laneId, [...(this.#ofLane.get(number.laneId) ?? []), number]);
    }
    // One that rests is left alone while any other is not: also where that one is busy.
    for (const [laneId, members] of this.#ofLane) {
      const fresh = members.filter((n) => n.restUntil === null || n.restUntil <= now);
      if (fresh.length > 0) this.#ofLane.set(laneId, fresh);
    }
  }

  /** The number's own for an individual call, else the campaign's least recently used one that is free. */
  next(
    call: { readonly laneId: string | null; readonly numberId: string | null },
    isFree: (number: TurnNumber) => boolean,
  ): TurnNumber | null {
    if (call.laneId === null) {
      const own = this.#own.get(call.numberId ?? '');
      return own !== undefined && isFree(own) ? own : null;
    }
    let best: TurnNumber | null = null;
    for (const number of this.#ofLane.get(call.laneId) ?? []) {
      if ((best === null || this.#at(number) < this.#at(best)) && isFree(number)) best = number;
    }
    return best;
  }

  /** The number makes a call now. Individual calls do not choose theirs, so they leave its turn as it is. */
  use(number: TurnNumber, laneId: string | null): void {
    if (laneId === null) return;
    this.#last += 1;
    this.#usedAt.set(number.id, this.#last);
  }

  /** The numbers used in this turn, with the moment of the last use of each. */
  used(): { id: string; usedAt: number }[] {
    return [...this.#usedAt].map(([id, usedAt]) => ({ id, usedAt }));
  }

  #at(number: TurnNumber): number {
    return this.#usedAt.get(number.id) ?? number.usedAt;
  }
}
