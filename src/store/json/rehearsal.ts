import type { JsonObject } from './call-record.ts';

/** A difference between two versions with its 95 % interval. */
export interface RehearsalInterval {
  readonly difference: number;
  readonly low: number;
  readonly high: number;
}

/** What a rehearsal found. Names are those of the API. */
export interface RehearsalResult {
  readonly passed: number;
  readonly failed: number;
  /** Calls that could not be played. */
  readonly errors: number;
  readonly reply_ms: number | null;
  /** How likely so many calls of a scenario in a row all pass. */
  readonly pass_at: readonly { readonly calls: number; readonly chance: number }[];
  readonly scenarios: readonly {
    readonly name: string;
    readonly calls: number;
    readonly passed: number;
    readonly errors: number;
    readonly expectations: readonly {
      readonly type: string;
      readonly expectation: JsonObject;
      readonly calls: number;
      readonly held: number;
      /** With the other version; null: there is none. */
      readonly held_before: number | null;
      readonly example: { readonly call: number; readonly reason: string } | null;
    }[];
  }[];
  readonly alarms: readonly {
    readonly detector: string;
    readonly calls: number;
    readonly example: { readonly call: number; readonly detail: string };
  }[];
  readonly interaction: Readonly<Record<string, number | null>>;
  /** Null: only one version was rehearsed. */
  readonly comparison: {
    readonly calls: number;
    readonly passed: RehearsalInterval & { readonly before: number; readonly after: number };
    readonly alarmed: RehearsalInterval & { readonly before: number; readonly after: number };
    readonly reply_ms: RehearsalInterval;
    readonly is_worse: boolean;
    readonly reasons: readonly string[];
  } | null;
  /** Lines of callers whose words come from a model, and where the rules stood in; absent: rules worded all. */
  readonly caller_lines?: {
    readonly by_model: number;
    readonly by_rules: readonly { readonly reason: string; readonly lines: number }[];
  };
  /** The calls to open first: those that failed, with most misses first. */
  readonly worst: readonly {
    readonly call: number;
    readonly scenario: string;
    readonly reasons: readonly string[];
    /** With the other version; null: there is none. */
    readonly passed_before: boolean | null;
  }[];
}

/** One call of a rehearsal, played again. */
export interface RehearsedCall {
  readonly call: number;
  readonly scenario: string;
  readonly goal: string;
  readonly result: 'passed' | 'failed' | 'error';
  readonly error: string | null;
  /** Both sides, in time; ms after the answer. */
  readonly lines: readonly {
    readonly from_ms: number;
    readonly to_ms: number;
    readonly speaker: 'agent' | 'caller' | 'tool';
    readonly text: string;
  }[];
  readonly verdicts: readonly { readonly type: string; readonly held: boolean; readonly reason: string }[];
  readonly alarms: readonly { readonly detector: string; readonly at_ms: number; readonly detail: string }[];
  readonly end_reason: string | null;
  /** Lines that the rules worded in place of a model; absent: no model words this caller. */
  readonly by_rules?: readonly { readonly at_ms: number; readonly reason: string }[];
}
