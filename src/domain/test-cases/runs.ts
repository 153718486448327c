import type { VersionConfig } from '../../store/json/agent-version.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { isUuid, newId } from '../../shared/ids.ts';
import { findVersion, lockAgent } from '../../store/agents/agents.ts';
import { listTestCases, type TestCaseRow } from '../../store/agents/test-cases.ts';
import {
  countOpenRuns,
  dropOldRuns,
  insertTestRun,
  listTestResults,
  listTestRuns,
  type TestResultRow,
  type TestRunRow,
} from '../../store/agents/test-runs.ts';
import type { Db } from '../../store/database.ts';
import { insertJobs } from '../../store/jobs.ts';
import { agentVariables, asProblems, variableWarnings } from '../agents/agent-variables.ts';
import { commitChange, type ChangeEntry } from '../audit/change-entry.ts';
import type { Warning } from '../warnings.ts';
import { checkStorage } from '../workspaces/storage-quotas.ts';
import { agentToTest } from './cases.ts';
import type { CaseResult } from './test-case.ts';

/** The job of one case of a run. */
export const TEST_CASE_JOB = 'agent.test_case';

/** Runs of one agent at a time, and ended ones that are kept. */
const MOST_OPEN_RUNS = 3;
const KEPT_RUNS = 50;
const WAIT_STEP_MS = 250;

export type { TestResultRow, TestRunRow };
export interface TestRunDetails {
  readonly run: TestRunRow;
  readonly results: readonly TestResultRow[];
}

export interface RunInput {
  readonly agentId: string;
  /** Null: the active version. */
  readonly versionId: string | null;
  /** Null: every case of the agent. */
  readonly caseIds: readonly string[] | null;
  /** Tools without an answer in the case are really called. */
  readonly runsTools: boolean;
  readonly onModelFailure: 'error' | 'script';
  /** The workspace refuses values that its agents lack. */
  readonly isStrict: boolean;
}

/**
 * Starts a run: a job for each case. Throws 404 for an unknown agent, version or case, 400 for an agent without cases, and
 * 409 while three runs of the agent are under way, 429 at the storage quota of tests, and 422 in a strict workspace for values that
 * the agent lacks.
 */
export async function startRun(
  deps: { readonly db: Db; readonly clock: Clock },
  workspaceId: string,
  change: ChangeEntry | null,
  input: RunInput,
): Promise<{ readonly runId: string; readonly warnings: readonly Warning[] }> {
  const at = new Date(deps.clock.now());
  return commitChange(deps.db, change, async (tx) => {
    const agent = isUuid(input.agentId) ? await lockAgent(tx, workspaceId, input.agentId) : undefined;
    if (agent === undefined) throw errors.agentNotFound();
    const versionId = input.versionId ?? agent.activeVersionId;
    const version = isUuid(versionId) ? await findVersion(tx, workspaceId, agent.id, versionId) : undefined;
    if (version === undefined) throw errors.versionNotFound();
    const all = await listTestCases(tx, workspaceId, agent.id);
    const wanted = input.caseIds === null ? null : new Set(input.caseIds);
    const cases = all.filter(({ id }) => wanted === null || wanted.has(id));
    if (wanted !== null && cases.length < wanted.size) throw errors.testCaseNotFound();
    if (cases.length === 0) throw errors.noTestCases();
    if ((await countOpenRuns(tx, workspaceId, agent.id)) >= MOST_OPEN_RUNS)
      throw errors.testRunsOpen(MOST_OPEN_RUNS);
    await checkStorage({ db: tx }, workspaceId, 'tests');
    const warnings = warningsOf(version.config, cases);
    if (input.isStrict && warnings.length > 0) throw errors.validationFailed(asProblems(warnings));
    const runId = newId();
    const { runsTools, onModelFailure } = input;
    await insertTestRun(
      tx,
      workspaceId,
      { id: runId, agentId: agent.id, versionId: version.id, runsTools, onModelFailure, cases },
      at,
    );
    await dropOldRuns(tx, workspaceId, agent.id, KEPT_RUNS);
    await insertJobs(
      tx,
      cases.map(({ id: caseId }) => ({
        workspaceId,
        kind: TEST_CASE_JOB,
        dedup: `${runId} ${caseId}`,
        payload: { workspaceId, runId, caseId },
      })),
      at,
    );
    return { runId, warnings };
  });
}

/** What the values of cases lack, each by the name of its case. */
function warningsOf(config: VersionConfig, cases: readonly TestCaseRow[]): Warning[] {
  const variables = agentVariables(config);
  return cases.flatMap(({ definition }) => {
    const values = definition.customArgsValues;
    const found = variableWarnings(variables, values ?? {}, {});
    return found.map((warning) => ({ ...warning, field: `${definition['name']}: ${warning.field}` }));
  });
}

/** The runs of an agent, newest first. Throws 404. */
export async function readRuns(
  deps: { db: Db },
  workspaceId: string,
  agentId: string,
): Promise<TestRunRow[]> {
  const agent = await agentToTest(deps.db, workspaceId, agentId);
  return listTestRuns(deps.db, { workspaceId, agentId: agent.id });
}

/** A run with its conversations, once it has ended or `waitMs` have passed. Throws 404. */
export async function readRun(
  deps: { db: Db },
  workspaceId: string,
  input: { readonly agentId: string; readonly runId: string; readonly waitMs: number },
): Promise<TestRunDetails> {
  const { db } = deps;
  const agent = await agentToTest(db, workspaceId, input.agentId);
  if (!isUuid(input.runId)) throw errors.testRunNotFound();
  const at = { workspaceId, agentId: agent.id, runId: input.runId };
  for (let waited = 0; ; waited += WAIT_STEP_MS) {
    const [run] = await listTestRuns(db, at);
    if (run === undefined) throw errors.testRunNotFound();
    if (run.endedAt !== null || waited >= input.waitMs)
      return { run, results: await listTestResults(db, workspaceId, run.id) };
    await sleep(WAIT_STEP_MS);
  }
}

const BY_WEIGHT: readonly CaseResult[] = ['error', 'failed', 'not_judged', 'passed'];

/** The result of an ended run: the worst of its cases; null while one is queued or running. */
export const runResult = ({ endedAt, counts }: Pick<TestRunRow, 'endedAt' | 'counts'>): CaseResult | null =>
  endedAt === null ? null : (BY_WEIGHT.find((state) => (counts[state] ?? 0) > 0) ?? null);
