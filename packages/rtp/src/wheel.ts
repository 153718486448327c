import type { Clock } from './clock.ts';

/** Work every 20 ms, such as a media leg. Must not throw. */
export interface WheelMember {
  /** One 20 ms step at epoch ms `at`; `skipped` steps before it were dropped after a stall. */
  onTick(at: number, skipped: number): void;
}

/** Calls `run` once after `delayMs`; returns the cancel function. */
export type Schedule = (run: () => void, delayMs: number) => () => void;

export const systemSchedule: Schedule = (run, delayMs) => {
  const timer = setTimeout(run, delayMs);
  return () => clearTimeout(timer);
};

export interface Lateness {
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
  /** Phase runs counted. */
  runs: number;
}

const PHASE_MS = 5;
const PHASES = 4;
/** After a stall at most this many steps are caught up; older ones are skipped. */
const MAX_CATCH_UP = 3;
const BIN_MS = 0.25;
const BINS = 800;

/**
 * Paces all legs of a thread by an absolute schedule of 5 ms phases; a new leg joins the least loaded of four. Late
 * timers do not move the schedule, so packet rates do not drift. A phase without members does not wake the thread.
 */
export class Wheel {
  readonly #clock: Clock;
  readonly #schedule: Schedule;
  readonly #phases: WheelMember[][] = Array.from({ length: PHASES }, () => []);
  readonly #phaseOf = new Map<WheelMember, number>();
  readonly #bins = new Uint32Array(BINS + 1);
  #maxLateMs = 0;
  #runs = 0;
  #base = 0;
  /** The last slot that ran; slot n is due at `#base + n * PHASE_MS`. */
  #slot = 0;
  /** The slot that the timer waits for; infinite without a member. */
  #armed = Number.POSITIVE_INFINITY;
  #isStarted = false;
  #isInRun = false;
  #cancel: (() => void) | null = null;

  constructor(options: { clock: Clock; schedule?: Schedule }) {
    this.#clock = options.clock;
    this.#schedule = options.schedule ?? systemSchedule;
  }

  /** Starts the schedule; the first phase is due in 5 ms. */
  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#base = this.#clock.monotonic();
    this.#slot = 0;
    this.#arm();
  }

  stop(): void {
    this.#isStarted = false;
    this.#cancel?.();
    this.#cancel = null;
  }

  get size(): number {
    return this.#phaseOf.size;
  }

  add(member: WheelMember): void {
    if (this.#phaseOf.has(member)) return;
    let least = 0;
    for (let phase = 1; phase < PHASES; phase++) {
      if ((this.#phases[phase] as WheelMember[]).length < (this.#phases[least] as WheelMember[]).length)
        least = phase;
    }
    // Copy on write: members may be added or removed while their phase runs.
    this.#phases[least] = [...(this.#phases[least] as WheelMember[]), member];
    this.#phaseOf.set(member, least);
    if (this.#isStarted && !this.#isInRun && (this.#phases[least] as WheelMember[]).length === 1)
      this.#rearm();
  }

  remove(member: WheelMember): void {
    const phase = this.#phaseOf.get(member);
    if (phase === undefined) return;
    this.#phaseOf.delete(member);
    this.#phases[phase] = (this.#phases[phase] as WheelMember[]).filter((other) => other !== member);
  }

  /** Lateness of phases since the last `resetLateness`, with a resolution of 0.25 ms. */
  lateness(): Lateness {
    const quantile = (share: number): number => {
      let seen = 0;
      for (let bin = 0; bin <= BINS; bin++) {
        seen += this.#bins[bin] as number;
        if (seen > 0 && seen >= this.#runs * share) return bin * BIN_MS;
      }
      return 0;
    };
    return { p50Ms: quantile(0.5), p99Ms: quantile(0.99), maxMs: this.#maxLateMs, runs: this.#runs };
  }

  resetLateness(): void {
    this.#bins.fill(0);
    this.#maxLateMs = 0;
    this.#runs = 0;
  }

  #arm(): void {
    this.#cancel = null;
    this.#armed = Number.POSITIVE_INFINITY;
    if (this.#phaseOf.size === 0) return;
    this.#armed = this.#slot + 1;
    while (this.#membersOf(this.#armed).length === 0) this.#armed += 1;
    const due = this.#base + this.#armed * PHASE_MS;
    this.#cancel = this.#schedule(this.#run, Math.max(0, Math.ceil(due - this.#clock.monotonic())));
  }

  /** Arms anew for a phase that got its first member. The slots since the last run had no member: they are over. */
  #rearm(): void {
    this.#cancel?.();
    const current = Math.floor((this.#clock.monotonic() - this.#base) / PHASE_MS);
    this.#slot = Math.max(this.#slot, Math.min(current, this.#armed - 1));
    this.#arm();
  }

  readonly #run = (): void => {
    this.#isInRun = true;
    const now = this.#clock.monotonic();
    const last = Math.floor((now - this.#base) / PHASE_MS);
    const behind = last - this.#slot;
    if (behind > 0) {
      const keep = MAX_CATCH_UP * PHASES;
      const skippedSlots = behind > keep ? Math.floor((behind - keep + PHASES - 1) / PHASES) * PHASES : 0;
      const skipped = skippedSlots / PHASES;
      if (skipped > 0) this.#note(now - (this.#base + this.#armed * PHASE_MS));
      this.#slot += skippedSlots;
      for (let round = 0; this.#slot < last; round++) {
        this.#slot += 1;
        if (this.#membersOf(this.#slot).length > 0) this.#note(now - (this.#base + this.#slot * PHASE_MS));
        this.#runPhase(this.#slot, round < PHASES ? skipped : 0);
      }
    }
    this.#isInRun = false;
    if (this.#isStarted) this.#arm();
  };

  #membersOf(slot: number): WheelMember[] {
    return this.#phases[slot % PHASES] as WheelMember[];
  }

  #runPhase(slot: number, skipped: number): void {
    const members = this.#membersOf(slot);
    if (members.length === 0) return;
    const at = this.#clock.now();
    for (const member of members) if (this.#phaseOf.has(member)) member.onTick(at, skipped);
  }

  #note(lateMs: number): void {
    const bin = Math.min(BINS, Math.floor(lateMs / BIN_MS));
    this.#bins[bin] = (this.#bins[bin] as number) + 1;
    this.#maxLateMs = Math.max(this.#maxLateMs, lateMs);
    this.#runs += 1;
  }
}
