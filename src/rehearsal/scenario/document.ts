import { LANGUAGES } from '@callwright/language';
import { Type, type Static } from 'typebox';
import { DETECTORS } from '../detect/alarm.ts';
import { mapOf, oneOf } from '../../shared/schema-parts.ts';

const CLOSED = { additionalProperties: false };
const text = (most: number, options: object = {}) =>
  Type.String({ minLength: 1, maxLength: most, ...options });
const texts = (options: object = {}) => Type.Array(text(500), { minItems: 1, maxItems: 50, ...options });

export const HABITS = [
  'interrupts',
  'backchannels',
  'silent',
  'asks_twice',
  'holds',
  'hands_over',
  'spells',
  'changes_mind',
  'says_no',
] as const;
export type Habit = (typeof HABITS)[number];

const Chance = Type.Number({ minimum: 0, maximum: 1 });
const Habits = Type.Object(
  {
    interrupts: Type.Optional(Chance),
    backchannels: Type.Optional(Chance),
    silent: Type.Optional(Chance),
    asks_twice: Type.Optional(Chance),
    holds: Type.Optional(Chance),
    hands_over: Type.Optional(Chance),
    spells: Type.Optional(Chance),
    changes_mind: Type.Optional(Chance),
    says_no: Type.Optional(Chance),
  },
  {
    ...CLOSED,
    description: 'How likely each habit shows, from 0 to 1: per sentence of the agent, or per turn.',
  },
);

const Answer = Type.Object(
  {
    asked: texts({ description: 'Words of the agent to which this is the answer.' }),
    says: Type.Union([text(500), texts()], {
      'x-rule': 'must be a text, or a list of texts of which the seed chooses one',
    }),
    again: Type.Optional(text(500, { description: 'Said instead from the second time on.' })),
    spelt: Type.Optional(
      text(500, { description: 'The same with letters or digits apart, for the habit spells.' }),
    ),
    instead: Type.Optional(
      text(500, { description: 'Said first and taken back, for the habit changes_mind.' }),
    ),
  },
  CLOSED,
);

/** Who words what a caller says. */
export const LINES = ['rules', 'model'] as const;
export const TEMPERS = ['calm', 'hurried', 'angry'] as const;
export const NOISES = ['quiet', 'street', 'car', 'bad_line'] as const;
/** How a caller may sound; by text it does not matter. */
const CALLER_VOICES = [
  'man',
  'woman',
  'scottish',
  'natural_man',
  'natural_woman',
  'synthetic_man',
  'synthetic_woman',
] as const;
const CODECS = ['PCMU', 'PCMA'] as const;
export const ANSWERED_BY = ['person', 'voicemail', 'screening'] as const;

const Line = Type.Object(
  {
    codec: Type.Optional(oneOf(CODECS)),
    loss: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 0.5,
        description: 'Share of the packets of the caller that get lost.',
      }),
    ),
    jitter_ms: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 200,
        description: 'Packets of the caller are late by up to this.',
      }),
    ),
    echo_db: Type.Optional(
      Type.Number({
        minimum: -60,
        maximum: -6,
        description: 'Level at which the phone sends the agent its own voice back.',
      }),
    ),
  },
  { ...CLOSED, description: 'The line of the caller, in rehearsals by sound.' },
);

const Persona = Type.Object(
  {
    goal: text(1_000, { description: 'What the caller wants; reports show it.' }),
    lines: Type.Optional(
      oneOf(LINES, {
        description:
          'Who words what the caller says: rules, from `answers`, or the language model of the workspace, which gets the whole persona. Default: rules.',
      }),
    ),
    answers: Type.Optional(Type.Array(Answer, { maxItems: 100 })),
    opens: Type.Optional(
      text(500, { description: 'Said after the first words of the agent, if no answer fits them.' }),
    ),
    otherwise: Type.Optional(Type.Union([text(500), texts()])),
    temper: Type.Optional(oneOf(TEMPERS)),
    speed: Type.Optional(Type.Number({ minimum: 0.5, maximum: 2 })),
    noise: Type.Optional(oneOf(NOISES)),
    voice: Type.Optional(
      oneOf(CALLER_VOICES, { description: 'How the caller sounds, in rehearsals by sound.' }),
    ),
    line: Type.Optional(Line),
    patience_seconds: Type.Optional(Type.Number({ minimum: 2, maximum: 120 })),
    most_turns: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    answered_by: Type.Optional(oneOf(ANSWERED_BY)),
    greeting: Type.Optional(text(500, { description: 'What the machine says that answers.' })),
    habits: Type.Optional(Habits),
  },
  CLOSED,
);

