import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { decisionOf, initialState, step, writeLog } from '@callwright/turns';
import { compare } from '../../rehearsal/compare/compare.ts';
import { panelOf } from '../../rehearsal/judge/interaction.ts';
import { alarmsOf, resultOf, tally, type JudgedCall } from '../../rehearsal/judge/tally.ts';
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
import { readScenarios } from './files.ts';
import { readVersion } from './service-agents.ts';
import { comparison, conversation, panel, results } from './show.ts';

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
    const run = runOf(scenarios, await agentsOf(options), options);
    if (options.only !== undefined) return await playOne(run, options.only, options, ink);
    const before =
      options.against === undefined ? null : runOf(scenarios, await agentsBefore(options), options);
    const calls = await playAll(run, options);
    const found =
      before === null ? null : compare(await playAll(before, { ...options, save: undefined }), calls);
    const tallies = tally(scenarios, calls);
    const alarms = alarmsOf(calls);
    const { seed } = options;
    const figures = panelOf(calls.map(({ interaction }) => interaction));
    if (options.json)
      console.log(
        JSON.stringify({ seed, scenarios: tallies, alarms, interaction: figures, comparison: found }),
      );
    else {
      for (const line of [...results(tallies, alarms, seed, ink), ...panel(figures, ink)]) console.log(line);
      if (found !== null) for (const line of comparison(found, ink)) console.log(line);
    }
    const isGood =
      found === null ? calls.every((call) => resultOf(call) === 'passed') : found.reasons.length === 0;
    return isGood ? 0 : FAILED;
  } catch (error) {
    return refused(error);
  }
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

async function playAll(run: RunToPlay, options: RehearseOptions): Promise<JudgedCall[]> {
  const { calls, save: folder } = options;
  const numbers = Array.from({ length: Math.max(calls, run.parts.length) }, (_, call) => call);
  const keep = ({ judged, played }: RehearsedResult): JudgedCall => {
    if (folder !== undefined && resultOf(judged) !== 'passed') save(folder, judged.call, played);
    return judged;
  };
  if (options.sound) {
    const { playBySound } = await import('./by-sound.ts');
    return (await playBySound(run, numbers, options)).map(keep);
  }
  const all: JudgedCall[] = [];
  for (const call of numbers) all.push(keep(await rehearse(run, call)));
  return all;
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
