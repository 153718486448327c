import type { LineRefusal } from '../../domain/rehearsals/caller-lines.ts';
import type { Verdict } from '../../store/json/test-case.ts';
import type { Interaction } from './interaction.ts';
import { DETECTORS, type Alarm, type DetectorName } from '../detect/alarm.ts';
import type { RehearsalExpectation, Scenario } from '../scenario/document.ts';

/** Lines of callers whose words come from a model, and of the rules that stood in, by reason. */
export interface LineCounts {
  readonly byModel: number;
  readonly refused: readonly { readonly reason: LineRefusal; readonly lines: number }[];
}

export interface JudgedCall {
  /** Index of the scenario, and of the call in the run. */
  readonly scenario: number;
  readonly call: number;
  readonly seed: number;
  readonly verdicts: readonly Verdict[];
  readonly alarms: readonly Alarm[];
  /** Mean time to a reply, ms; null: there was none. */
  readonly replyMs: number | null;
  readonly interaction: Interaction;
  readonly failure: string | null;
  /** Absent: rules worded every line. */
  readonly lines?: LineCounts;
}

/** The lines of a run; null: no caller had its words from a model. */
export function linesOf(calls: readonly JudgedCall[]): LineCounts | null {
  const counts = calls.flatMap(({ lines }) => lines ?? []);
  if (counts.length === 0) return null;
  const refused = new Map<LineRefusal, number>();
  for (const { reason, lines } of counts.flatMap((each) => each.refused))
    refused.set(reason, (refused.get(reason) ?? 0) + lines);
  return {
    byModel: counts.reduce((sum, { byModel }) => sum + byModel, 0),
    refused: [...refused].map(([reason, lines]) => ({ reason, lines })),
  };
}

/** `error`: the call could not be played, which says nothing about the agent. */
export const resultOf = ({ verdicts, failure }: JudgedCall): 'passed' | 'failed' | 'error' => {
  if (failure !== null) return 'error';
  return verdicts.every(({ result }) => result === 'held') ? 'passed' : 'failed';
};

export interface ExpectationTally {
  readonly expectation: RehearsalExpectation;
  readonly held: number;
  readonly calls: number;
  /** The first call in which it did not hold; null: it always did. */
  readonly example: { readonly call: number; readonly reason: string } | null;
}
export interface ScenarioTally {
  readonly name: string;
  readonly passed: number;
  readonly calls: number;
  readonly errors: number;
  readonly expectations: readonly ExpectationTally[];
}

/** The results of a run by scenario and expectation. */
export const tally = (scenarios: readonly Scenario[], calls: readonly JudgedCall[]): ScenarioTally[] =>
  scenarios.map(({ name, expect }, index) => {
    const own = calls.filter(({ scenario }) => scenario === index);
    const played = own.filter(({ failure }) => failure === null);
    return {
      name,
      calls: played.length,
      passed: played.filter((call) => resultOf(call) === 'passed').length,
      errors: own.length - played.length,
      expectations: expect.map((expectation, at) => {
        const missed = played.filter(({ verdicts }) => verdicts[at]?.result !== 'held');
        const [first] = missed;
        return {
          expectation,
          calls: played.length,
          held: played.length - missed.length,
          example:
            first === undefined ? null : { call: first.call, reason: first.verdicts[at]?.reason ?? '' },
        };
      }),
    };
  });

export interface AlarmTally {
  readonly detector: DetectorName;
  readonly calls: number;
  readonly example: { readonly call: number; readonly detail: string };
}

/** What detectors found in a run, most calls first. */
export const alarmsOf = (calls: readonly JudgedCall[]): AlarmTally[] =>
  DETECTORS.flatMap((detector) => {
    const found = calls.flatMap(({ call, alarms }) =>
      alarms.filter((alarm) => alarm.detector === detector).map(({ detail }) => ({ call, detail })),
    );
    const [example] = found;
    return example === undefined ? [] : [{ detector, calls: found.length, example }];
  }).toSorted((a, b) => b.calls - a.calls);

/** The chance that `k` calls of one scenario in a row all pass, averaged over the scenarios with as many calls; null: none has. */
export function passToThe(
  k: number,
  tallies: readonly Pick<ScenarioTally, 'passed' | 'calls'>[],
): number | null {
  const enough = tallies.filter(({ calls }) => calls >= k);
  if (enough.length === 0) return null;
  // C(passed, k) / C(calls, k), without factorials.
  const chances = enough.map(({ passed, calls }) => {
    let chance = 1;
    for (let i = 0; i < k; i++) chance *= Math.max(0, passed - i) / (calls - i);
    return chance;
  });
  return chances.reduce((sum, chance) => sum + chance, 0) / chances.length;
}
