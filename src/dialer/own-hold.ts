/** Whether we hold the far side, and whether members and transfers want us to. `offering`: the hold that our open offer asks for; null: no offer is open. */
export interface HoldState {
  readonly isHeld: boolean;
  readonly isWished: boolean;
  readonly offering: boolean | null;
}

export type HoldEvent =
  | { readonly type: 'wished'; readonly isHeld: boolean }
  /** The far side took our offer. */
  | { readonly type: 'accepted' }
  /** It refused our offer: the call stays as it was. */
  | { readonly type: 'refused' };

export type HoldEffect =
  /** Offer it to the far side; `accepted` or `refused` follows. */
  | { readonly type: 'offer'; readonly isHeld: boolean }
  | { readonly type: 'changed'; readonly isHeld: boolean }
  | { readonly type: 'refused'; readonly isHeld: boolean };

export const NOT_HELD: HoldState = { isHeld: false, isWished: false, offering: null };

/** One offer at a time; the last wish wins. Pure. */
export function stepHold(
  state: HoldState,
  event: HoldEvent,
): { readonly state: HoldState; readonly effects: readonly HoldEffect[] } {
  if (event.type === 'wished') return offered({ ...state, isWished: event.isHeld }, []);
  const { offering } = state;
  if (offering === null) return { state, effects: [] };
  if (event.type === 'accepted') {
    const changed: HoldEffect = { type: 'changed', isHeld: offering };
    return offered({ ...state, isHeld: offering, offering: null }, [changed]);
  }
  // The member took the wish back before the far side refused it, so no member hears of the refusal.
  const effects: readonly HoldEffect[] =
    state.isWished === offering ? [{ type: 'refused', isHeld: offering }] : [];
  return { state: { ...state, isWished: state.isHeld, offering: null }, effects };
}

function offered(state: HoldState, effects: readonly HoldEffect[]): ReturnType<typeof stepHold> {
  const { isHeld, isWished, offering } = state;
  if (offering !== null || isHeld === isWished) return { state, effects };
  return {
    state: { ...state, offering: isWished },
    effects: [...effects, { type: 'offer', isHeld: isWished }],
  };
}

/** Who wants the far side on hold. */
export type Holder = 'member' | 'transfer';

interface OwnHoldDeps {
  /** Offers a hold to the far side, or its end, and reports whether it was taken. */
  offer(isHeld: boolean, done: (isTaken: boolean) => void): void;
  /** The far side accepted the hold or the resume. `by`: who asked for it. */
  onChanged(isHeld: boolean, by: string): void;
  onRefused(isHeld: boolean): void;
}

/** The hold of one call: its far side waits as long as anybody wants it to. */
export class OwnHold {
  readonly #deps: OwnHoldDeps;
  readonly #holders = new Set<Holder>();
  #state = NOT_HELD;
  #by = '';

  constructor(deps: OwnHoldDeps) {
    this.#deps = deps;
  }

  /** The far side waits, or will once it has taken the offer. */
  get isWished(): boolean {
    return this.#state.isWished;
  }

  /** `by`: who wants it, for the record. */
  hold(holder: Holder, by: string): void {
    this.#holders.add(holder);
    this.#wish(by);
  }

  /** This holder wants the far side back; it waits as long as another one holds it. */
  release(holder: Holder, by: string): void {
    this.#holders.delete(holder);
    this.#wish(by);
  }

  /** Ends the hold of every holder. */
  releaseAll(by: string): void {
    this.#holders.clear();
    this.#wish(by);
  }

  #wish(by: string): void {
    this.#by = by;
    this.#take({ type: 'wished', isHeld: this.#holders.size > 0 });
  }

  #take(event: HoldEvent): void {
    const { state, effects } = stepHold(this.#state, event);
    this.#state = state;
    for (const effect of effects) {
      if (effect.type === 'changed') this.#deps.onChanged(effect.isHeld, this.#by);
      else if (effect.type === 'refused') {
        // A refused hold has no holder; after a refused resume the far side is still on hold, for a member to try again.
        if (effect.isHeld) this.#holders.clear();
        else this.#holders.add('member');
        this.#deps.onRefused(effect.isHeld);
      } else
        this.#deps.offer(effect.isHeld, (isTaken) => this.#take({ type: isTaken ? 'accepted' : 'refused' }));
    }
  }
}
