import type { VersionConfig } from '../store/json/agent-version.ts';
import type { CaseDefinition, Verdict } from '../store/json/test-case.ts';
import { judgeByRules, resultOf } from '../domain/test-cases/judge.ts';
import { judgeCriteria } from '../domain/test-cases/judge-criteria.ts';
import type { CaseToPlay, PlayCase, PlayedCase } from '../domain/test-cases/play-case.ts';
import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import { findAgent, findVersion } from '../store/agents/agents.ts';
import {
  beginTestResult,
  endTestResult,
  type BegunResult,
  type ResultRef,
} from '../store/agents/test-runs.ts';
import type { Db } from '../store/database.ts';
import { extendJob } from '../store/jobs.ts';
import type { AnalysedSubject } from '../domain/analysis/analysis.ts';
import type { AnalystOf } from './analyse-call.ts';
import type { DueJob, JobHandler } from './job-runner.ts';

export interface TestCaseDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly play: PlayCase;
  readonly analystOf: AnalystOf;
}

/** The lease of a case, which its process extends: after a crash another one begins the case again soon. */
export const CASE_LEASE_MS = 45_000;
const EXTEND_EVERY_MS = 15_000;
/** Longest conversation of a case. */
const CASE_MS = 240_000;

type Ended = Omit<Parameters<typeof endTestResult>[2], 'startedAt'>;
const failed = (error: string, more: Partial<Ended> = {}): Ended => ({
  state: 'error',
  turns: [],
  verdicts: [],
  endReason: null,
  versionChangedAt: null,
  error,
  ...more,
});

const refOf = ({ payload }: DueJob): ResultRef => ({
  workspaceId: String(payload['workspaceId']),
  runId: String(payload['runId']),
  caseId: String(payload['caseId']),
});

/**
 * Job that plays one case of a test run and judges it. A case that a crash interrupted is played again, unless it may
 * have called tools: those must not be called twice.
 */
export const runTestCase = (deps: TestCaseDeps): JobHandler => ({
  async run(job) {
    const ref = refOf(job);
    const startedAt = new Date(deps.clock.now());
    const begun = await beginTestResult(deps.db, ref, startedAt);
    if (begun === null) return;
    const ended = await leased(deps, job, () => testCase(deps, ref, begun));
    await endTestResult(deps.db, ref, { ...ended, startedAt }, new Date(deps.clock.now()));
  },
  async gaveUp(job) {
    const ended = failed('Every try to run this case was interrupted or failed.');
    await endTestResult(deps.db, refOf(job), { ...ended, startedAt: null }, new Date(deps.clock.now()));
  },
});

/** Extends the lease of the job while `work` runs. */
async function leased<T>({ db, clock, log }: TestCaseDeps, job: DueJob, work: () => Promise<T>): Promise<T> {
  const extending = setInterval(() => {
    extendJob(db, job, new Date(clock.now() + CASE_LEASE_MS)).catch((error: unknown) => {
      log.warn({ err: error, jobId: job.id }, 'the lease of a test case could not be extended');
    });
  }, EXTEND_EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(extending);
  }
}

async function testCase(deps: TestCaseDeps, { workspaceId }: ResultRef, begun: BegunResult): Promise<Ended> {
  const { runsTools, onModelFailure } = begun;
  if (begun.wasRunning && runsTools)
    return failed(
      'The run was interrupted after it may have called tools, so the case was not played again.',
    );
  const agent = await findAgent(deps.db, workspaceId, begun.agentId);
  const version = await findVersion(deps.db, workspaceId, begun.agentId, begun.versionId);
  if (agent === undefined || version === undefined) return failed('The agent was archived.');
  const config = version.config;
  const definition = begun.definition;
  const whose = { id: agent.id, name: agent.displayName, type: agent.agentType };
  const toPlay = { workspaceId, agent: whose, config, definition, runsTools, onModelFailure };
  const played = await deps.play(toPlay, AbortSignal.timeout(CASE_MS));
  const { turns, end, failure } = played;
  const kept = { turns, endReason: end, versionChangedAt: version.updatedAt };
  if (failure !== null) return failed(failure, kept);
  const verdicts = await judged(deps, toPlay, played);
  return { ...kept, verdicts, state: resultOf(verdicts), error: null };
}

async function judged(deps: TestCaseDeps, toPlay: CaseToPlay, played: PlayedCase): Promise<Verdict[]> {
  const { config, definition, agent, workspaceId } = toPlay;
  const { expectations } = definition;
  const byRules = judgeByRules(expectations, played);
  const criteria = byRules.includes(null)
    ? await judgedCriteria(
        deps,
        { kind: 'test', workspaceId, subjectId: agent.id, byStranger: false },
        { config, agentName: agent.name, played },
        expectations,
      )
    : [];
  let next = 0;
  return byRules.map((verdict) => verdict ?? criteria[next++] ?? NOT_JUDGED);
}

const NOT_JUDGED: Verdict = {
  result: 'not_judged',
  reason: 'The language model that judges did not answer.',
};

/** None when the model that judges fails: the conversation is worth showing without its criteria. */
async function judgedCriteria(
  { analystOf, clock, log }: TestCaseDeps,
  subject: AnalysedSubject,
  of: { readonly config: VersionConfig; readonly agentName: string; readonly played: PlayedCase },
  expectations: CaseDefinition['expectations'],
): Promise<readonly Verdict[]> {
  try {
    const analyst = await analystOf(subject, of.config);
    return await judgeCriteria(analyst, expectations, { ...of, at: clock.now() });
  } catch (error) {
    log.warn({ err: error }, 'the criteria of a test case could not be judged');
    return [];
  }
}
