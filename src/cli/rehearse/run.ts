import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { decisionOf, initialState, step, writeLog } from '@callwright/turns';
import { compare } from '../../rehearsal/compare/compare.ts';
import { panelOf } from '../../rehearsal/judge/interaction.ts';
import { alarmsOf, linesOf, resultOf, tally, type JudgedCall } from '../../rehearsal/judge/tally.ts';
import type { PlayedCall } from '../../rehearsal/play/rehearsal.ts';
import type { RecogniserName } from '../../rehearsal/sound/recognisers.ts';
import { timingOf, type TimingName } from '../../rehearsal/play/timing.ts';
import { rehearse, type RehearsedResult, type RunToPlay } from '../../rehearsal/run.ts';
import { madeScenarios } from '../../app/made-scenarios.ts';
import type { Scenario } from '../../rehearsal/scenario/document.ts';
import { ServiceError } from '../api-client.ts';
import { Refused } from '../../http/agents/document/document.ts';
import { colours, noColours, type Ink } from '../live-view.ts';
import { AgentFinder } from './agents.ts';
import { hasModelCaller } from '../../rehearsal/caller/model-request.ts';
import { fromMicro } from '../../domain/rehearsals/budget.ts';
import { readScenarios } from './files.ts';
import { ModelCallers } from './model-callers.ts';
import { readVersion } from './service-agents.ts';
import { comparison, conversation, modelCallers, panel, results } from './show.ts';

export interface RehearseOptions {
  readonly folder: string;
  /** The agent of every scenario; undefined: each names its own. */
  readonly agent: string | undefined;
  /** A version of `agent` on the service. */
  readonly agentVersion: string | undefined;
  /** The same calls with this version of `agent` on the service, or with the agents of this folder. */
  readonly against: string | undefined;
  readonly url: string;
  readonly key: string | undefined;
  readonly calls: number;
  readonly seed: number;
  readonly timing: TimingName;
  /** Over SIP and RTP in real time. */
  readonly sound: boolean;
  readonly atOnce: number;
  readonly recogniser: RecogniserName;
  /** Of the model that words callers, in the price list's currency. */
  readonly maxCost: number | undefined;
  /** File of recorded lines of callers. */
  readonly lines: string | undefined;
  /** Plays this call of the run alone, and prints it. */
  readonly only: number | undefined;
  /** Folder for the event logs of failed calls. */
  readonly save: string | undefined;
  readonly json: boolean;
}

/** Exit code of a run in which a call did not pass, or whose version is worse. */
const FAILED = 1;

/**
 * Rehearses agents with simulated callers by text, and prints what did not hold. Resolves with the exit code: 0 every call passed, or the
 * version is not worse than the other one; 1 otherwise, or the files cannot be used.
 */
export async function runRehearse(paths: readonly string[], options: RehearseOptions): Promise<number> {
  const ink = process.stdout.isTTY ? colours : noColours;
  try {
    const scenarios = readScenarios(paths);
    const callers = await callersOf(scenarios, options);
    try {
      return await rehearseAll(scenarios, callers, options, ink);
    } finally {
      await callers?.close();
    }
  } catch (error) {
    return refused(error);
  }
}

/** Null: rules word every caller. Throws Refused. */
async function callersOf(
  scenarios: readonly Scenario[],
  options: RehearseOptions,
): Promise<ModelCallers | null> {
  if (!hasModelCaller(scenarios)) return null;
  if (options.sound)
    throw new Refused(['a model words callers by text alone: leave --sound out, or set `lines: rules`']);
  return ModelCallers.open({ ...options, env: process.env });
}

async function rehearseAll(
  scenarios: readonly Scenario[],
  callers: ModelCallers | null,
  options: RehearseOptions,
  ink: Ink,
): Promise<number> {
  const worded = callers === null ? {} : { lines: (call: number) => callers.of(call) };
  const run = { ...runOf(scenarios, await agentsOf(options), options), ...worded };
  if (options.only !== undefined) return playOne(run, options.only, options, ink);
  const other =
    options.against === undefined
      ? null
      : { ...runOf(scenarios, await agentsBefore(options), options), ...worded };
  const { calls, before } = await playBoth(run, other, callers, options);
  const found = before === null ? null : compare(before, calls);
  const tallies = tally(scenarios, calls);
  const alarms = alarmsOf(calls);
  const { seed } = options;
  const figures = panelOf(calls.map(({ interaction }) => interaction));
  const lines = linesOf(calls);
  const isStopped = calls.length < planned(run, options);
  const money = callers?.cost ?? null;
  const model = { lines, cost: money, stopped_by: isStopped ? 'max_cost' : null };
  if (options.json)
    console.log(
      JSON.stringify({
        seed,
        scenarios: tallies,
        alarms,
        interaction: figures,
        comparison: found,
        ...(callers === null ? {} : model),
      }),
    );
  else {
    const asked = lines === null ? [] : modelCallers(lines, money, isStopped ? calls.length : null, ink);
    for (const line of [...results(tallies, alarms, seed, ink), ...panel(figures, ink), ...asked])
      console.log(line);
    if (found !== null) for (const line of comparison(found, ink)) console.log(line);
  }
  const isGood =
    found === null ? calls.every((call) => resultOf(call) === 'passed') : found.reasons.length === 0;
  return isGood ? 0 : FAILED;
}

