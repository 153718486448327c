import { ApiError, make } from './api-error.ts';

/** Errors of test cases and their runs. */
export const testCaseErrors = {
  noTestCases: make(400, 'NO_TEST_CASES', 'The agent has no test cases'),
  tooManyTestCases: (maximum: number): ApiError =>
    new ApiError(400, 'TOO_MANY_TEST_CASES', `An agent has at most ${maximum} test cases`),
  testCaseNotFound: make(404, 'TEST_CASE_NOT_FOUND', 'Test case not found'),
  testRunNotFound: make(404, 'TEST_RUN_NOT_FOUND', 'Test run not found'),
  testRunsOpen: (maximum: number): ApiError =>
    new ApiError(409, 'TEST_RUNS_OPEN', `The agent has ${maximum} test runs under way; wait for one to end`),
};
