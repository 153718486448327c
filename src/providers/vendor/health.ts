import type { VendorFault, VendorPart } from '../../shared/vendor-fault.ts';

/** How long requests of all calls pass over a vendor after a fault. */
const BROKEN_MS = 30_000;

/** The health that a chain of one call consults. */
export type ChainHealth = Pick<VendorHealth, 'broke' | 'failed' | 'fault' | 'brokenBy'>;

/** The vendors of one part (recognition, speech, models) that are passed over, and why. Shared by all calls of a thread. */
export class VendorHealth {
  readonly #now: () => number;
  readonly #onFault: (fault: VendorFault, broken: string | null) => void;
  readonly #broken = new Map<string, { readonly until: number; readonly fault: VendorFault }>();

  /** `onFault` gets every fault; `broken`: the name under which the vendor is passed over, null: it is not. */
  constructor(
    now: () => number = () => performance.now(),
    onFault: (fault: VendorFault, broken: string | null) => void = () => undefined,
  ) {
    this.#now = now;
    this.#onFault = onFault;
  }

  /** The vendor is passed over from now on. */
  broke(vendor: string, fault: VendorFault): void {
    this.passOver(vendor, fault);
    this.#onFault(fault, vendor);
  }

  /** A fault of one request: the vendor is still used. */
  failed(fault: VendorFault): void {
    this.#onFault(fault, null);
  }

  /** Another thread found the vendor broken. */
  passOver(vendor: string, fault: VendorFault): void {
    this.#broken.set(vendor, { until: this.#now() + BROKEN_MS, fault });
  }

  /** The fault for which the vendor is passed over; null: it is used. */
  brokenBy(vendor: string): VendorFault | null {
    const known = this.#broken.get(vendor);
    if (known === undefined) return null;
    if (known.until > this.#now()) return known.fault;
    this.#broken.delete(vendor);
    return null;
  }

  /** The message of that fault. */
  fault(vendor: string): string | null {
    return this.brokenBy(vendor)?.message ?? null;
  }
}

/** The health of the vendors of every part. */
export class VendorHealths {
  readonly #parts: Readonly<Record<VendorPart, VendorHealth>>;

  constructor(
    onFault: (part: VendorPart, fault: VendorFault, broken: string | null) => void = () => undefined,
  ) {
    const open = (part: VendorPart): VendorHealth =>
      new VendorHealth(undefined, (fault, broken) => onFault(part, fault, broken));
    this.#parts = { stt: open('stt'), tts: open('tts'), llm: open('llm') };
  }

  of(part: VendorPart): VendorHealth {
    return this.#parts[part];
  }
}
