const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Whether given-up deliveries of a subscription wait for its receiver: only for `POST /webhooks/recover`, or by themselves. */
export const RECOVERY = ['manual', 'automatic'] as const;

/** Waits between the probes of a receiver, the first one after a delivery was given up: 75 hours in all. */
export const PROBE_AFTER_MS: readonly number[] = [
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];

/** Deliveries kept per workspace; the oldest are dropped. */
export const KEPT_DELIVERIES = 1000;
/** A delivery that is refused this often while its receiver accepts others is dropped: it would hold the rest back for ever. */
const MAX_REFUSALS = 3;

/** A receiver that accepted nothing for so long is disabled. */
export const DISABLED_AFTER_MS = 5 * 24 * HOUR_MS;

/** The state of a receiver's outage, as far as its next probe depends on it. Times in epoch ms. */
export interface Probing {
  /** Probes since the receiver last accepted something. */
  readonly probes: number;
  /** Null: the schedule is over, and only a success of a new event ends the outage. */
  readonly probeAt: number | null;
  /** How often the delivery that is sent next was refused while the receiver accepted others. */
  readonly refusals: number;
  /** The receiver has accepted something since the last failure. */
  readonly isBack: boolean;
  /** Since when it has failed without a break: its first failure, or the last time it accepted something or was enabled. */
  readonly failingFrom: number;
  /** Null: the receiver gets events. */
  readonly disabledAt: number | null;
}

const waitAfter = (probes: number, now: number): number | null => {
  const wait = PROBE_AFTER_MS[probes];
  return wait === undefined ? null : now + wait;
};

/** An outage that begins now. */
export const begun = (now: number): Probing => ({
  probes: 0,
  probeAt: waitAfter(0, now),
  refusals: 0,
  isBack: false,
  failingFrom: now,
  disabledAt: null,
});

/** After the receiver accepted something: the next kept delivery may be sent at once, and a disabled receiver is enabled. */
export const accepted = (before: Probing, now: number): Probing => ({
  ...before,
  probes: 0,
  probeAt: now,
  isBack: true,
  failingFrom: now,
  disabledAt: null,
});

/** Whether a receiver whose last failure was at `lastFailedAt` is to be disabled. One that was sent nothing does not fail. */
export const isToBeDisabled = ({ isBack, failingFrom, disabledAt }: Probing, lastFailedAt: number): boolean =>
  disabledAt === null && !isBack && lastFailedAt - failingFrom >= DISABLED_AFTER_MS;

/** No probe goes to a disabled receiver. */
export const disabled = (before: Probing, now: number): Probing => ({
  ...before,
  probeAt: null,
  disabledAt: now,
});

/** After a person enabled the receiver: the oldest kept delivery is sent at once, and the five days begin again. */
export const enabled = (before: Probing, now: number): Probing => ({
  ...before,
  probes: 0,
  probeAt: now,
  failingFrom: now,
  disabledAt: null,
});

/** After a kept delivery was refused. `drop`: it is given up, so that the others can follow. */
export function refused(before: Probing, now: number): { readonly next: Probing; readonly drop: boolean } {
  if (!before.isBack) {
    // A person sent it to a disabled receiver.
    if (before.disabledAt !== null) return { next: before, drop: false };
    const probes = before.probes + 1;
    return { next: { ...before, probes, probeAt: waitAfter(probes, now) }, drop: false };
  }
  const refusals = before.refusals + 1;
  const drop = refusals >= MAX_REFUSALS;
  const { failingFrom } = before;
  return { next: { ...begun(now), failingFrom, refusals: drop ? 0 : refusals }, drop };
}

/** Whether the next kept delivery is sent now. */
export const mayProbe = ({ probeAt }: Probing, now: number): boolean => probeAt !== null && probeAt <= now;
