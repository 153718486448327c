import type { FaultKind, VendorFault, VendorPart } from '../../shared/vendor-fault.ts';

/** A part of a call, or all three by one model. */
export type FaultyPart = VendorPart | 's2s';

/** The faults of one vendor with one reason since the start. */
export interface VendorFaultCount {
  readonly part: FaultyPart;
  readonly vendor: string;
  readonly kind: FaultKind;
  /** Of the last one; null: it was none of HTTP. */
  readonly status: number | null;
  readonly count: number;
  /** Epoch ms. */
  readonly lastAt: number;
}

/** Vendors have few names; more would fill the metrics. */
const MOST_COUNTED = 200;

/** Counts faults by part, vendor and reason, as metrics and readiness report them. */
export class VendorFaultCounts {
  readonly #counts = new Map<string, VendorFaultCount>();
  readonly #now: () => number;

  constructor(now: () => number = () => Date.now()) {
    this.#now = now;
  }

  add(part: FaultyPart, { vendor, kind, status }: VendorFault): void {
    const key = `${part} ${vendor} ${kind}`;
    const known = this.#counts.get(key);
    if (known === undefined && this.#counts.size >= MOST_COUNTED) return;
    this.#counts.set(key, {
      part,
      vendor,
      kind,
      status,
      count: (known?.count ?? 0) + 1,
      lastAt: this.#now(),
    });
  }

  list(): readonly VendorFaultCount[] {
    return [...this.#counts.values()];
  }
}
