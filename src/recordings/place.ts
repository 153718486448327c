import type { Readable } from 'node:stream';

/** What is known of a file without reading it. */
export interface Found {
  readonly bytes: number;
  readonly modifiedAt: Date;
}

/** Somewhere recordings and what is made from them are kept, by relative path. */
export interface Place {
  /** Null when there is no such file. */
  find(path: string): Promise<Found | null>;
  /** Bytes `start` to `end`, both included. */
  stream(path: string, start: number, end: number): Readable;
  /** Keeps the file at `from`, whole or not at all; `from` may be gone afterwards. */
  put(path: string, from: string, type: string): Promise<void>;
  /** No `put` of so many bytes has an effect later than this after it began. */
  longestPutMs(bytes: number): number;
  /** What is not there is removed already. */
  remove(path: string): Promise<void>;
  /** Runs `work` with a path on this machine's disk. */
  withLocal<T>(path: string, work: (local: string) => Promise<T>): Promise<T>;
}

/** What one recording consists of: the audio as recorded and what is made from it on request. */
export const DERIVED = { mp3: '.mp3', peaks: '.peaks.json' } as const;
export type Derived = keyof typeof DERIVED;
export const TYPES = { wav: 'audio/wav', mp3: 'audio/mpeg', peaks: 'application/json' } as const;

export const derivedPath = (wav: string, kind: Derived): string => wav.replace(/\.wav$/, '') + DERIVED[kind];
