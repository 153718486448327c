/** Reception statistics of one source: loss (RFC 3550 appendix A.3) and interarrival jitter (A.8). */
export interface Reception {
  clockRate: number;
  started: boolean;
  ssrc: number;
  baseSequence: number;
  /** Extended highest sequence number: the number of wraps in the upper bits. */
  highest: number;
  received: number;
  expectedPrior: number;
  receivedPrior: number;
  lastTimestamp: number;
  lastAt: number;
  /** Interarrival jitter in RTP ticks. */
  jitter: number;
}

export const createReception = (clockRate: number): Reception => ({
  clockRate,
  started: false,
  ssrc: 0,
  baseSequence: 0,
  highest: 0,
  received: 0,
  expectedPrior: 0,
  receivedPrior: 0,
  lastTimestamp: 0,
  lastAt: 0,
  jitter: 0,
});

/** Another codec with another RTP clock follows. */
export function useClock(reception: Reception, clockRate: number): void {
  reception.jitter = (reception.jitter / reception.clockRate) * clockRate;
  reception.clockRate = clockRate;
  reception.lastAt = 0;
}

const MAX_DROPOUT = 3000;

/** Counts one packet; `timed` is false for telephone events, whose timestamp is not their sending time. */
export function countPacket(
  reception: Reception,
  ssrc: number,
  sequence: number,
  timestamp: number,
  timed: boolean,
  at: number,
): void {
  const ahead = ((sequence - reception.highest) << 16) >> 16;
  if (!reception.started || ssrc !== reception.ssrc || Math.abs(ahead) > MAX_DROPOUT) {
    reception.started = true;
    reception.ssrc = ssrc;
    reception.baseSequence = sequence;
    reception.highest = sequence;
    reception.received = 0;
    reception.expectedPrior = 0;
    reception.receivedPrior = 0;
    reception.lastAt = 0;
  } else if (ahead > 0) {
    reception.highest += ahead;
  }
  reception.received += 1;
  if (!timed) return;
  if (reception.lastAt > 0) {
    const arrivalTicks = ((at - reception.lastAt) / 1000) * reception.clockRate;
    const difference = Math.abs(arrivalTicks - ((timestamp - reception.lastTimestamp) | 0));
    // A new time base is not jitter.
    if (difference < reception.clockRate) reception.jitter += (difference - reception.jitter) / 16;
  }
  reception.lastTimestamp = timestamp;
  reception.lastAt = at;
}

export interface ReceptionReport {
  fractionLost: number;
  cumulativeLost: number;
  highestSequence: number;
  jitter: number;
}

/** Statistics of one report block (RFC 3550 section 6.4.1); starts the next interval. */
export function takeReport(reception: Reception): ReceptionReport {
  const expected = reception.highest - reception.baseSequence + 1;
  const lost = expected - reception.received;
  const expectedNow = expected - reception.expectedPrior;
  const lostNow = expectedNow - (reception.received - reception.receivedPrior);
  reception.expectedPrior = expected;
  reception.receivedPrior = reception.received;
  return {
    fractionLost:
      expectedNow <= 0 || lostNow <= 0 ? 0 : Math.min(255, Math.floor((lostNow * 256) / expectedNow)),
    cumulativeLost: Math.max(-0x800000, Math.min(0x7fffff, lost)),
    highestSequence: reception.highest >>> 0,
    jitter: Math.floor(reception.jitter),
  };
}

export const jitterMs = (reception: Reception): number => (reception.jitter / reception.clockRate) * 1000;
