import type { CallProviders } from '../vendors/accounts.ts';

/** A call that is about to begin. */
export interface HeardCall {
  readonly callId: string;
  /** Null: the scheduler does not claim calls of this kind. */
  readonly versionId: string | null;
  readonly languages: readonly string[];
}

export interface EarSlotsOptions {
  /** Calls that the recognisers of this machine hear at once; null: their number has no limit. */
  readonly limit: () => number | null;
  /** Whether a recogniser with slots hears the language. */
  readonly hears: (language: string) => boolean;
  /** The installation has recognisers of vendors, which come first. */
  readonly hasVendors: boolean;
  readonly now: () => number;
}

/** How long it counts as known whether a version's calls need a slot: the workspace may choose a vendor meanwhile. */
const KNOWN_MS = 300_000;

/**
 * The slots of this machine's recognisers: a call is placed or answered only with a free one, so that no call begins that
 * cannot hear. Calls of vendors' recognisers take none.
 */
export class EarSlots {
  readonly #options: EarSlotsOptions;
  readonly #held = new Set<string>();
  readonly #needs = new Map<string, number>();

  constructor(options: EarSlotsOptions) {
    this.#options = options;
  }

  /** Calls that have a slot. */
  get used(): number {
    return this.#held.size;
  }

  get limit(): number | null {
    return this.#options.limit();
  }

  /** Slots that are left; Infinity: their number has no limit. */
  get free(): number {
    const { limit } = this;
    return limit === null ? Number.POSITIVE_INFINITY : Math.max(0, limit - this.#held.size);
  }

  /** Keeps a slot for a call that was just claimed, if its version is known to need one. */
  reserve(callId: string, versionId: string): void {
    if (this.needs(versionId) && this.free > 0) this.#held.add(callId);
  }

  /** Gives the call its slot, if it needs one. False: none is free. `release` gives it back. */
  async take(call: HeardCall, providers: () => Promise<CallProviders>): Promise<boolean> {
    if (this.limit === null || !call.languages.some((one) => this.#options.hears(one))) return true;
    const { stt, s2s } = await providers();
    const isVendors = s2s !== undefined || (stt === undefined ? this.#options.hasVendors : stt.length > 0);
    if (isVendors) {
      if (call.versionId !== null) this.#needs.delete(call.versionId);
      this.release(call.callId);
      return true;
    }
    if (call.versionId !== null) this.#needs.set(call.versionId, this.#options.now());
    if (this.#held.has(call.callId)) return true;
    if (this.free === 0) return false;
    this.#held.add(call.callId);
    return true;
  }

  release(callId: string): void {
    this.#held.delete(callId);
  }

  /** Calls of the version are known to need a slot. */
  needs(versionId: string): boolean {
    const at = this.#needs.get(versionId);
    if (at === undefined) return false;
    if (this.#options.now() - at < KNOWN_MS) return true;
    this.#needs.delete(versionId);
    return false;
  }
}
