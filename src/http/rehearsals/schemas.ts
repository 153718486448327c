import { Type } from 'typebox';
import { LINE_REFUSALS } from '../../domain/rehearsals/caller-lines.ts';
import { RECOGNISERS } from '../../rehearsal/sound/recognisers.ts';
import { TIMING_NAMES } from '../../rehearsal/play/timing.ts';
import type { RehearsalResult, RehearsedCall } from '../../store/json/rehearsal.ts';
import { ScenarioSchema } from '../../rehearsal/scenario/document.ts';
import { IsoTime, LookupId, nullable, oneOf, Uuid } from '../common/schemas.ts';

const STATES = ['queued', 'running', 'ended', 'cancelled', 'error'] as const;
const MODES = ['text', 'sound'] as const;
const MOST_AT_ONCE = 100;
const STOPS = ['max_cost', 'credits', 'no_model'] as const;
const MOST_CALLS = 2_000;
const MOST_SCENARIOS = 200;

export const RehearsalParams = Type.Object({ agent_id: LookupId, rehearsal_id: LookupId });
export const RehearsedCallParams = Type.Object({
  ...RehearsalParams.properties,
  call: Type.Integer({ minimum: 0, maximum: MOST_CALLS, description: 'The number of the call, from 0.' }),
});

const WaitSeconds = Type.Integer({
  minimum: 0,
  maximum: 50,
  default: 0,
  description: 'Answers when the rehearsal has ended, at the latest after so many seconds.',
});
export const RehearsalQuery = Type.Object({ wait_seconds: Type.Optional(WaitSeconds) });
export const RehearsedCallQuery = Type.Object({
  before: Type.Optional(
    Type.Boolean({ default: false, description: 'True: the call with the version to compare with.' }),
  ),
});

export const StartRehearsalBody = Type.Object({
  version_id: Type.Optional({
    ...LookupId,
    description: 'A version, or the open draft of the agent. Absent: the active version.',
  }),
  against_version_id: Type.Optional({
    ...LookupId,
    description: 'The same callers call this version as well, and the result compares both.',
  }),
  scenarios: Type.Optional(
    Type.Array(ScenarioSchema, {
      minItems: 1,
      maxItems: MOST_SCENARIOS,
      description:
        'As in files of `callwright rehearse`; `agent` does not matter. Absent: one for each way through the flow of the version, or callers for what its prompt says.',
    }),
  ),
  scenario_file: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200_000,
      description: 'The same as the text of a file in YAML or JSON, instead of `scenarios`.',
    }),
  ),
  call_id: Type.Optional({
    ...LookupId,
    description:
      'A finished call whose caller is simulated, instead of `scenarios`. Erasing its person deletes the rehearsal.',
  }),
  calls: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MOST_CALLS,
      description:
        'Spread over the scenarios in turn; at least one each. By text 200 by default; by sound 20, and at most 500.',
    }),
  ),
  seed: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 2_147_483_647,
      default: 1,
      description: 'The same seed plays the same callers.',
    }),
  ),
  timing: Type.Optional(
    oneOf(TIMING_NAMES, {
      default: 'usual',
      description: 'How fast recogniser, model and voice are; by sound they take the time that they take.',
    }),
  ),
  mode: Type.Optional(
    oneOf(MODES, {
      default: 'text',
      description:
        'By text in virtual time; by sound in real time, over SIP and RTP on loopback, with the voice, noise, echo, packet loss and codec of the persona.',
    }),
  ),
  at_once: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MOST_AT_ONCE,
      default: 20,
      description:
        'Calls by sound at a time. Fewer while the machine carries other calls, which always come first.',
    }),
  ),
  recogniser: Type.Optional(
    oneOf(RECOGNISERS, {
      default: 'given',
      description:
        'Who hears the callers by sound: expected phrases, every word (with installed models), or a recogniser that is given the words and takes from the sound when they are heard.',
    }),
  ),
  max_cost: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1_000_000,
      description:
        'The most that the model of callers with `lines: model` may cost, in the currency of the price list: no call begins that could pass it, whatever its course. Absent: no limit.',
    }),
  ),
  wait_seconds: Type.Optional(WaitSeconds),
});

export const DraftScenariosBody = Type.Object({
  version_id: Type.Optional({
    ...LookupId,
    description: 'A version, or the open draft of the agent. Absent: the active version.',
  }),
  by: Type.Optional(
    oneOf(['rules', 'model'], {
      default: 'rules',
      description: 'Rules, from the flow or the prompt, or the language model of the workspace.',
    }),
  ),
  count: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 20, default: 8, description: 'At most so many scenarios.' }),
  ),
  wish: Type.Optional(
    Type.String({
      maxLength: 1_000,
      description: 'For a model: what the scenarios shall be about.',
      example: 'Callers who want their money back.',
    }),
  ),
});
export const DraftedScenarios = Type.Object({
  scenarios: Type.Array(Type.Unsafe<object>(ScenarioSchema)),
  scenario_file: Type.String({ description: 'The same as the text of a file in YAML, for `scenario_file`.' }),
  written_by: nullable(
    Type.String({ description: 'The language model. Null: rules.', example: 'gpt-5-mini' }),
  ),
});

