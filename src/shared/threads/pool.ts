import type { ThreadEnded } from './thread.ts';

/** What the pool needs of a thread. */
interface PoolThread {
  readonly ended: ThreadEnded | null;
  onEnd(listener: (reason: ThreadEnded) => void): void;
  stop(): Promise<void>;
}

export interface PoolOptions<T> {
  readonly size: number;
  /** Starts the thread of one place. */
  start(place: number): T;
  /**
   * Waits before the second, third and further starts of a place whose thread ended; the last repeats without end. Absent:
   * a place is filled again when the pool is used.
   */
  readonly restartMs?: readonly number[];
  /** A thread that ran for longer starts the waits anew. */
  readonly steadyMs?: number;
  /** Called before a wait; false: the place stays empty. */
  readonly mayRestart?: (place: number, waitMs: number) => boolean;
  /** Jobs that one thread runs at once; further ones wait. Absent: any number. */
  readonly jobsEach?: number;
  /** A thread without a job is stopped after this time. Absent: never. */
  readonly idleMs?: number;
}

interface Place<T> {
  readonly index: number;
  thread: T | null;
  jobs: number;
  startedAt: number;
  /** Ends in a row, without a steady run between them. */
  ends: number;
  timer: NodeJS.Timeout | null;
}

/** Threads of one kind: starts them, replaces those that ended and gives each job to the least busy one. */
export class ThreadPool<T extends PoolThread> {
  readonly #options: PoolOptions<T>;
  readonly #places: readonly Place<T>[];
  /** Jobs in line for a thread. */
  readonly #waiting: PromiseWithResolvers<void>[] = [];
  /** Idle threads on their way out. */
  readonly #leaving = new Set<Promise<void>>();
  /** Threads that left their place, and run on until they end. */
  readonly #retired = new Set<T>();
  #isClosed = false;

  constructor(options: PoolOptions<T>) {
    this.#options = options;
    this.#places = Array.from({ length: options.size }, (_, index) => ({
      index,
      thread: null,
      jobs: 0,
      startedAt: 0,
      ends: 0,
      timer: null,
    }));
  }

  get threads(): readonly T[] {
    return this.#places.flatMap(({ thread }) => (thread === null ? [] : [thread]));
  }

  /** Starts every thread that is missing and does not wait for its restart. */
  fill(): void {
    for (const place of this.#places) if (place.thread === null && place.timer === null) this.#start(place);
  }

  /** Starts another thread in the place of this one, which runs on until it ends. */
  retire(thread: T): void {
    const place = this.#places.find((one) => one.thread === thread);
    if (place === undefined || this.#isClosed) return;
    this.#retired.add(thread);
    thread.onEnd(() => this.#retired.delete(thread));
    this.#stayAwake(place);
    this.#start(place);
  }

  /** Runs the job on the least busy thread; starts a thread if all are busy and one is missing. */
  async run<R>(job: (thread: T) => Promise<R>): Promise<R> {
    let place = this.#next();
    while (place === null) {
      const turn = Promise.withResolvers<void>();
      this.#waiting.push(turn);
      await turn.promise;
      place = this.#next();
    }
    const { thread } = place;
    place.jobs += 1;
    try {
      return await job(thread);
    } finally {
      // The place of a thread that ended during its job has begun anew.
      if (this.#places[place.index]?.thread === thread) this.#release(this.#places[place.index]!);
      else this.#waiting.shift()?.resolve();
    }
  }

  /** Takes no further job, rejects those that wait and resolves when every thread has ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { reject } of this.#waiting.splice(0)) reject(closed());
    for (const { timer } of this.#places) if (timer !== null) clearTimeout(timer);
    const running = [...this.threads, ...this.#retired];
    await Promise.all([...running.map((thread) => thread.stop()), ...this.#leaving]);
  }

  /** The place for the next job; null: every thread has as many jobs as it may. */
  #next(): (Place<T> & { readonly thread: T }) | null {
    if (this.#isClosed) throw closed();
    const { jobsEach = Number.POSITIVE_INFINITY } = this.#options;
    let best: Place<T> | null = null;
    for (const place of this.#places) {
      if (place.thread === null || place.jobs >= jobsEach) continue;
      if (best === null || place.jobs < best.jobs) best = place;
    }
    if (best === null || best.jobs > 0) {
      const missing = this.#places.find(({ thread, timer }) => thread === null && timer === null);
      if (missing !== undefined) {
        this.#start(missing);
        best = missing.thread === null ? best : missing;
      }
    }
    if (best === null) return null;
    this.#stayAwake(best);
    return best as Place<T> & { readonly thread: T };
  }

  #start(place: Place<T>): void {
    if (this.#isClosed) return;
    const thread = this.#options.start(place.index);
    place.thread = thread;
    place.jobs = 0;
    place.startedAt = performance.now();
    for (const { resolve } of this.#waiting.splice(0)) resolve();
    if (thread.ended === null) thread.onEnd(() => this.#onEnd(place, thread));
    else this.#onEnd(place, thread);
  }

  #onEnd(place: Place<T>, thread: T): void {
    if (place.thread !== thread) return;
    place.thread = null;
    this.#stayAwake(place);
    const { restartMs, steadyMs = 0, mayRestart } = this.#options;
    if (this.#isClosed || restartMs === undefined) return;
    if (performance.now() - place.startedAt > steadyMs) place.ends = 0;
    const waitMs = restartMs[Math.min(place.ends, restartMs.length - 1)] ?? 0;
    place.ends += 1;
    if (mayRestart?.(place.index, waitMs) === false) return;
    place.timer = setTimeout(() => {
      place.timer = null;
      this.#start(place);
    }, waitMs);
    place.timer.unref();
  }

  #release(place: Place<T>): void {
    place.jobs -= 1;
    const next = this.#waiting.shift();
    if (next !== undefined) return next.resolve();
    const { idleMs } = this.#options;
    if (idleMs === undefined || place.jobs > 0) return undefined;
    place.timer = setTimeout(() => this.#leave(place), idleMs);
    place.timer.unref();
    return undefined;
  }

  /** The place is empty before its thread has ended, so that no job meets it there. */
  #leave(place: Place<T>): void {
    const { thread } = place;
    place.thread = null;
    place.timer = null;
    if (thread === null) return;
    const left = thread.stop().finally(() => this.#leaving.delete(left));
    this.#leaving.add(left);
  }

  #stayAwake(place: Place<T>): void {
    if (place.timer !== null) clearTimeout(place.timer);
    place.timer = null;
  }
}

const closed = (): Error => new Error('the service is stopping');
