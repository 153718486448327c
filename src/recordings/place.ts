import type { Readable } from 'node:stream';

/** Metadata of a file. */
export interface Found {
  readonly bytes: number;
  readonly modifiedAt: Date;
}

/** Storage for recordings and their derived files, addressed by relative path. */
export interface Place {
  /** Null if the file does not exist. */
  find(path: string): Promise<Found | null>;
  /** Bytes `start` to `end`, both included. */
  stream(path: string, start: number, end: number): Readable;
  /** Stores the file at `from` atomically; may move it. */
  put(path: string, from: string, type: string): Promise<void>;
  /** Upper bound, from its start, for the time at which a `put` of this many bytes can still take effect. */
  longestPutMs(bytes: number): number;
  /** Idempotent: removing an absent file succeeds. */
  remove(path: string): Promise<void>;
  /** Runs `work` with a local path of the file. */
  withLocal<T>(path: string, work: (local: string) => Promise<T>): Promise<T>;
}

/** File extensions of derived files. */
export const DERIVED = { mp3: '.mp3', peaks: '.peaks.json' } as const;
export type Derived = keyof typeof DERIVED;
export const TYPES = { wav: 'audio/wav', mp3: 'audio/mpeg', peaks: 'application/json' } as const;

export const derivedPath = (wav: string, kind: Derived): string => wav.replace(/\.wav$/, '') + DERIVED[kind];
