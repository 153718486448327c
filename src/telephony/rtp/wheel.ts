import type { Clock } from '../../shared/clock.ts';

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
 * timers do not move the schedule, so packet rates do not drift.
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
  #slot = 0;
  #cancel: (() => void) | null = null;

  constructor(options: { clock: Clock; schedule?: Schedule }) {
    this.#clock = options.clock;
    this.#schedule = options.schedule ?? systemSchedule;
  }

  /** Starts the schedule; the first phase runs in 5 ms. */
  start(): void {
    if (this.#cancel) return;
    this.#base = this.#clock.monotonic();
    this.#slot = 0;
    this.#arm();
  }

  stop(): void {
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
    const due = this.#base + (this.#slot + 1) * PHASE_MS;
    this.#cancel = this.#schedule(this.#run, Math.max(0, Math.ceil(due - this.#clock.monotonic())));
  }

  readonly #run = (): void => {
    const now = this.#clock.monotonic();
    const last = Math.floor((now - this.#base) / PHASE_MS);
    const behind = last - this.#slot;
    if (behind > 0) {
      const keep = MAX_CATCH_UP * PHASES;
      const skippedSlots = behind > keep ? Math.floor((behind - keep + PHASES - 1) / PHASES) * PHASES : 0;
      const skipped = skippedSlots / PHASES;
      if (skipped > 0) this.#note(now - (this.#base + (this.#slot + 1) * PHASE_MS));
      this.#slot += skippedSlots;
      for (let round = 0; this.#slot < last; round++) {
        this.#slot += 1;
        this.#note(now - (this.#base + this.#slot * PHASE_MS));
        this.#runPhase(this.#slot % PHASES, round < PHASES ? skipped : 0);
      }
    }
    if (this.#cancel) this.#arm();
  };

  #runPhase(phase: number, skipped: number): void {
    const members = this.#phases[phase] as WheelMember[];
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
