/** Packets behind the highest index that may still arrive: 2.5 s of packets of 20 ms. */
const WINDOW = 128;
const HALF = 0x8000;

/**
 * The packet indices of one SSRC that authenticated packets used (RFC 3711 section 3.3). An index of RTP is the rollover
 * counter times 2^16 plus the sequence number; one of RTCP is sent in the packet. Pure.
 */
export interface ReplayWindow {
  /** The highest index; -1 before the first packet. */
  highest: number;
  /** A bit for each of the last `WINDOW` indices, at its remainder. */
  readonly seen: Uint32Array;
}

export const createReplayWindow = (): ReplayWindow => ({
  highest: -1,
  seen: new Uint32Array(WINDOW / 32),
});

/** The rollover counter that the sender most likely used for the sequence number (RFC 3711 appendix A). */
export function estimateRollover(window: ReplayWindow, sequence: number): number {
  const { highest } = window;
  if (highest < 0) return 0;
  const rollover = Math.floor(highest / 0x10000);
  const last = highest % 0x10000;
  if (last < HALF) return sequence - last > HALF ? Math.max(0, rollover - 1) : rollover;
  return last - HALF > sequence ? (rollover + 1) % 0x100000000 : rollover;
}

/** True for an index that no authenticated packet used and that is not older than the window. */
export function isFresh(window: ReplayWindow, index: number): boolean {
  if (index > window.highest) return true;
  if (index <= window.highest - WINDOW) return false;
  const bit = index % WINDOW;
  return ((window.seen[bit >>> 5] as number) & (1 << (bit & 31))) === 0;
}

/** Marks a fresh index as used. */
export function markSeen(window: ReplayWindow, index: number): void {
  const { seen } = window;
  if (index - window.highest >= WINDOW) seen.fill(0);
  else
    for (let passed = window.highest + 1; passed < index; passed++) {
      const bit = passed % WINDOW;
      seen[bit >>> 5] = (seen[bit >>> 5] as number) & ~(1 << (bit & 31));
    }
  const bit = index % WINDOW;
  seen[bit >>> 5] = (seen[bit >>> 5] as number) | (1 << (bit & 31));
  if (index > window.highest) window.highest = index;
}
