import { covered } from '../domain/rehearsals/budget.ts';
import { modelLines, RehearsalStopped, type ModelLinesDeps } from '../domain/rehearsals/model-lines.ts';
import type { JudgedPair, LinesOf, Rehearser } from '../domain/rehearsals/rehearser.ts';
import { worstOfCall } from '../domain/rehearsals/run-cost.ts';
import { UnplayableError } from '../domain/rehearsals/sound-stage.ts';
import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import type { Db } from '../store/database.ts';
import { noteStop, readBudget } from '../store/rehearsals/lines.ts';
import {
  beginRehearsal,
  endRehearsal,
  readJudgedCalls,
  storeJudgedCalls,
} from '../store/rehearsals/progress.ts';
import { findPlan, type PlanRow, type RehearsalRef } from '../store/rehearsals/rehearsals.ts';
import type { DueJob, JobHandler } from './job-runner.ts';
import { leased } from './leased.ts';

export interface RehearsalDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly rehearser: Rehearser;
  /** What callers by a model need; absent: there is no model. */
  readonly callers?: ModelLinesDeps;
}

/** Calls between two looks at the rehearsal's state; a crash loses at most so many. */
const PART = 20;
/** The same where a model words callers: so many wait for it side by side. */
const MODEL_PART = 4;

const refOf = ({ payload }: DueJob): RehearsalRef => ({
  workspaceId: String(payload['workspaceId']),
  rehearsalId: String(payload['rehearsalId']),
});

/** Plays the calls of a rehearsal that are not stored yet, until the last one or until it is cancelled. */
export type PlayCalls = (
  deps: RehearsalDeps,
  ref: RehearsalRef,
  begun: PlanRow & { readonly played: number },
) => Promise<void>;

/** Job that plays and judges the calls of a rehearsal. After a crash it goes on with the calls that are not stored. */
export const runRehearsal = (deps: RehearsalDeps, play: PlayCalls = playByText): JobHandler => ({
  async run(job) {
    const ref = refOf(job);
    const begun = await beginRehearsal(deps.db, ref, new Date(deps.clock.now()));
    try {
      if (begun !== null) await leased(deps, job, () => play(deps, ref, begun));
    } catch (error) {
      if (!(error instanceof UnplayableError)) throw error;
      await endRehearsal(deps.db, ref, { error: error.message }, new Date(deps.clock.now()));
      return;
    }
    await judge(deps, ref);
  },
  async gaveUp(job) {
    const error = 'Every try to play this rehearsal was interrupted or failed.';
    await endRehearsal(deps.db, refOf(job), { error }, new Date(deps.clock.now()));
  },
});

const playByText: PlayCalls = async (deps, ref, begun) => {
  if (begun.byModel) return playByModel(deps, ref, begun);
  const { db, rehearser } = deps;
  for (let first = begun.played; first < begun.calls; first += PART) {
    const judged = await rehearser.play(begun, first, Math.min(PART, begun.calls - first));
    if (!(await storeJudgedCalls(db, ref, { first, judged }))) return undefined;
  }
  return undefined;
};

/** The same with callers that a model words, as far as the budget and the credits reach. */
const playByModel: PlayCalls = async ({ db, rehearser, callers }, ref, begun) => {
  const model = (await callers?.modelOf?.(ref.workspaceId)) ?? null;
  if (callers === undefined || model === null) return noteStop(db, ref, 'no_model');
  const lines: LinesOf = (call) => modelLines(callers, ref, model, call);
  for (let first = begun.played; first < begun.calls;) {
    const budget = await readBudget(db, ref);
    if (budget === null) return undefined;
    const next = Array.from({ length: Math.min(MODEL_PART, begun.calls - first) }, (_, at) => first + at);
    const worst = next.map(
      (call) => worstOfCall(callers.prices, model, rehearser.mostAsked(begun, call)) ?? 0,
    );
    const count = covered(budget, worst);
    if (count === 0) return noteStop(db, ref, 'max_cost');
    try {
      const judged = await rehearser.play(begun, first, count, lines);
      if (!(await storeJudgedCalls(db, ref, { first, judged }))) return undefined;
      first += judged.length;
    } catch (error) {
      if (!(error instanceof RehearsalStopped)) throw error;
      return error.reason === 'over' ? undefined : noteStop(db, ref, error.reason);
    }
  }
  return undefined;
};

/** Stores the result of the calls that were judged, also of a cancelled rehearsal. */
async function judge({ db, clock, rehearser }: RehearsalDeps, ref: RehearsalRef): Promise<void> {
  const plan = await findPlan(db, ref);
  if (plan === undefined) return;
  const judged = (await readJudgedCalls(db, ref)) as readonly JudgedPair[];
  await endRehearsal(db, ref, { result: rehearser.result(plan, judged) }, new Date(clock.now()));
}
