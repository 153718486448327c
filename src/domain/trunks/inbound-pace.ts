import { lockInboundPace, storeInboundPace } from '../../store/calls/inbound.ts';
import type { Tx } from '../../store/database.ts';
import { refill, startPace, take, waitMs, type Pace } from './capacity.ts';

/**
 * How fast inbound calls of each trunk may begin in this process. It spares the database the calls that this process alone would refuse;
 * `takeInboundPace` decides for all processes that the carrier sends calls of the trunk to.
 */
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

/**
 * Takes a call from the pace of the trunk's inbound calls in all processes, under the lock of the trunk. False: they come faster than
 * `perSecond`. `now`: epoch ms.
 */
export async function takeInboundPace(
  tx: Tx,
  trunkId: string,
  perSecond: number,
  now: number,
): Promise<boolean> {
  const stored = await lockInboundPace(tx, trunkId);
  const pace = stored === null ? startPace(perSecond, now) : refill({ ...stored, perSecond }, now);
  if (waitMs(pace) > 0) return false;
  await storeInboundPace(tx, trunkId, take(pace, 1));
  return true;
}