const Rehearsal = {
  rehearsal_id: Uuid,
  agent_id: Uuid,
  version_id: Uuid,
  version_slug: Type.String({ description: '`draft` for a draft.' }),
  against_version_id: nullable(Uuid),
  against_version_slug: nullable(Type.String()),
  source_call_id: nullable(Type.String({ description: 'The finished call whose caller is simulated.' })),
  seed: Type.Integer(),
  calls: Type.Integer(),
  timing: Type.String(),
  mode: oneOf(MODES),
  recogniser: nullable(oneOf(RECOGNISERS)),
  at_once: nullable(Type.Integer()),
  state: oneOf(STATES),
  played_calls: Type.Integer({ description: 'Calls that were played and judged.' }),
  max_cost: nullable(Type.Number({ description: 'In `currency`.' })),
  cost: nullable(
    Type.Number({
      description:
        'Of the model that words callers, with the most that lines under way may cost. Null: no model is asked, or it has no price.',
    }),
  ),
  currency: nullable(Type.String({ description: 'Of the price list.', example: 'USD' })),
  stopped_by: nullable(
    oneOf(STOPS, {
      description:
        'Why it ended before its last call: the next one could have passed `max_cost`, credits or caps refused a line, or the workspace has no language model any more.',
    }),
  ),
  error: nullable(Type.String()),
  created_at: IsoTime,
  started_at: nullable(IsoTime),
  ended_at: nullable(IsoTime),
};

const Interval = {
  difference: Type.Number(),
  low: Type.Number({ description: 'The lower end of the interval of 95 %.' }),
  high: Type.Number(),
};
const Change = Type.Object({ before: Type.Integer(), after: Type.Integer(), ...Interval });
const Share = nullable(Type.Number());

const Reason = oneOf(LINE_REFUSALS, {
  description: 'Why the words of the rules stood in for those of the model.',
});

/** Null in a rehearsal until its last call was judged. */
const Result = Type.Object({
  passed: Type.Integer(),
  failed: Type.Integer(),
  errors: Type.Integer({ description: 'Calls that could not be played.' }),
  reply_ms: Share,
  pass_at: Type.Array(
    Type.Object({
      calls: Type.Integer(),
      chance: Type.Number({ description: 'How likely so many calls of a scenario in a row all pass.' }),
    }),
  ),
  scenarios: Type.Array(
    Type.Object({
      name: Type.String(),
      calls: Type.Integer(),
      passed: Type.Integer(),
      errors: Type.Integer(),
      expectations: Type.Array(
        Type.Object({
          type: Type.String(),
          expectation: Type.Unsafe<object>({ type: 'object', additionalProperties: true }),
          calls: Type.Integer(),
          held: Type.Integer(),
          held_before: nullable(Type.Integer({ description: 'With the version to compare with.' })),
          example: nullable(Type.Object({ call: Type.Integer(), reason: Type.String() })),
        }),
      ),
    }),
  ),
  alarms: Type.Array(
    Type.Object({
      detector: Type.String(),
      calls: Type.Integer(),
      example: Type.Object({ call: Type.Integer(), detail: Type.String() }),
    }),
  ),
  interaction: Type.Object(
    {
      response_rate: Share,
      response_ms: Share,
      yield_rate: Share,
      yield_ms: Share,
      agent_interruption_rate: Share,
      backchannel_rate: Share,
    },
    { description: "The figures of tau2-bench's voice panel; null: nothing of the kind happened." },
  ),
  comparison: nullable(
    Type.Object({
      calls: Type.Integer(),
      passed: Change,
      alarmed: Change,
      reply_ms: Type.Object(Interval),
      is_worse: Type.Boolean({ description: 'At 95 %, for all three measures together.' }),
      reasons: Type.Array(Type.String()),
    }),
  ),
  caller_lines: Type.Optional(
    Type.Object(
      {
        by_model: Type.Integer(),
        by_rules: Type.Array(Type.Object({ reason: Reason, lines: Type.Integer() })),
      },
      { description: 'Of callers whose lines a model words.' },
    ),
  ),
  worst: Type.Array(
    Type.Object({
      call: Type.Integer(),
      scenario: Type.String(),
      reasons: Type.Array(Type.String()),
      passed_before: nullable(Type.Boolean()),
    }),
    {
      description:
        'At most 100 calls that failed: first those that passed before, then those with most misses.',
    },
  ),
});

export const RehearsalList = Type.Object({ rehearsals: Type.Array(Type.Object(Rehearsal)) });
export const RehearsalAnswer = Type.Object({
  rehearsal: Type.Object({
    ...Rehearsal,
    result: nullable(Type.Unsafe<RehearsalResult>(Result)),
  }),
});

export const RehearsedCallAnswer = Type.Object({
  rehearsed_call: Type.Unsafe<RehearsedCall>(
    Type.Object({
      call: Type.Integer(),
      scenario: Type.String(),
      goal: Type.String(),
      result: oneOf(['passed', 'failed', 'error']),
      error: nullable(Type.String()),
      lines: Type.Array(
        Type.Object({
          from_ms: Type.Integer(),
          to_ms: Type.Integer(),
          speaker: oneOf(['agent', 'caller', 'tool']),
          text: Type.String(),
        }),
        { description: 'Both sides and tools, in time.' },
      ),
      verdicts: Type.Array(Type.Object({ type: Type.String(), held: Type.Boolean(), reason: Type.String() })),
      alarms: Type.Array(
        Type.Object({ detector: Type.String(), at_ms: Type.Integer(), detail: Type.String() }),
      ),
      end_reason: nullable(Type.String()),
      by_rules: Type.Optional(
        Type.Array(Type.Object({ at_ms: Type.Integer(), reason: Reason }), {
          description: 'Lines that the rules worded in place of the model.',
        }),
      ),
    }),
  ),
});
