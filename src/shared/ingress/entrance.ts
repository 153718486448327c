import type { Clock } from '../clock.ts';
import { addressBlock } from './address-block.ts';
import { type Budget, Budgets, type Limits } from './budget.ts';

/** Who asks at an entrance, as far as it is known before anything is parsed. */
export interface Owners {
  readonly address?: string;
  readonly key?: string;
  readonly workspace?: string;
}

export interface EntranceLimits {
  /** Of a block of addresses: /24 of IPv4, /64 of IPv6. */
  readonly address?: Limits;
  readonly key?: Limits;
  readonly workspace?: Limits;
  /** Of all together. */
  readonly all?: Limits;
}

/** Where strangers reach the service: each has its name in the metric of refused messages. */
const ENTRANCES = [
  'web_call',
  'web_chat',
  'listen',
  'carrier',
  'body',
  'connection',
  'document',
  'stream',
  'sip_info',
] as const;
export type EntranceName = (typeof ENTRANCES)[number];

/** One way into the service. Whoever comes in draws from every budget that it belongs to, before anything is parsed. */
export class Entrance {
  readonly name: EntranceName;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #onRefused: (name: EntranceName) => void;
  readonly #address: Budgets | null;
  readonly #key: Budgets | null;
  readonly #workspace: Budgets | null;
  readonly #all: Budgets | null;

  constructor(
    name: EntranceName,
    limits: EntranceLimits,
    deps: {
      readonly clock: Pick<Clock, 'monotonic'>;
      readonly onRefused?: ((name: EntranceName) => void) | undefined;
    },
  ) {
    this.name = name;
    this.#clock = deps.clock;
    this.#onRefused = deps.onRefused ?? (() => undefined);
    const budgets = (of: Limits | undefined): Budgets | null => (of === undefined ? null : new Budgets(of));
    this.#address = budgets(limits.address);
    this.#key = budgets(limits.key);
    this.#workspace = budgets(limits.workspace);
    this.#all = budgets(limits.all);
  }

  /** Takes a message of so many bytes from all budgets, or from none; returns the seconds to wait, 0 if it may pass. */
  admit(owners: Owners, bytes = 0): number {
    const at = this.#clock.monotonic();
    const budgets = this.#of(owners, at);
    const wait = Math.max(0, ...budgets.map((budget) => budget.waitMs(bytes, at)));
    if (wait === 0) {
      for (const budget of budgets) budget.spend(bytes, at);
      return 0;
    }
    this.#onRefused(this.name);
    return Math.max(1, Math.ceil(Math.min(wait, 3_600_000) / 1000));
  }

  #of({ address, key, workspace }: Owners, at: number): Budget[] {
    const found: Budget[] = [];
    if (this.#address !== null && address !== undefined)
      found.push(this.#address.of(addressBlock(address), at));
    if (this.#key !== null && key !== undefined) found.push(this.#key.of(key, at));
    if (this.#workspace !== null && workspace !== undefined) found.push(this.#workspace.of(workspace, at));
    if (this.#all !== null) found.push(this.#all.of('', at));
    return found;
  }
}
