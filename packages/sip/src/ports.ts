/** Wall clock and one-shot timers; tests replace them to run in virtual time. */
export interface Scheduler {
  /** Epoch milliseconds. */
  now(): number;
  /** Runs `run` once after `ms`; the returned function cancels it. */
  after(ms: number, run: () => void): () => void;
}

/** A structured log: static messages with their values as fields. pino's logger is one. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
