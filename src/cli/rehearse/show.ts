import type { Comparison } from '../../rehearsal/compare/compare.ts';
import type { Panel } from '../../rehearsal/judge/interaction.ts';
import {
  passToThe,
  type AlarmTally,
  type LineCounts,
  type ScenarioTally,
} from '../../rehearsal/judge/tally.ts';
import type { PlayedCall } from '../../rehearsal/play/rehearsal.ts';
import type { Ink } from '../live-view.ts';

const PASSES = [1, 2, 4, 8] as const;
/** Calls that are named one by one. */
const MOST_NAMED = 20;

/** Both sides and the tools, in the order in which they sound. */
export function conversation({ agent, caller, tools, end, lines: worded }: PlayedCall, ink: Ink): string[] {
  const lines = [
    ...(worded?.refused ?? []).map(
      ({ at, reason }) => [at, ink.dim(`rules   stand in: ${reason.replaceAll('_', ' ')}`)] as const,
    ),
    ...agent.map(({ text, from, cut }) => [from, `agent   ${text}${cut ? ' [cut off]' : ''}`] as const),
    ...caller.map(({ text, from, kind }) => {
      const how = kind === 'turn' ? '' : ` [${kind}]`;
      return [from, ink.caller(`caller  ${text}${how}`)] as const;
    }),
    ...tools.map(({ name, args, at }) => [at, ink.bold(`tool    ${name} ${JSON.stringify(args)}`)] as const),
    ...(end === null ? [] : [[end.at, ink.dim(`call    ends: ${end.reason}`)] as const]),
  ];
  return lines
    .toSorted(([a], [b]) => a - b)
    .map(([ms, text]) => `${(ms / 1_000).toFixed(2).padStart(7)}  ${text}`);
}

export function results(
  tallies: readonly ScenarioTally[],
  alarms: readonly AlarmTally[],
  seed: number,
  ink: Ink,
): string[] {
  const lines = tallies.flatMap(({ name, calls, passed, errors, expectations }) => {
    const isWhole = passed === calls && errors === 0;
    const count = `${passed}/${calls}`.padStart(9);
    return [
      `${isWhole ? ink.good(count) : ink.bad(count)}  ${name}`,
      ...(errors === 0 ? [] : [`           ${errors} could not be played`]),
      ...expectations.flatMap(({ expectation, held, calls: of, example }) =>
        example === null
          ? []
          : [
              `           ${expectation.type}: not held in ${of - held} of ${of}, first in call ${example.call}: ${example.reason}`,
            ],
      ),
    ];
  });
  const passes = PASSES.flatMap((k) => {
    const chance = passToThe(k, tallies);
    return chance === null ? [] : [`pass^${k} ${(chance * 100).toFixed(1)} %`];
  });
  const found = alarms.map(
    ({ detector, calls, example }) =>
      `${String(calls).padStart(9)}  calls with ${detector}, first call ${example.call}: ${example.detail}`,
  );
  return [...lines, ...found, ink.dim(`seed ${seed}: ${passes.join(', ')}`)];
}

/** Lines and cost of callers whose words come from a model; `stoppedAfter`: calls that the budget covered. */
export function modelCallers(
  { byModel, refused }: LineCounts,
  money: { readonly cost: number; readonly currency: string } | null,
  stoppedAfter: number | null,
  ink: Ink,
): string[] {
  const standIns = refused.map(
    ({ reason, lines }) => `${lines} by rules instead (${reason.replaceAll('_', ' ')})`,
  );
  const cost = money === null ? [] : [`cost ${money.cost.toFixed(6)} ${money.currency}`];
  return [
    ink.dim([`${byModel} lines by the model`, ...standIns, ...cost].join(', ')),
    ...(stoppedAfter === null
      ? []
      : [ink.bad(`stopped after ${stoppedAfter} calls: the next one could have passed --max-cost`)]),
  ];
}

/** How the agent takes turns, by the figures of tau2-bench. */
export function panel(figures: Panel, ink: Ink): string[] {
  const rows: readonly (readonly [number | null, number | null, string])[] = [
    [figures.responseRate, figures.responseMs, 'of the turns are answered'],
    [figures.yieldRate, figures.yieldMs, 'of the interruptions stop the agent'],
    [figures.agentInterruptionRate, null, 'of the turns are talked over'],
    [figures.backchannelRate, null, 'of the murmurs let the agent go on'],
  ];
  return rows.flatMap(([rate, ms, text]) =>
    rate === null
      ? []
      : [
          ink.dim(
            `${percent(rate).padStart(9)}  ${text}${ms === null ? '' : `, after ${Math.round(ms)} ms`}`,
          ),
        ],
  );
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
const signed = (value: number, digits = 1): string => `${value < 0 ? '' : '+'}${value.toFixed(digits)}`;

/** Two versions on the same calls. */
export function comparison(
  { calls, passed, alarmed, replyMs, reasons, worse }: Comparison,
  ink: Ink,
): string[] {
  const share = ({ before, after, difference, low, high }: Comparison['passed']): string =>
    `${percent(before / calls)} before, ${percent(after / calls)} now: ${signed(difference * 100)} (${signed(low * 100)} to ${signed(high * 100)}) points`;
  const { difference, low, high } = replyMs;
  const named = worse.slice(0, MOST_NAMED).join(', ');
  return [
    ink.bold(`The same ${calls} calls with both versions`),
    `  passed   ${share(passed)}`,
    `  alarms   ${share(alarmed)}`,
    `  replies  ${signed(difference, 0)} ms (${signed(low, 0)} to ${signed(high, 0)})`,
    ...(worse.length === 0
      ? []
      : [`  calls that failed only now: ${named}${worse.length > MOST_NAMED ? ', …' : ''}`]),
    ...(reasons.length === 0
      ? [ink.good('Not worse than before, at 95 %.')]
      : reasons.map((reason) => ink.bad(`Worse: ${reason}.`))),
  ];
}
