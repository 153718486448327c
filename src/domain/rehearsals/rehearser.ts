import type { FieldProblem } from '../../errors.ts';
import type { VersionConfig } from '../../store/json/agent-version.ts';
import type { RehearsalResult, RehearsedCall } from '../../store/json/rehearsal.ts';

import type { MostAsked } from './budget.ts';
import type { CallerLines } from './caller-lines.ts';

/** Everything that decides the calls of a rehearsal. */
export interface RehearsalPlan {
  readonly scenarios: readonly object[];
  readonly seed: number;
  readonly timing: string;
  readonly mode: 'text' | 'sound';
  /** Who hears the callers by sound, and calls by sound at a time; null: by text. */
  readonly recogniser: string | null;
  readonly atOnce: number | null;
  readonly spec: object;
  /** Of the version to compare with; null: none. */
  readonly againstSpec: object | null;
}

/** One judged call with each version. */
export interface JudgedPair {
  readonly now: object;
  readonly before: object | null;
}

/** What scenarios by a model shall be. */
export interface ScenarioWish {
  readonly count: number;
  /** In words; '': none. */
  readonly wish: string;
}
export interface ScenarioReading {
  readonly scenarios: readonly object[];
  /** Of those that are left out, for the repair request. */
  readonly problems: readonly string[];
}
/** A request for scenarios by a model. */
export interface ScenarioRequest {
  readonly system: string;
  readonly user: string;
  readonly schema: Record<string, unknown>;
  readonly mostTokens: number;
  /** Reads an answer, which is untrusted text. */
  readonly read: (answer: string) => ScenarioReading;
}

/** The lines of a call whose caller a model words. */
export type LinesOf = (call: number) => CallerLines;

/**
 * Plays and judges calls of simulated callers with the built-in engine. The same plan and number give the same call, with the same lines
 * where a model words its caller.
 */
export interface Rehearser {
  /** What a call freezes of a version. */
  freeze(agent: { readonly name: string; readonly isInbound: boolean }, config: VersionConfig): object;
  /** Scenarios for the ways through the agent's flow, or for what its prompt says; none for a flow that is not English. */
  scenariosOf(spec: object, name: string): Promise<readonly object[]>;
  /** The request for scenarios by a model. */
  scenarioRequest(spec: object, name: string, wish: ScenarioWish): ScenarioRequest;
  /** The text of a file with scenarios. */
  write(scenarios: readonly object[]): string;
  /** The scenarios of a file in YAML or JSON, or what is wrong with it. */
  read(
    text: string,
  ): { readonly scenarios: readonly object[] } | { readonly problems: readonly FieldProblem[] };
  /** Whether a model words the lines of any caller. */
  hasModelCaller(scenarios: readonly object[]): boolean;
  /** What a model may be asked for one call at most, by version. */
  mostAsked(plan: RehearsalPlan, call: number): readonly MostAsked[];
  /**
   * The calls `first` to `first + count - 1`. `lines`: where a model words callers, and calls are played side by side; of those that a
   * rejected line ends, and all after them, it returns none, and rejects when none is left.
   */
  play(plan: RehearsalPlan, first: number, count: number, lines?: LinesOf): Promise<JudgedPair[]>;
  result(plan: RehearsalPlan, calls: readonly JudgedPair[]): RehearsalResult;
  /** `before`: with the version to compare with. */
  show(plan: RehearsalPlan, call: number, before: boolean, lines: LinesOf): Promise<RehearsedCall>;
}
