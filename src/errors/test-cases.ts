import { ApiError, make } from './api-error.ts';

/** Errors of test cases, rehearsals and their runs. */
export const testCaseErrors = {
  noTestCases: make(400, 'NO_TEST_CASES', 'The agent has no test cases'),
  tooManyTestCases: (maximum: number): ApiError =>
    new ApiError(400, 'TOO_MANY_TEST_CASES', `An agent has at most ${maximum} test cases`),
  testCaseNotFound: make(404, 'TEST_CASE_NOT_FOUND', 'Test case not found'),
  testRunNotFound: make(404, 'TEST_RUN_NOT_FOUND', 'Test run not found'),
  testRunsOpen: (maximum: number): ApiError =>
    new ApiError(409, 'TEST_RUNS_OPEN', `The agent has ${maximum} test runs under way; wait for one to end`),
  findingNotFound: make(404, 'FINDING_NOT_FOUND', 'The detector found nothing in this call'),
  rehearsalNotFound: make(404, 'REHEARSAL_NOT_FOUND', 'Rehearsal not found'),
  rehearsedCallNotFound: make(404, 'REHEARSED_CALL_NOT_FOUND', 'The rehearsal has no call of this number'),
  noScenarios: make(
    400,
    'NO_SCENARIOS',
    'Send scenarios: the service makes them of prompts and of English flows, and the flow of this agent is not English',
  ),
  noRehearsal: make(
    400,
    'NO_REHEARSAL',
    'Agents of WhatsApp take no phone calls, so there is nothing to rehearse',
  ),
  modelWithoutPrice: (model: string): ApiError =>
    new ApiError(
      409,
      'MODEL_WITHOUT_PRICE',
      `max_cost needs the price of the language model ${model}, and PRICES_FILE and the list prices have none`,
    ),
  budgetTooLow: (worst: number, currency: string): ApiError =>
    new ApiError(
      400,
      'BUDGET_TOO_LOW',
      `max_cost does not cover the first call, which may cost up to ${worst} ${currency}`,
    ),
  rehearsalEnded: make(409, 'REHEARSAL_ENDED', 'The rehearsal has ended'),
  rehearsalsOpen: (maximum: number): ApiError =>
    new ApiError(
      409,
      'REHEARSALS_OPEN',
      `The agent has ${maximum} rehearsals under way; wait for one to end`,
    ),
};
