/** After this many consecutive failures a vendor gets one probe at a time. */
const FREE_FAILURES = 2;
/** A probe without a result blocks the next one for this long. */
const HELD_MS = 4_000;
/** Mean delays after a failure, while few and while many came in a row. */
const DELAY_MS = { few: 250, many: 1_000 } as const;
const MANY_FAILURES = 4;

const SLOTS = 512;
/** A slot has two numbers: failures in a row, and when the next request may be made (epoch ms). */
const FAILURES = 0;
const NEXT_AT = 1;
const SLOT_SIZE = 2;

/** The memory that the threads of a process share. */
export const probeMemory = (): SharedArrayBuffer =>
  new SharedArrayBuffer(SLOTS * SLOT_SIZE * BigInt64Array.BYTES_PER_ELEMENT);

const sharedNow = (): number => performance.timeOrigin + performance.now();

/**
 * Probes of failed vendors, shared by all calls of the process. A single failure has no effect. After several in a row one
 * probe at a time goes out, after a random delay: a vendor that hangs delays one caller, and the others fall back at once.
 * Two vendors may hash to one slot, which only delays a probe.
 */
export class Probes {
  readonly #slots: BigInt64Array;
  readonly #now: () => number;
  readonly #random: () => number;

  /** `now`: epoch ms, the same in all threads. */
  constructor(
    memory: SharedArrayBuffer = probeMemory(),
    now: () => number = sharedNow,
    random: () => number = Math.random,
  ) {
    this.#slots = new BigInt64Array(memory);
    this.#now = now;
    this.#random = random;
  }

  /** Whether `take` would succeed now. */
  isFree(name: string): boolean {
    const slot = slotOf(name);
    const failures = Number(Atomics.load(this.#slots, slot + FAILURES));
    return failures < FREE_FAILURES || this.#now() >= Number(Atomics.load(this.#slots, slot + NEXT_AT));
  }

  /** Reserves the probe. False: another request has it, or the delay has not passed. */
  take(name: string): boolean {
    const slot = slotOf(name);
    if (Number(Atomics.load(this.#slots, slot + FAILURES)) < FREE_FAILURES) return true;
    const nextAt = Atomics.load(this.#slots, slot + NEXT_AT);
    const now = this.#now();
    if (now < Number(nextAt)) return false;
    const until = BigInt(Math.round(now + HELD_MS));
    return Atomics.compareExchange(this.#slots, slot + NEXT_AT, nextAt, until) === nextAt;
  }

  failed(name: string): void {
    const slot = slotOf(name);
    const failures = Number(Atomics.add(this.#slots, slot + FAILURES, 1n)) + 1;
    const meanMs = failures < MANY_FAILURES ? DELAY_MS.few : DELAY_MS.many;
    const nextAt = this.#now() + meanMs * (0.5 + this.#random());
    Atomics.store(this.#slots, slot + NEXT_AT, BigInt(Math.round(nextAt)));
  }

  worked(name: string): void {
    const slot = slotOf(name);
    if (Atomics.load(this.#slots, slot + FAILURES) === 0n) return;
    Atomics.store(this.#slots, slot + FAILURES, 0n);
    Atomics.store(this.#slots, slot + NEXT_AT, 0n);
  }

  /** Releases the probe of a cancelled request, so that another one may start at once. */
  returned(name: string): void {
    Atomics.store(this.#slots, slotOf(name) + NEXT_AT, 0n);
  }
}

/** FNV-1a. */
function slotOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) {
    hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  }
  return ((hash >>> 0) % SLOTS) * SLOT_SIZE;
}
