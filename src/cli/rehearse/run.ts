import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decisionOf, initialState, step, writeLog } from '@callwright/turns';
import {
  alarmsOf,
  passToThe,
  resultOf,
  tally,
  type AlarmTally,
  type JudgedCall,
  type ScenarioTally,
} from '../../rehearsal/judge/tally.ts';
import type { PlayedCall } from '../../rehearsal/play/rehearsal.ts';
import { timingOf, type TimingName } from '../../rehearsal/play/timing.ts';
import { rehearse, type RunToPlay } from '../../rehearsal/run.ts';
import { Refused } from '../as-code/document.ts';
import { colours, noColours, type Ink } from '../live-view.ts';
import { AgentFinder } from './agents.ts';
import { readScenarios } from './files.ts';

export interface RehearseOptions {
  readonly folder: string;
  /** The agent of scenarios that name none; undefined: they must. */
  readonly agent: string | undefined;
  readonly calls: number;
  readonly seed: number;
  readonly timing: TimingName;
  /** Plays this call of the run alone, and prints it. */
  readonly only: number | undefined;
  /** Folder for the event logs of failed calls. */
  readonly save: string | undefined;
  readonly json: boolean;
}

/** Exit code of a run in which a call did not pass, and of one that could not be played. */
const FAILED = 1;
const MOST_PASSES = [1, 2, 4, 8] as const;

/**
 * Rehearses agents with simulated callers by text, and prints what did not hold. Resolves with the exit code: 0 every call passed, 1 one
 * did not, or the files cannot be used.
 */
export async function runRehearse(paths: readonly string[], options: RehearseOptions): Promise<number> {
  const ink = process.stdout.isTTY ? colours : noColours;
  try {
    const run = runOf(paths, options);
    if (options.only !== undefined) return await playOne(run, options.only, options, ink);
    const calls: JudgedCall[] = [];
    for (let call = 0; call < Math.max(options.calls, run.parts.length); call++) {
      const { judged, played } = await rehearse(run, call);
      calls.push(judged);
      if (options.save !== undefined && resultOf(judged) !== 'passed') save(options.save, call, played);
    }
    const tallies = tally(
      run.parts.map(({ scenario }) => scenario),
      calls,
    );
    if (options.json)
      console.log(JSON.stringify({ seed: options.seed, scenarios: tallies, alarms: alarmsOf(calls) }));
    else for (const line of shown(tallies, alarmsOf(calls), options.seed, ink)) console.log(line);
    return calls.every((call) => resultOf(call) === 'passed') ? 0 : FAILED;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    for (const problem of error.problems) console.error(problem);
    return FAILED;
  }
}

function runOf(paths: readonly string[], { folder, agent, seed, timing }: RehearseOptions): RunToPlay {
  const finder = new AgentFinder(folder);
  const parts = readScenarios(paths).map((scenario) => {
    const name = agent ?? scenario.agent;
    if (name === undefined)
      throw new Refused([`${scenario.name}: names no agent; add \`agent\` to it, or pass --agent`]);
    return { scenario, agent: finder.find(name) };
  });
  return { parts, seed, timing: timingOf(timing) };
}

async function playOne(
  run: RunToPlay,
  call: number,
  { save: folder }: RehearseOptions,
  ink: Ink,
): Promise<number> {
  const { played, judged } = await rehearse(run, call);
  for (const line of conversation(played, ink)) console.log(line);
  const { expect } = run.parts[judged.scenario]!.scenario;
  for (const [at, { result, reason }] of judged.verdicts.entries())
    console.log(
      `${result === 'held' ? ink.good('held    ') : ink.bad('not held')}  ${expect[at]!.type}: ${reason}`,
    );
  for (const { detector, at, detail } of judged.alarms)
    console.log(ink.bad(`${detector} at ${(at / 1_000).toFixed(2)} s: ${detail}`));
  if (judged.failure !== null) console.log(ink.bad(judged.failure));
  if (folder !== undefined) save(folder, call, played);
  return resultOf(judged) === 'passed' ? 0 : FAILED;
}

/** Both sides and the tools, in the order in which they sound. */
function conversation({ agent, caller, tools, end }: PlayedCall, ink: Ink): string[] {
  const lines = [
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

function shown(
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
  const passes = MOST_PASSES.flatMap((k) => {
    const chance = passToThe(k, tallies);
    return chance === null ? [] : [`pass^${k} ${(chance * 100).toFixed(1)} %`];
  });
  const found = alarms.map(
    ({ detector, calls, example }) =>
      `${String(calls).padStart(9)}  calls with ${detector}, first call ${example.call}: ${example.detail}`,
  );
  return [...lines, ...found, ink.dim(`seed ${seed}: ${passes.join(', ')}`)];
}

/** Writes the event log of a call, which `callwright replay` reads. */
function save(folder: string, call: number, { settings, events }: PlayedCall): void {
  mkdirSync(folder, { recursive: true });
  let state = initialState(settings);
  const entries = events.map((event) => {
    const next = step(state, event);
    state = next.state;
    return { event, decision: decisionOf(next.effects) };
  });
  writeFileSync(join(folder, `call-${call}.jsonl`), writeLog({ settings, entries, cutMs: null }), {
    mode: 0o600,
  });
}