/** Prints scenarios for the ways through the flow of an agent, or for its prompt. Resolves with the exit code: 1 when there are none. */
export async function runFromAgent(options: RehearseOptions & { readonly agent: string }): Promise<number> {
  try {
    const agent = (await agentsOf(options)).find(options.agent);
    const scenarios = await madeScenarios(agent, options.agent);
    if (scenarios.length === 0)
      throw new Refused([
        `${options.agent} has a flow that is not English; scenarios are made of English flows, and of prompts`,
      ]);
    console.log(stringify(scenarios, { lineWidth: 0, aliasDuplicateObjects: false }).trimEnd());
    return 0;
  } catch (error) {
    return refused(error);
  }
}

function refused(error: unknown): number {
  if (error instanceof Refused) for (const problem of error.problems) console.error(problem);
  else if (error instanceof ServiceError)
    console.error(error.status === 0 ? error.message : `${error.status}: ${error.message}`);
  else throw error;
  return FAILED;
}

/** The agents of files and templates; of the service, if it has none of the name there. */
async function agentsOf(options: RehearseOptions): Promise<AgentFinder> {
  const { folder, agent, agentVersion, key } = options;
  const local = new AgentFinder(folder);
  if (agent === undefined || key === undefined) return local;
  if (agentVersion === undefined && local.has(agent)) return local;
  return new AgentFinder(
    folder,
    new Map([[agent, await readVersion({ ...options, key }, agent, agentVersion ?? null)]]),
  );
}

async function agentsBefore(options: RehearseOptions): Promise<AgentFinder> {
  const { against = '', agent, folder, key } = options;
  if (existsSync(join(against, 'agents'))) return new AgentFinder(against);
  if (agent === undefined || key === undefined)
    throw new Refused([
      `${against} is no folder with agents/; a version needs --agent with an agent of the service, and a key`,
    ]);
  return new AgentFinder(folder, new Map([[agent, await readVersion({ ...options, key }, agent, against)]]));
}

function runOf(
  scenarios: readonly Scenario[],
  finder: AgentFinder,
  { agent, seed, timing }: RehearseOptions,
): RunToPlay {
  const parts = scenarios.map((scenario) => {
    const name = agent ?? scenario.agent;
    if (name === undefined)
      throw new Refused([`${scenario.name}: names no agent; add \`agent\` to it, or pass --agent`]);
    return { scenario, agent: finder.find(name) };
  });
  return { parts, seed, timing: timingOf(timing) };
}

const planned = (run: RunToPlay, { calls }: RehearseOptions): number => Math.max(calls, run.parts.length);

/** Plays the calls with both versions. Throws Refused when the budget covers none. */
async function playBoth(
  run: RunToPlay,
  other: RunToPlay | null,
  callers: ModelCallers | null,
  options: RehearseOptions,
): Promise<{ readonly calls: JudgedCall[]; readonly before: JudgedCall[] | null }> {
  const { save: folder } = options;
  const numbers = Array.from({ length: planned(run, options) }, (_, call) => call);
  const keep = ({ judged, played }: RehearsedResult): JudgedCall => {
    if (folder !== undefined && resultOf(judged) !== 'passed') save(folder, judged.call, played);
    return judged;
  };
  if (options.sound) {
    const { playBySound } = await import('./by-sound.ts');
    const before =
      other === null ? null : (await playBySound(other, numbers, options)).map(({ judged }) => judged);
    return { calls: (await playBySound(run, numbers, options)).map(keep), before };
  }
  const calls: JudgedCall[] = [];
  const before: JudgedCall[] = [];
  const runs = other === null ? [run] : [run, other];
  for (const call of numbers) {
    if (callers?.covers(runs, call) === false) {
      if (call > 0) break;
      const worst = fromMicro(callers.worst(runs, call));
      throw new Refused([`--max-cost does not cover one call: it may cost up to ${worst}`]);
    }
    if (other !== null) before.push((await rehearse(other, call)).judged);
    calls.push(keep(await rehearse(run, call)));
  }
  return { calls, before: other === null ? null : before };
}

async function playOne(run: RunToPlay, call: number, options: RehearseOptions, ink: Ink): Promise<number> {
  const { save: folder } = options;
  const { played, judged } = await (options.sound ? playOneBySound(run, call, options) : rehearse(run, call));
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

async function playOneBySound(
  run: RunToPlay,
  call: number,
  options: RehearseOptions,
): Promise<RehearsedResult> {
  const { playBySound } = await import('./by-sound.ts');
  const [result] = await playBySound(run, [call], options);
  if (result === undefined) throw new Refused(['the call was not played']);
  return result;
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
