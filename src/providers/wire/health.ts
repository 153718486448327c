import type { VendorFault, VendorPart } from '../../shared/vendor-fault.ts';
import { Probes } from './probes.ts';

/** How long requests of all calls pass over a vendor after a fault, while another one does its part. */
const BROKEN_MS = 30_000;

/** The health that a chain of one call consults. */
export type ChainHealth = Pick<
  VendorHealth,
  'broke' | 'failed' | 'worked' | 'returned' | 'brokenBy' | 'fault' | 'mayAsk' | 'asksAgain'
>;

interface HealthOptions {
  /** Shared by the threads of a process; absent: this object's own. */
  readonly probes?: Probes;
  /** The part that the vendors do, so that a fault in one part changes nothing for another. */
  readonly part?: string;
}

/** The vendors of one part (recognition, speech, models) that failed, and why. Shared by all calls of a thread. */
export class VendorHealth {
  readonly #now: () => number;
  readonly #onFault: (fault: VendorFault, broken: string | null) => void;
  readonly #probes: Probes;
  readonly #part: string;
  readonly #broken = new Map<string, { readonly until: number; readonly fault: VendorFault }>();

  /** `onFault` gets every fault; `broken`: the name under which the vendor is passed over, null: it is not. */
  constructor(
    now: () => number = () => performance.now(),
    onFault: (fault: VendorFault, broken: string | null) => void = () => undefined,
    { probes = new Probes(undefined, now), part = '' }: HealthOptions = {},
  ) {
    this.#now = now;
    this.#onFault = onFault;
    this.#probes = probes;
    this.#part = part;
  }

  /** The vendor is passed over from now on, while another one is there (`usableMember`). */
  broke(vendor: string, fault: VendorFault): void {
    this.passOver(vendor, fault);
    this.#probes.failed(this.#probeOf(vendor));
    this.#onFault(fault, vendor);
  }

  /** A fault of one request: the vendor is still used. */
  failed(fault: VendorFault): void {
    this.#onFault(fault, null);
  }

  /** The vendor answered. */
  worked(vendor: string): void {
    this.#probes.worked(this.#probeOf(vendor));
  }

  /** A request that `asksAgain` allowed was cancelled before an answer. */
  returned(vendor: string): void {
    this.#probes.returned(this.#probeOf(vendor));
  }

  /** Another thread found the vendor broken, and counted its failure. */
  passOver(vendor: string, fault: VendorFault): void {
    this.#broken.set(vendor, { until: this.#now() + BROKEN_MS, fault });
  }

  /** The fault for which the vendor is passed over while another one is there; null: it is used. */
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

  /** Whether a broken vendor without a replacement may be probed now. */
  mayAsk(vendor: string): boolean {
    return !isKeyRefused(this.brokenBy(vendor)) && this.#probes.isFree(this.#probeOf(vendor));
  }

  /** The same, and reserves the probe: after several failures in a row no other request goes out until its result. */
  asksAgain(vendor: string): boolean {
    return !isKeyRefused(this.brokenBy(vendor)) && this.#probes.take(this.#probeOf(vendor));
  }

  readonly #probeOf = (vendor: string): string => `${this.#part} ${vendor}`;
}

/** The same key is refused again. */
const isKeyRefused = (fault: VendorFault | null): boolean =>
  fault !== null && (fault.kind === 'key' || fault.status === 401 || fault.status === 403);

/** The health of the vendors of every part. */
export class VendorHealths {
  readonly #parts: Readonly<Record<VendorPart, VendorHealth>>;

  constructor(
    onFault: (part: VendorPart, fault: VendorFault, broken: string | null) => void = () => undefined,
    probes = new Probes(),
  ) {
    const open = (part: VendorPart): VendorHealth =>
      new VendorHealth(undefined, (fault, broken) => onFault(part, fault, broken), { probes, part });
    this.#parts = { stt: open('stt'), tts: open('tts'), llm: open('llm') };
  }

  of(part: VendorPart): VendorHealth {
    return this.#parts[part];
  }
}
