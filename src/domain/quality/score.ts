import { hasPhrase, normal } from '@callwright/language';
import type { Evaluation } from '../../store/json/call-record.ts';
import type { ScoreCriterion, ScoreRule, ScoreVerdict } from '../../store/json/scorecard.ts';

/** What a scorecard judges. */
export interface ScoredCall {
  readonly findings: readonly { readonly detector: string; readonly detail: string }[];
  readonly result: string | null;
  readonly durationMs: number | null;
  /** Values of the client analysis; null: none. */
  readonly captured: Readonly<Record<string, unknown>> | null;
  /** Criteria of the agent as the analysis judged them, by a model where one is set. */
  readonly evaluations: readonly Evaluation[];
  /** Lines of the agent. */
  readonly agentLines: readonly string[];
}

export interface Score {
  /** 0 to 100: the points that the call earned, of those that could be judged; null: none could. */
  readonly score: number | null;
  readonly verdicts: readonly ScoreVerdict[];
}

/** Scores a call by weighted criteria. Pure. */
export function scoreOf(criteria: readonly ScoreCriterion[], call: ScoredCall): Score {
  const verdicts = criteria.map((criterion): ScoreVerdict => {
    const { name, points } = criterion;
    return { name, points, ...judge(criterion, call) };
  });
  const sum = (list: readonly ScoreVerdict[]): number => list.reduce((all, { points }) => all + points, 0);
  const possible = sum(verdicts.filter(({ result }) => result !== 'not_judged'));
  const earned = sum(verdicts.filter(({ result }) => result === 'passed'));
  return { score: possible === 0 ? null : (earned / possible) * 100, verdicts };
}

type Judged = Pick<ScoreVerdict, 'result' | 'reason'>;
const held = (isHeld: boolean, reason: string): Judged => ({ result: isHeld ? 'passed' : 'failed', reason });
const notJudged = (reason: string): Judged => ({ result: 'not_judged', reason });

function judge(rule: ScoreRule, call: ScoredCall): Judged {
  switch (rule.rule) {
    case 'no_finding': {
      const found = call.findings.find(({ detector }) => detector === rule.detector);
      return held(found === undefined, found?.detail ?? 'The detector found nothing.');
    }
    case 'result_is':
      if (call.result === null) return notJudged('The call has no result.');
      return held(rule.of.includes(call.result), `The result is ${call.result}.`);
    case 'captured': {
      if (call.captured === null) return notJudged('The call has no client analysis.');
      const value = call.captured[rule.key] ?? null;
      const isThere = value !== null && value !== '';
      return held(isThere, isThere ? `${rule.key} has a value.` : `${rule.key} has no value.`);
    }
    case 'duration': {
      if (call.durationMs === null) return notJudged('The call has no duration.');
      const seconds = call.durationMs / 1_000;
      const isIn = seconds >= (rule.min ?? 0) && seconds <= (rule.max ?? Number.POSITIVE_INFINITY);
      return held(isIn, `The call took ${seconds.toFixed(1)} s.`);
    }
    case 'agent_says':
    case 'agent_never_says': {
      const said = saidOf(rule.of, call.agentLines);
      const reason = said === null ? 'The agent said none of it.' : `The agent said “${said}”.`;
      return held((said !== null) === (rule.rule === 'agent_says'), reason);
    }
    case 'criterion_met':
      return verdictOf(rule.criterion, call);
    default:
      return rule satisfies never;
  }
}

function verdictOf(criterion: string, call: ScoredCall): Judged {
  const found = call.evaluations.find(({ name }) => name === criterion);
  return found === undefined
    ? notJudged('The agent had no such criterion.')
    : { result: found.result, reason: found.reason };
}

/** The first phrase that a line has; null: none. */
const saidOf = (phrases: readonly string[], lines: readonly string[]): string | null =>
  phrases.find((phrase) => lines.some((line) => hasPhrase(normal(line), normal(phrase)))) ?? null;
