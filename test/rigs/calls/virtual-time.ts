import type { ManualClock, Scheduler } from '../../../src/shared/clock.ts';
import { FRAME_MS } from '@callwright/audio';

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

/** Limit of real work, after which it counts as hung. */
const STUCK_MS = 60_000;
/** Real time of a step that catches up with real time: enough for a peer to answer. */
const CATCH_UP_MS = 4;

/**
 * Virtual time for calls that run as fast as the machine computes them. One step is a frame of 20 ms. Time stops
 * while computation runs elsewhere (`stop`: synthesis, recognition, a query), so that the work takes no virtual
 * time. While a peer is awaited (`pace`: an HTTP server) a step takes 20 ms of real time, as on a real call.
 */
export class VirtualTime implements Scheduler {
  readonly clock: ManualClock;
  readonly #timers = new Set<Timer>();
  readonly #ticks = new Set<(at: number) => void>();
  readonly #stops = new Set<string>();
  #paces = 0;
  #wake: () => void = () => undefined;
  #step: Promise<void> | null = null;
  /** Real and virtual time when the pace began. */
  #anchor = { real: 0, virtual: 0 };
  /** When the next paced step is due, in real time. */
  #dueAt = 0;
  #isCatchingUp = false;

  constructor(clock: ManualClock) {
    this.clock = clock;
  }

  now(): number {
    return this.clock.now();
  }

  /** Timers that have neither run nor been cancelled. */
  get pending(): number {
    return this.#timers.size;
  }

  after(ms: number, run: () => void): () => void {
    const timer = { at: this.now() + Math.max(0, ms), run };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Calls `tick` once a step; returns the removal. */
  onTick(tick: (at: number) => void): () => void {
    this.#ticks.add(tick);
    return () => this.#ticks.delete(tick);
  }

  /** Stops time until the returned function is called. */
  stop(work: string): () => void {
    const key = `${work} ${Math.random()}`;
    this.#stops.add(key);
    return () => {
      if (this.#stops.delete(key)) this.#wake();
    };
  }

  /** Runs time at real speed until the returned function is called. */
  pace(): () => void {
    let paced = true;
    if (this.#paces === 0) {
      this.#anchor = { real: performance.now(), virtual: this.now() };
      this.#dueAt = this.#anchor.real;
    }
    this.#paces += 1;
    return () => {
      if (paced) this.#paces -= 1;
      paced = false;
    };
  }

  /** Steps until virtual time reaches real time, so that a peer's result is not early on a slow machine. */
  async catchUp(): Promise<void> {
    const { real, virtual } = this.#anchor;
    const until = virtual + performance.now() - real - FRAME_MS;
    this.#isCatchingUp = true;
    while (this.#paces > 0 && this.now() < until) await this.step();
    this.#isCatchingUp = false;
  }

  /** Stops time until the promise is settled. */
  during<T>(work: string, promise: Promise<T>): Promise<T> {
    const go = this.stop(work);
    return promise.finally(go);
  }

  /** Advances by 20 ms. Concurrent calls share one step. */
  step(): Promise<void> {
    this.#step ??= this.#takeStep().finally(() => {
      this.#step = null;
    });
    return this.#step;
  }

  async advance(ms: number): Promise<void> {
    const until = this.now() + ms;
    while (this.now() < until) await this.step();
  }

  /** Steps until `probe` gives a value; fails after `limitMs` of virtual time. */
  async until<T>(what: string, probe: () => T | null | undefined | false, limitMs = 120_000): Promise<T> {
    const limit = this.now() + limitMs;
    for (;;) {
      const value = probe();
      if (value !== null && value !== undefined && value !== false) return value;
      if (this.now() >= limit) throw new Error(`waited ${limitMs} ms of virtual time for: ${what}`);
      await this.step();
    }
  }

  async #takeStep(): Promise<void> {
    await this.#idle();
    if (this.#paces > 0) {
      // A stall of the machine does not make the steps after it shorter: the limits of the call are in virtual time, those
      // of the peer in real time.
      const now = performance.now();
      this.#dueAt = Math.max(this.#dueAt + FRAME_MS, now);
      const waitMs = this.#isCatchingUp ? CATCH_UP_MS : this.#dueAt - now;
      await new Promise((done) => setTimeout(done, waitMs));
    }
    const at = this.now() + FRAME_MS;
    for (let timer = this.#next(at); timer !== null; timer = this.#next(at)) {
      this.#timers.delete(timer);
      this.#moveTo(timer.at);
      timer.run();
    }
    this.#moveTo(at);
    for (const tick of this.#ticks) tick(at);
    await this.#idle();
  }

  #moveTo(at: number): void {
    if (at > this.now()) this.clock.advance(at - this.now());
  }

  #next(until: number): Timer | null {
    let next: Timer | null = null;
    // A Set keeps insertion order: timers due at once run in the order they were set.
    for (const timer of this.#timers)
      if (timer.at <= until && (next === null || timer.at < next.at)) next = timer;
    return next;
  }

  /** Resolves once no work is pending and the callbacks of finished work have run. */
  async #idle(): Promise<void> {
    for (;;) {
      await new Promise((done) => setImmediate(done));
      if (this.#stops.size === 0) return;
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      let stuck: NodeJS.Timeout | null = null;
      await Promise.race([
        woken,
        new Promise((_, reject) => {
          stuck = setTimeout(() => reject(new Error(`stuck: ${[...this.#stops].join(', ')}`)), STUCK_MS);
        }),
      ]);
      if (stuck !== null) clearTimeout(stuck);
    }
  }
}
