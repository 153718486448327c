import type { RehearsalResult, RehearsedCall } from '../store/json/rehearsal.ts';
import { compare } from './compare/compare.ts';
import type { Interval } from './compare/paired.ts';
import { panelOf } from './judge/interaction.ts';
import {
  alarmsOf,
  linesOf,
  passToThe,
  resultOf,
  tally,
  type JudgedCall,
  type LineCounts,
} from './judge/tally.ts';
import type { PlayedCall } from './play/rehearsal.ts';
import type { Scenario } from './scenario/document.ts';

/** `k` of pass^k. */
const IN_A_ROW = [1, 4, 8] as const;
const MOST_WORST = 100;

/** The result of a rehearsal; `before`: the same calls with the version to compare with. Pure. */
export function rehearsalResult(
  scenarios: readonly Scenario[],
  calls: readonly JudgedCall[],
  before: readonly JudgedCall[] | null,
): RehearsalResult {
  const tallies = tally(scenarios, calls);
  const earlier = before === null ? null : tally(scenarios, before);
  const count = (result: ReturnType<typeof resultOf>): number =>
    calls.filter((call) => resultOf(call) === result).length;
  const { responseRate, responseMs, yieldRate, yieldMs, agentInterruptionRate, backchannelRate } = panelOf(
    calls.map(({ interaction }) => interaction),
  );
  return {
    passed: count('passed'),
    failed: count('failed'),
    errors: count('error'),
    reply_ms: responseMs,
    pass_at: IN_A_ROW.flatMap((k) => {
      const chance = passToThe(k, tallies);
      return chance === null ? [] : [{ calls: k, chance }];
    }),
    scenarios: tallies.map(({ expectations, ...of }, scenario) => ({
      ...of,
      expectations: expectations.map(({ expectation, calls: played, held, example }, at) => ({
        type: expectation.type,
        expectation: { ...expectation },
        calls: played,
        held,
        held_before: earlier?.[scenario]?.expectations[at]?.held ?? null,
        example,
      })),
    })),
    alarms: alarmsOf(calls),
    interaction: {
      response_rate: responseRate,
      response_ms: responseMs,
      yield_rate: yieldRate,
      yield_ms: yieldMs,
      agent_interruption_rate: agentInterruptionRate,
      backchannel_rate: backchannelRate,
    },
    comparison: before === null ? null : comparisonOf(before, calls),
    ...callerLines(linesOf(calls)),
    worst: worstOf(scenarios, calls, before),
  };
}

const callerLines = (of: LineCounts | null): Pick<RehearsalResult, 'caller_lines'> =>
  of === null ? {} : { caller_lines: { by_model: of.byModel, by_rules: of.refused } };

function comparisonOf(
  before: readonly JudgedCall[],
  calls: readonly JudgedCall[],
): RehearsalResult['comparison'] {
  const { calls: pairs, passed, alarmed, replyMs, reasons } = compare(before, calls);
  const interval = ({ difference, low, high }: Interval): Interval => ({ difference, low, high });
  const change = (of: typeof passed) => ({ before: of.before, after: of.after, ...interval(of) });
  return {
    calls: pairs,
    passed: change(passed),
    alarmed: change(alarmed),
    reply_ms: interval(replyMs),
    is_worse: reasons.length > 0,
    reasons,
  };
}

function worstOf(
  scenarios: readonly Scenario[],
  calls: readonly JudgedCall[],
  before: readonly JudgedCall[] | null,
): RehearsalResult['worst'] {
  const earlier = new Map(before?.map((call) => [call.call, resultOf(call) === 'passed']));
  return calls
    .filter((call) => resultOf(call) !== 'passed')
    .map(({ call, scenario, verdicts, failure }) => {
      const missed = verdicts.filter(({ result }) => result !== 'held').map(({ reason }) => reason);
      return {
        call,
        scenario: scenarios[scenario]?.name ?? '',
        reasons: failure === null ? missed : [failure],
        passed_before: before === null ? null : (earlier.get(call) ?? false),
      };
    })
    .toSorted(
      (a, b) =>
        Number(b.passed_before === true) - Number(a.passed_before === true) ||
        b.reasons.length - a.reasons.length ||
        a.call - b.call,
    )
    .slice(0, MOST_WORST);
}

/** One played call for readers. Pure. */
export function shownCall(scenario: Scenario, played: PlayedCall, judged: JudgedCall): RehearsedCall {
  const { agent, caller, tools, end, lines: worded } = played;
  const said = (speaker: 'agent' | 'caller') => (sound: { text: string; from: number; to: number }) => ({
    from_ms: Math.round(sound.from),
    to_ms: Math.round(sound.to),
    speaker,
    text: sound.text,
  });
  const used = tools.map(({ name, args, at, ms, ok, result }) => ({
    from_ms: Math.round(at),
    to_ms: Math.round(at + ms),
    speaker: 'tool' as const,
    text: `${name} ${JSON.stringify(args)} → ${ok ? '' : 'failed: '}${JSON.stringify(result)}`,
  }));
  return {
    call: judged.call,
    scenario: scenario.name,
    goal: scenario.persona.goal,
    result: resultOf(judged),
    error: judged.failure,
    lines: [...agent.map(said('agent')), ...caller.map(said('caller')), ...used].toSorted(
      (a, b) => a.from_ms - b.from_ms,
    ),
    verdicts: judged.verdicts.map(({ result, reason }, at) => ({
      type: scenario.expect[at]!.type,
      held: result === 'held',
      reason,
    })),
    alarms: judged.alarms.map(({ detector, at, detail }) => ({ detector, at_ms: Math.round(at), detail })),
    end_reason: end?.reason ?? null,
    ...(worded === undefined
      ? {}
      : { by_rules: worded.refused.map(({ at, reason }) => ({ at_ms: Math.round(at), reason })) }),
  };
}
