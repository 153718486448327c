import type { FieldProblem } from '../../errors.ts';
import type { VersionConfig } from '../../store/json/agent-version.ts';
import type { RehearsalResult, RehearsedCall } from '../../store/json/rehearsal.ts';

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

/** Plays and judges calls of simulated callers with the built-in engine. The same plan and number give the same call. */
export interface Rehearser {
  /** What a call freezes of a version. */
  freeze(agent: { readonly name: string; readonly isInbound: boolean }, config: VersionConfig): object;
  /** Scenarios for the ways through the agent's flow, or for what its prompt says; none for a flow that is not English. */
  scenariosOf(spec: object, name: string): Promise<readonly object[]>;
  /** The scenarios of a file in YAML or JSON, or what is wrong with it. */
  read(
    text: string,
  ): { readonly scenarios: readonly object[] } | { readonly problems: readonly FieldProblem[] };
  /** The calls `first` to `first + count - 1`. */
  play(plan: RehearsalPlan, first: number, count: number): Promise<JudgedPair[]>;
  result(plan: RehearsalPlan, calls: readonly JudgedPair[]): RehearsalResult;
  /** `before`: with the version to compare with. */
  show(plan: RehearsalPlan, call: number, before: boolean): Promise<RehearsedCall>;
}