const Arguments = Type.Optional(mapOf(Type.Unknown()));
const Mock = Type.Object(
  {
    tool: text(64),
    arguments: Arguments,
    needs: Type.Optional(
      mapOf(Type.Unknown(), { description: 'Values of the state without which this answer does not fit.' }),
    ),
    leaves: Type.Optional(
      mapOf(Type.Unknown(), { description: 'Values that the call leaves in the state.' }),
    ),
    ok: Type.Optional(Type.Boolean()),
    result: Type.Unknown(),
    variables: Type.Optional(mapOf(Type.String())),
    takes_ms: Type.Optional(Type.Integer({ minimum: 0, maximum: 60_000 })),
  },
  CLOSED,
);

const Turn = Type.Optional(Type.Integer({ minimum: 0, maximum: 100 }));
const Seconds = Type.Number({ minimum: 0.05, maximum: 60 });
const of = <const T extends string>(type: T) => oneOf([type]);
const ENDS = [
  'AGENT_ENDED',
  'CALL_TRANSFERRED',
  'OPTED_OUT',
  'USER_LEFT',
  'USER_BECAME_IDLE',
  'MAX_CALL_DURATION',
  'VOICEMAIL_DETECTED',
  'CALL_SCREENED',
  'OPEN',
] as const;

const SHAPES = {
  says: Type.Object({ type: of('says'), any_of: texts(), turn: Turn }, CLOSED),
  never_says: Type.Object({ type: of('never_says'), any_of: texts(), turn: Turn }, CLOSED),
  calls_tool: Type.Object(
    { type: of('calls_tool'), tool: text(64), arguments: Arguments, turn: Turn },
    CLOSED,
  ),
  never_calls_tool: Type.Object(
    { type: of('never_calls_tool'), tool: text(64), arguments: Arguments, turn: Turn },
    CLOSED,
  ),
  ends: Type.Object({ type: of('ends'), as: Type.Array(oneOf(ENDS), { minItems: 1, maxItems: 9 }) }, CLOSED),
  replies_within: Type.Object({ type: of('replies_within'), seconds: Seconds }, CLOSED),
  stops_within: Type.Object({ type: of('stops_within'), seconds: Seconds }, CLOSED),
  no_reply_for: Type.Object(
    { type: of('no_reply_for'), seconds: Seconds, after: texts({ description: 'Words of the caller.' }) },
    CLOSED,
  ),
  no_overlap: Type.Object({ type: of('no_overlap'), seconds: Type.Optional(Seconds) }, CLOSED),
  no_alarm: Type.Object(
    {
      type: of('no_alarm'),
      of: Type.Optional(Type.Array(oneOf(DETECTORS), { minItems: 1, maxItems: DETECTORS.length })),
    },
    CLOSED,
  ),
} as const;

export type RehearsalExpectation = Static<(typeof SHAPES)[keyof typeof SHAPES]>;
const Expectations = Type.Unsafe<readonly RehearsalExpectation[]>({
  type: 'array',
  minItems: 1,
  maxItems: 50,
  items: {
    type: 'object',
    required: ['type'],
    properties: { type: { type: 'string' } },
    discriminator: { propertyName: 'type' },
    oneOf: Object.values(SHAPES),
  },
});

/** One kind of caller, and what the agent must do with it. */
export const ScenarioSchema = Type.Object(
  {
    name: text(200),
    agent: Type.Optional(text(100, { description: 'A template, or the folder of an agent in files.' })),
    language: Type.Optional(
      oneOf(LANGUAGES, { description: 'The language of the caller; default that of the agent.' }),
    ),
    tags: Type.Optional(Type.Array(text(50), { maxItems: 20 })),
    persona: Persona,
    variables: Type.Optional(mapOf(Type.String({ maxLength: 1_000 }))),
    state: Type.Optional(
      mapOf(Type.Unknown(), { description: 'The state of the mocks when the call begins.' }),
    ),
    tools: Type.Optional(Type.Array(Mock, { maxItems: 50 })),
    expect: Expectations,
    most_seconds: Type.Optional(Type.Integer({ minimum: 5, maximum: 1_800 })),
  },
  CLOSED,
);

type Read<T> = { readonly [K in keyof T]: T[K] };
export type Scenario = Read<Static<typeof ScenarioSchema>>;
export type CallerPersona = Read<Static<typeof Persona>>;
export type ToolMock = Read<Static<typeof Mock>>;
export type CallerAnswer = Read<Static<typeof Answer>>;
