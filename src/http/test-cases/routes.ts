import { changeCase, createCase, readCase, readCases, removeCase } from '../../domain/test-cases/cases.ts';
import { readRun, readRuns, startRun } from '../../domain/test-cases/runs.ts';
import { errors } from '../../errors.ts';
import { idempotent } from '../server/idempotent.ts';
import { AgentParams } from '../agents/schemas.ts';
import { answers, IdempotencyHeader } from '../common/schemas.ts';
import {
  CaseAnswer,
  CaseList,
  CaseParams,
  ChangeCaseBody,
  CreateCaseBody,
  toCase,
  toCaseParts,
  DeletedCase,
  RunAnswer,
  StartedRunAnswer,
  RunCasesBody,
  RunList,
  RunParams,
  RunQuery,
} from './schemas.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import type { Server } from '../server/type-provider.ts';
import { toTestCase, toTestRun, toTestRunDetails } from './wire.ts';

type TestCasesRouteDeps = Pick<ServerDeps, 'db' | 'clock' | 'chats'>;

const tags = ['Test cases'];
const read = { rateClass: 'read' } as const;
const write = { rateClass: 'write' } as const;

/** The test cases of an agent: GET, POST, PATCH and DELETE below /agent/{agent_id}/test-cases. */
export function testCaseRoutes(app: Server, deps: TestCasesRouteDeps): void {
  app.get(
    '/agent/:agent_id/test-cases',
    {
      config: read,
      schema: {
        operationId: 'listTestCases',
        summary: 'The test cases of an agent, oldest first',
        description: 'With what callers say and what the agent must do in each.',
        tags,
        params: AgentParams,
        response: answers(CaseList, 404),
      },
    },
    async ({ caller, params }) => ({
      test_cases: (await readCases(deps, caller.workspaceId, params.agent_id)).map(toTestCase),
    }),
  );

  app.post(
    '/agent/:agent_id/test-cases',
    {
      config: write,
      schema: {
        operationId: 'createTestCase',
        summary: 'Save a test case of an agent',
        description:
          'The lines of a caller and what the agent must do: words, tools, the end, and criteria in words. At most 100 for an agent.',
        tags,
        headers: IdempotencyHeader,
        params: AgentParams,
        body: CreateCaseBody,
        response: answers(CaseAnswer, 400, 404, 409, 413, 415, 422),
      },
    },
    (request, reply) =>
      idempotent(deps, request, reply, async (store) => {
        const { caller, params, body, changeEntry } = request;
        const { call_id: callId = null, chat_id: chatId = null, ...parts } = body;
        if (callId !== null && chatId !== null)
          throw errors.invalid('chat_id', 'cannot be sent beside call_id');
        const definition = { customArgsValues: {}, toolResults: [], ...toCase(parts) };
        const input = { agentId: params.agent_id, definition, source: { callId, chatId } };
        const made = await createCase(deps, caller.workspaceId, changeEntry, input, (tx, stored) =>
          store(tx, { test_case: toTestCase(stored) }),
        );
        return { test_case: toTestCase(made) };
      }),
  );

  app.get(
    '/agent/:agent_id/test-cases/:case_id',
    {
      config: read,
      schema: {
        operationId: 'getTestCase',
        summary: 'One test case',
        description: 'With its lines, expectations and the answers that stand in for tools.',
        tags,
        params: CaseParams,
        response: answers(CaseAnswer, 404),
      },
    },
    async ({ caller, params }) => ({
      test_case: toTestCase(await readCase(deps, caller.workspaceId, params.agent_id, params.case_id)),
    }),
  );

  app.patch(
    '/agent/:agent_id/test-cases/:case_id',
    {
      config: write,
      schema: {
        operationId: 'changeTestCase',
        summary: 'Change a test case',
        description: 'Replaces the given fields; an absent one stays.',
        tags,
        params: CaseParams,
        body: ChangeCaseBody,
        response: answers(CaseAnswer, 400, 404, 413, 415, 422),
      },
    },
    async ({ caller, params, body, changeEntry }) => {
      const input = { agentId: params.agent_id, caseId: params.case_id, parts: toCaseParts(body) };
      return { test_case: toTestCase(await changeCase(deps, caller.workspaceId, changeEntry, input)) };
    },
  );

  app.delete(
    '/agent/:agent_id/test-cases/:case_id',
    {
      config: write,
      schema: {
        operationId: 'deleteTestCase',
        summary: 'Delete a test case; the results of its runs stay',
        description: 'Later runs leave it out.',
        tags,
        params: CaseParams,
        response: answers(DeletedCase, 404),
      },
    },
    async ({ caller, params, changeEntry }) => {
      const input = { agentId: params.agent_id, caseId: params.case_id };
      const { caseId } = await removeCase(deps, caller.workspaceId, changeEntry, input);
      return { message: 'Test case deleted successfully', case_id: caseId };
    },
  );
}

/** POST /agent/{agent_id}/test-cases/run, GET /agent/{agent_id}/test-runs and one of them. */
export function testRunRoutes(app: Server, deps: TestCasesRouteDeps): void {
  app.post(
    '/agent/:agent_id/test-cases/run',
    {
      config: write,
      schema: {
        operationId: 'runTestCases',
        summary: 'Run test cases of an agent',
        description:
          'Plays the conversations by text in the background and judges them; no phone rings and nothing is charged. 409 while three runs of the agent are under way. The newest 50 runs are kept.',
        tags,
        params: AgentParams,
        body: RunCasesBody,
        response: answers(StartedRunAnswer, 400, 404, 409, 413, 415, 422),
      },
    },
    async ({ caller, params, body, changeEntry }) => {
      const { workspaceId } = caller;
      const agentId = params.agent_id;
      const { runId, warnings } = await startRun(deps, workspaceId, changeEntry, {
        agentId,
        versionId: body.version_id ?? null,
        caseIds: body.case_ids ?? null,
        runsTools: body.run_tools ?? false,
        onModelFailure: body.on_model_failure ?? 'error',
        isStrict: caller.strictVariables,
      });
      deps.chats.kick();
      const waitMs = (body.wait_seconds ?? 0) * 1000;
      const run = await readRun(deps, workspaceId, { agentId, runId, waitMs });
      return { test_run: toTestRunDetails(run), warnings: [...warnings] };
    },
  );

  app.get(
    '/agent/:agent_id/test-runs',
    {
      config: read,
      schema: {
        operationId: 'listTestRuns',
        summary: 'The test runs of an agent, newest first',
        description: 'With the result of each, without its conversations.',
        tags,
        params: AgentParams,
        response: answers(RunList, 404),
      },
    },
    async ({ caller, params }) => ({
      test_runs: (await readRuns(deps, caller.workspaceId, params.agent_id)).map(toTestRun),
    }),
  );

  app.get(
    '/agent/:agent_id/test-runs/:run_id',
    {
      config: read,
      schema: {
        operationId: 'getTestRun',
        summary: 'One test run with its conversations and verdicts',
        description: 'With wait_seconds it answers when the run has ended, or when the time is over.',
        tags,
        params: RunParams,
        querystring: RunQuery,
        response: answers(RunAnswer, 404, 422),
      },
    },
    async ({ caller, params, query }) => {
      const waitMs = (query.wait_seconds ?? 0) * 1000;
      const input = { agentId: params.agent_id, runId: params.run_id, waitMs };
      return { test_run: toTestRunDetails(await readRun(deps, caller.workspaceId, input)) };
    },
  );
}
