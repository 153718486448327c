import type { Language } from '@callwright/language';

/** A way that a conversation may take, and texts that say when: first a sentence about the caller, then words of callers. */
export interface Way {
  readonly to: string;
  readonly texts: readonly string[];
}

/** A way that the caller's words mean, and how alike their meaning is, at most 1. */
export interface ChosenWay {
  readonly to: string;
  readonly alike: number;
}

/** A model on this machine that tells which way the caller's words mean. It leads no conversation. */
export interface WayJudge {
  understands(language: Language): boolean;
  /** Reads the texts of ways ahead of the first choice. */
  prepare(ways: readonly Way[]): void;
  /** Null: no way for sure, or not in time. Never rejects. */
  choose(line: string, ways: readonly Way[]): Promise<ChosenWay | null>;
}
