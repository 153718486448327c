/** A criterion of a scorecard, as the API and the database have it. */
export type ScoreRule =
  | { readonly rule: 'no_finding'; readonly detector: string }
  | { readonly rule: 'result_is'; readonly of: readonly string[] }
  | { readonly rule: 'captured'; readonly key: string }
  | { readonly rule: 'duration'; readonly min?: number; readonly max?: number }
  | { readonly rule: 'agent_says'; readonly of: readonly string[] }
  | { readonly rule: 'agent_never_says'; readonly of: readonly string[] }
  | { readonly rule: 'criterion_met'; readonly criterion: string };
export type ScoreCriterion = ScoreRule & { readonly name: string; readonly points: number };

/** How a call met a criterion; `not_judged`: the call does not show it. */
export interface ScoreVerdict {
  readonly name: string;
  readonly points: number;
  readonly result: 'passed' | 'failed' | 'not_judged';
  readonly reason: string;
}
