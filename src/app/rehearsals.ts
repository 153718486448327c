import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { stringify } from 'yaml';
import { REHEARSAL_JOB, SOUND_REHEARSAL_JOB } from '../domain/rehearsals/rehearsals.ts';
import type { JudgedPair, LinesOf, RehearsalPlan, Rehearser } from '../domain/rehearsals/rehearser.ts';
import { rehearsedSpec } from '../dialer/rehearsed-spec.ts';
import type { SoundStage } from '../domain/rehearsals/sound-stage.ts';
import { JobRunner } from '../jobs/job-runner.ts';
import { playBySound } from '../jobs/play-by-sound.ts';
import type { ModelLinesDeps } from '../domain/rehearsals/model-lines.ts';
import { MANY_RETRIES, SHORT_LEASE_MS } from '../jobs/leased.ts';
import { runRehearsal } from '../jobs/run-rehearsal.ts';
import { hasModelCaller, mostAsked } from '../rehearsal/caller/model-request.ts';
import { createScriptLlm } from '../offline/script/brain.ts';
import { timingOf, type TimingName } from '../rehearsal/play/timing.ts';
import type { RehearsedAgent } from '../rehearsal/play/play-call.ts';
import { rehearsalResult, shownCall } from '../rehearsal/report.ts';
import type { JudgedCall } from '../rehearsal/judge/tally.ts';
import { placeOf, rehearse, type RunToPlay } from '../rehearsal/run.ts';
import { scenarioRequest } from '../rehearsal/scenario/from-model.ts';
import { readScenarioFile } from '../rehearsal/scenario/read-file.ts';
import type { Scenario } from '../rehearsal/scenario/document.ts';
import { madeScenarios } from './made-scenarios.ts';
import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import type { CallSpec } from '../session/protocol.ts';
import type { Db } from '../store/database.ts';

const llm = createScriptLlm();

/** A document as the database stores it. */
export const asJson = (value: object): object => JSON.parse(JSON.stringify(value)) as object;
const agentOf = (spec: object): RehearsedAgent => ({ spec: spec as CallSpec, llm });
export const scenariosIn = ({ scenarios }: RehearsalPlan): readonly Scenario[] =>
  scenarios as readonly Scenario[];

export const runOf = (plan: RehearsalPlan, spec: object, lines?: LinesOf): RunToPlay => {
  const agent = agentOf(spec);
  return {
    parts: scenariosIn(plan).map((scenario) => ({ agent, scenario })),
    seed: plan.seed,
    timing: timingOf(plan.timing as TimingName),
    ...(lines === undefined ? {} : { lines }),
  };
};

const specsOf = ({ spec, againstSpec }: RehearsalPlan): readonly object[] =>
  againstSpec === null ? [spec] : [spec, againstSpec];

/** One call with each version, one after the other: the second one finds the lines of the first where both say the same. */
async function pairOf(plan: RehearsalPlan, call: number, lines?: LinesOf): Promise<JudgedPair> {
  const [now, before] = specsOf(plan).map((spec) => runOf(plan, spec, lines));
  return {
    now: asJson((await rehearse(now!, call)).judged),
    before: before === undefined ? null : asJson((await rehearse(before, call)).judged),
  };
}

/** Calls side by side, because they wait for a model; those before the first that a rejected line ends. */
async function pairsByModel(
  plan: RehearsalPlan,
  calls: readonly number[],
  lines: LinesOf,
): Promise<JudgedPair[]> {
  const ended = await Promise.allSettled(calls.map((call) => pairOf(plan, call, lines)));
  const pairs: JudgedPair[] = [];
  for (const one of ended) {
    if (one.status === 'fulfilled') pairs.push(one.value);
    else if (pairs.length === 0) throw one.reason;
    else break;
  }
  return pairs;
}

/** Plays rehearsals with the built-in engine, which replies in place of a model. */
export const scriptRehearser: Rehearser = {
  freeze: ({ name, isInbound }, config) =>
    asJson(rehearsedSpec({ id: 'rehearsal', name, isInbound }, config)),
  scenariosOf: async (spec, name) => {
    const found = await madeScenarios(agentOf(spec), name);
    return found.map(({ agent: _agent, ...scenario }) => asJson(scenario));
  },
  scenarioRequest: (spec, name, wish) => scenarioRequest(agentOf(spec), name, wish),
  write: (scenarios) => stringify(scenarios, { lineWidth: 0, aliasDuplicateObjects: false }),
  read: readScenarioFile,
  hasModelCaller: (scenarios) => hasModelCaller(scenarios as readonly Scenario[]),
  mostAsked: (plan, call) =>
    specsOf(plan).map((spec) => {
      const { part, seed } = placeOf(runOf(plan, spec), call);
      return mostAsked(part.scenario, part.agent.spec.agent.language, seed);
    }),
  async play(plan, first, count, lines) {
    const calls = Array.from({ length: count }, (_, at) => first + at);
    if (lines !== undefined) return pairsByModel(plan, calls, lines);
    const pairs: JudgedPair[] = [];
    for (const call of calls) {
      const from = performance.now();
      pairs.push(await pairOf(plan, call));
      // At most half of the thread's time, because the API runs beside it.
      await sleep(performance.now() - from);
      await setImmediate();
    }
    return pairs;
  },
  result: (plan, pairs) => {
    const judged = (of: (pair: JudgedPair) => object | null): JudgedCall[] =>
      pairs.flatMap((pair) => {
        const call = of(pair);
        return call === null ? [] : [call as JudgedCall];
      });
    const before = plan.againstSpec === null ? null : judged((pair) => pair.before);
    return rehearsalResult(
      scenariosIn(plan),
      judged((pair) => pair.now),
      before,
    );
  },
  async show(plan, call, before, lines) {
    const spec = before ? (plan.againstSpec ?? plan.spec) : plan.spec;
    const { played, judged } = await rehearse(runOf(plan, spec, lines), call);
    return shownCall(scenariosIn(plan)[judged.scenario]!, played, judged);
  },
};

interface RunnerDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly pollMs: number;
}

/** Plays the rehearsals by text of all workspaces, two at a time. */
export const rehearsalRunner = ({
  callers,
  ...deps
}: RunnerDeps & { readonly callers: Omit<ModelLinesDeps, 'db' | 'clock'> }): JobRunner =>
  new JobRunner({
    ...deps,
    kind: REHEARSAL_JOB,
    handler: runRehearsal({ ...deps, rehearser: scriptRehearser, callers: { ...deps, ...callers } }),
    leaseMs: SHORT_LEASE_MS,
    retryAfterMs: MANY_RETRIES,
  });

/** Plays those by sound, two at a time, which share what the machine can carry. */
export const soundRehearsalRunner = (deps: RunnerDeps, stage: SoundStage): JobRunner =>
  new JobRunner({
    ...deps,
    kind: SOUND_REHEARSAL_JOB,
    handler: runRehearsal({ ...deps, rehearser: scriptRehearser }, playBySound(stage)),
    leaseMs: SHORT_LEASE_MS,
    retryAfterMs: MANY_RETRIES,
  });
