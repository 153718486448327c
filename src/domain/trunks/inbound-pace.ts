import { refill, startPace, take, waitMs, type Pace } from './capacity.ts';

/** How fast inbound calls of each trunk may begin in this process. */
export class InboundPace {
  readonly #now: () => number;
  readonly #paces = new Map<string, Pace>();

  /** `now`: a monotonic clock in ms. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** False: the trunk's calls come faster than `perSecond`. */
  take(trunkId: string, perSecond: number): boolean {
    const at = this.#now();
    const known = this.#paces.get(trunkId);
    const pace = known?.perSecond === perSecond ? refill(known, at) : startPace(perSecond, at);
    const isFree = waitMs(pace) === 0;
    this.#paces.set(trunkId, isFree ? take(pace, 1) : pace);
    return isFree;
  }
}
