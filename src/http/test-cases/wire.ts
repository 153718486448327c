import { caseDocument, type CaseDefinition, type PlayedTurn } from '../../store/json/test-case.ts';
import type { TestCase } from '../../domain/test-cases/cases.ts';
import {
  runResult,
  type TestResultRow,
  type TestRunDetails,
  type TestRunRow,
} from '../../domain/test-cases/runs.ts';
import type { CaseResult } from '../../domain/test-cases/test-case.ts';
import { toSpokenBy, toToolUse, toUsage } from '../chats/wire.ts';
import { iso, isoOrNull } from '../common/values.ts';

const toDefinition = (own: CaseDefinition) => {
  const { name, custom_args_values: values, ...definition } = caseDocument.write(own);
  return {
    name,
    custom_args_values: { ...values },
    lines: [...definition.lines],
    expectations: [...definition.expectations],
    tool_results: definition.tool_results.map(({ arguments: args, variables, ...each }) => ({
      ...each,
      ...(args === undefined ? {} : { arguments: { ...args } }),
      ...(variables === undefined ? {} : { variables: { ...variables } }),
    })),
  };
};

export const toTestCase = (of: TestCase) => ({
  id: of.id,
  case_id: of.id,
  agent_id: of.agentId,
  ...toDefinition(of.definition),
  created_at: iso(of.createdAt),
  updated_at: iso(of.updatedAt),
  last_results: of.lastResults.map(({ versionId, runId, state, endedAt, isCurrent }) => ({
    version_id: versionId,
    run_id: runId,
    result: state as CaseResult,
    ended_at: iso(endedAt),
    is_current: isCurrent,
  })),
});

export const toTestRun = (run: TestRunRow) => ({
  run_id: run.id,
  agent_id: run.agentId,
  version_id: run.versionId,
  version_slug: run.versionSlug,
  run_tools: run.runsTools,
  on_model_failure: run.onModelFailure,
  state: run.endedAt === null ? ('running' as const) : ('ended' as const),
  result: runResult(run),
  counts: { ...run.counts },
  created_at: iso(run.createdAt),
  ended_at: isoOrNull(run.endedAt),
});

const toTurn = ({ line, said, tools, usage, spokenBy, end, ms }: PlayedTurn) => ({
  line,
  replies: [...said],
  tool_calls: tools.map(toToolUse),
  usage: usage.map(toUsage),
  ...toSpokenBy(spokenBy),
  end_reason: end,
  ms,
});

const toResult = (result: TestResultRow) => ({
  case_id: result.caseId,
  state: result.state,
  ...toDefinition(result.definition),
  verdicts: result.verdicts.map(({ result: held, reason }) => ({
    result: held,
    reason,
  })),
  turns: result.turns.map(toTurn),
  end_reason: result.endReason,
  error: result.error,
  started_at: isoOrNull(result.startedAt),
  ended_at: isoOrNull(result.endedAt),
});

export const toTestRunDetails = ({ run, results }: TestRunDetails) => ({
  ...toTestRun(run),
  results: results.map(toResult),
});
