import type { Clock } from '../clock.ts';

export const MOST_KEYS = 20_000;

/** What a process counted of a key since it last shared its counts. */
export interface Uncounted {
  readonly key: string;
  readonly count: number;
}

interface Window {
  /** Monotonic ms of this process. */
  since: number;
  /** What all processes counted that share, as far as this one knows. */
  count: number;
  /** The part of `count` that the others do not know. */
  own: number;
}

/**
 * Counts by key in windows of one length that begin with the first count. `HostLimits` adds what other processes count; without it
 * these are the counts of this process.
 */
export class WindowCounts {
  readonly windowMs: number;
  readonly #clock: Clock;
  readonly #most: number;
  readonly #onChange: () => void;
  readonly #windows = new Map<string, Window>();
  readonly #unshared = new Set<string>();

  /** `onChange`: there is something to share. */
  constructor(windowMs: number, clock: Clock, most = MOST_KEYS, onChange: () => void = () => undefined) {
    this.windowMs = windowMs;
    this.#clock = clock;
    this.#most = most;
    this.#onChange = onChange;
  }

  /** The others do not know everything yet. */
  get hasUnshared(): boolean {
    return this.#unshared.size > 0;
  }

  count(key: string): number {
    return this.#current(key)?.count ?? 0;
  }

  /** Seconds until the window of the key ends; 0: it has none. */
  waitSeconds(key: string): number {
    const window = this.#current(key);
    if (window === undefined) return 0;
    return Math.max(1, Math.ceil((window.since + this.windowMs - this.#clock.monotonic()) / 1000));
  }

  /** `change`: -1 takes a count back. */
  add(key: string, change: 1 | -1 = 1): void {
    let window = this.#current(key);
    if (window === undefined) {
      if (change < 0) return;
      window = { since: this.#clock.monotonic(), count: 0, own: 0 };
      this.#set(key, window);
    }
    window.count += change;
    window.own += change;
    this.#unshared.add(key);
    this.#onChange();
  }

  /** What the others do not know yet, at most of so many keys; it counts as shared from now on. */
  takeUnshared(limit: number): Uncounted[] {
    const taken: Uncounted[] = [];
    for (const key of this.#unshared) {
      if (taken.length >= limit) break;
      this.#unshared.delete(key);
      const window = this.#current(key);
      if (window === undefined || window.own === 0) continue;
      taken.push({ key, count: window.own });
      window.own = 0;
    }
    return taken;
  }

  /** Counts that could not be shared: they wait again. */
  giveBack(uncounted: readonly Uncounted[]): void {
    for (const { key, count } of uncounted) {
      const window = this.#current(key);
      if (window === undefined) continue;
      window.own += count;
      this.#unshared.add(key);
    }
  }

  /** What all processes counted together in a window that is `ageMs` old. */
  learn(key: string, total: number, ageMs: number): void {
    const since = this.#clock.monotonic() - ageMs;
    if (ageMs >= this.windowMs) return;
    const own = this.#windows.get(key)?.own ?? 0;
    this.#set(key, { since, count: Math.max(0, total + own), own });
  }

  #current(key: string): Window | undefined {
    const window = this.#windows.get(key);
    if (window === undefined || this.#clock.monotonic() - window.since < this.windowMs) return window;
    this.#windows.delete(key);
    this.#unshared.delete(key);
    return undefined;
  }

  #set(key: string, window: Window): void {
    this.#windows.delete(key);
    const [oldest] = this.#windows.keys();
    if (this.#windows.size >= this.#most && oldest !== undefined) {
      this.#windows.delete(oldest);
      this.#unshared.delete(oldest);
    }
    this.#windows.set(key, window);
  }
}
