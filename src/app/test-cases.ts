import { TEST_CASE_JOB } from '../domain/test-cases/runs.ts';
import { JobRunner } from '../jobs/job-runner.ts';
import { CASE_LEASE_MS, runTestCase, type TestCaseDeps } from '../jobs/run-test-case.ts';

/** Plays the cases of test runs, at most a third of the places for one workspace, so that a slow model delays only its own. */
export const testCaseRunner = (deps: TestCaseDeps & { readonly pollMs?: number }): JobRunner =>
  new JobRunner({
    db: deps.db,
    clock: deps.clock,
    log: deps.log,
    kind: TEST_CASE_JOB,
    handler: runTestCase(deps),
    leaseMs: CASE_LEASE_MS,
    parallel: 12,
    parts: 3,
    retryAfterMs: [1_000, 10_000],
    ...(deps.pollMs === undefined ? {} : { pollMs: deps.pollMs }),
  });
