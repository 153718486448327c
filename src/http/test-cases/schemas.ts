import { Type } from 'typebox';
import { MOST_CASES } from '../../domain/test-cases/cases.ts';
import { wireInput } from '../../shared/wire-input.ts';
import { CASE_FIELDS, ToolResults } from './case-schemas.ts';
import { RequestWarnings } from '../common/calling-window-schemas.ts';
import { ToolUse, Usage } from '../chats/schemas.ts';
import { OnModelFailure, SpokenBy } from '../calls/vendor-usage-schemas.ts';
import { IsoTime, LookupId, mapOf, nullable, oneOf, Uuid } from '../common/schemas.ts';

const States = ['queued', 'running', 'passed', 'failed', 'not_judged', 'error'] as const;
const Results = ['passed', 'failed', 'not_judged', 'error'] as const;
const RESULT_RULE =
  'passed: every expectation held; failed: one did not; not_judged: none failed, but a criterion could not be judged; error: the conversation could not be played to its end.';

export const CaseParams = Type.Object({ agent_id: LookupId, case_id: LookupId });
export const RunParams = Type.Object({ agent_id: LookupId, run_id: LookupId });

export const CreateCaseBody = Type.Object({
  ...CASE_FIELDS,
  call_id: Type.Optional(
    Type.String({
      maxLength: 200,
      example: '01980f6e-6f3a-7cc0-9d3e-0a6c2f1b7a10',
      description: 'The call that the case is saved from: its erasure deletes the case too.',
    }),
  ),
  chat_id: Type.Optional(
    Type.String({
      maxLength: 200,
      example: '01980f6e-6f3a-7cc0-9d3e-0a6c2f1b7a10',
      description: 'The chat that the case is saved from, instead of a call.',
    }),
  ),
});
export const ChangeCaseBody = Type.Object({
  name: Type.Optional(CASE_FIELDS.name),
  custom_args_values: CASE_FIELDS.custom_args_values,
  lines: Type.Optional(CASE_FIELDS.lines),
  expectations: Type.Optional(CASE_FIELDS.expectations),
  tool_results: CASE_FIELDS.tool_results,
});

/** What a person writes of a case. */
export const toCase = wireInput(Type.Object(CASE_FIELDS));
export const toCaseParts = wireInput(ChangeCaseBody);

const Definition = {
  name: Type.String(),
  custom_args_values: mapOf(Type.String()),
  lines: Type.Array(Type.String()),
  expectations: CASE_FIELDS.expectations,
  tool_results: ToolResults,
};
const TestCase = Type.Object({
  id: Uuid,
  case_id: Uuid,
  agent_id: Uuid,
  ...Definition,
  created_at: IsoTime,
  updated_at: IsoTime,
  last_results: Type.Array(
    Type.Object({
      version_id: Uuid,
      run_id: Uuid,
      result: oneOf(Results, { description: RESULT_RULE }),
      ended_at: IsoTime,
      is_current: Type.Boolean({ description: 'False: the case or the version has changed since.' }),
    }),
    { description: 'The newest result with each version that the case was run with.' },
  ),
});
export const CaseList = Type.Object({ test_cases: Type.Array(TestCase) });
export const CaseAnswer = Type.Object({ test_case: TestCase });
export const DeletedCase = Type.Object({ message: Type.String(), case_id: Uuid });

/** Seconds after which the server answers although the run goes on. */
const WaitSeconds = Type.Integer({
  minimum: 0,
  maximum: 50,
  default: 0,
  description: 'Answers when the run has ended, at the latest after so many seconds.',
});
export const RunCasesBody = Type.Object({
  case_ids: Type.Optional(
    Type.Array(LookupId, {
      minItems: 1,
      maxItems: MOST_CASES,
      description: 'Absent: every case of the agent.',
    }),
  ),
  version_id: Type.Optional({ ...LookupId, description: 'Absent: the active version.' }),
  run_tools: Type.Optional(
    Type.Boolean({
      description:
        'True: API tools and MCP servers without an answer in the case are really called, pre-call tools too. Default false: they answer that they did not run. Knowledge is looked up in any case.',
    }),
  ),
  on_model_failure: OnModelFailure,
  wait_seconds: Type.Optional(WaitSeconds),
});
export const RunQuery = Type.Object({ wait_seconds: Type.Optional(WaitSeconds) });

const Run = {
  run_id: Uuid,
  agent_id: Uuid,
  version_id: Uuid,
  version_slug: Type.String(),
  run_tools: Type.Boolean(),
  on_model_failure: oneOf(['error', 'script']),
  state: oneOf(['running', 'ended']),
  result: nullable(oneOf(Results, { description: `The worst of its cases. ${RESULT_RULE}` })),
  counts: mapOf(Type.Integer(), { description: 'Cases by state.' }),
  created_at: IsoTime,
  ended_at: nullable(IsoTime),
};
export const RunList = Type.Object({ test_runs: Type.Array(Type.Object(Run)) });
export const RunAnswer = Type.Object({
  test_run: Type.Object({
    ...Run,
    results: Type.Array(
      Type.Object({
        case_id: Uuid,
        state: oneOf(States),
        ...Definition,
        verdicts: Type.Array(
          Type.Object({ result: oneOf(['held', 'not_held', 'not_judged']), reason: Type.String() }),
          { description: 'One for each expectation, in order; none before the case has been judged.' },
        ),
        turns: Type.Array(
          Type.Object({
            line: nullable(Type.String({ description: 'Null: the agent speaks first.' })),
            replies: Type.Array(Type.String()),
            tool_calls: Type.Array(ToolUse),
            usage: Type.Array(Usage),
            ...SpokenBy,
            end_reason: nullable(Type.String()),
            ms: Type.Integer(),
          }),
        ),
        end_reason: nullable(
          Type.String({
            description: 'AGENT_ENDED, CALL_TRANSFERRED, OPTED_OUT or FAILED; null: still open.',
          }),
        ),
        error: nullable(Type.String()),
        started_at: nullable(IsoTime),
        ended_at: nullable(IsoTime),
      }),
    ),
  }),
});

/** Warnings name the case and the variable. */
export const StartedRunAnswer = Type.Object({ ...RunAnswer.properties, warnings: RequestWarnings });
