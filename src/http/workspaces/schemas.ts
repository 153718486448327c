import { LANGUAGES } from '@callwright/language';
import { CALL_PURPOSES } from '../../shared/call-purposes.ts';
import { Type } from 'typebox';
import { IsoTime, nullable, oneOf, Uuid } from '../common/schemas.ts';

const Money = Type.Number({ description: 'Credits.' });

export const WorkspaceInfo = Type.Object({
  workspace_info: Type.Object({
    id: Uuid,
    name: Type.String(),
    created_at: IsoTime,
    credits: Money,
    locked_credits: Money,
    unlimited: Type.Boolean({ description: 'Billing is off.' }),
    api_key: nullable(Type.String({ description: 'Masked: prefix and last four characters.' })),
  }),
});

export const WorkspaceList = Type.Object({
  workspaces: Type.Array(
    Type.Object({
      id: Uuid,
      name: Type.String(),
      created_at: IsoTime,
      role: Type.String({ example: 'owner' }),
      parent_workspace_id: nullable(Type.String()),
      credits: Money,
      locked_credits: Money,
      unlimited: Type.Boolean(),
    }),
  ),
});

export const NumberList = Type.Object({
  workspace_numbers: Type.Array(
    Type.Object({
      id: Uuid,
      number: Type.String({ example: '+14155550100' }),
      agent: nullable(
        Type.Object({
          id: Type.String(),
          agent_display_name: Type.String(),
          agent_type: nullable(Type.String()),
        }),
      ),
      is_test_number: Type.Boolean(),
      is_spam: Type.Boolean(),
      provider: Type.String(),
      display_name: Type.String(),
      number_pool_id: nullable(Type.String()),
      purpose: nullable(
        oneOf(CALL_PURPOSES, { description: 'The commercial calls that may come from it; null: any.' }),
      ),
    }),
  ),
});

const STRICT =
  'True: a call, chat or test run that lacks a value for a variable of its agent, or sends a value for no variable, is refused with 422. False: its answer has warnings.';
const REHEARSES =
  'True: a draft is published only after a rehearsal of it against the active version that shows it not worse at 95 %; else 409. Rolling back needs none.';
const CheckedPercent = Type.Integer({
  minimum: 0,
  maximum: 100,
  example: 100,
  description: 'The share of ended calls with a conversation that the detectors read; 100 unless it is set.',
});
const ANNOUNCES =
  'True: the agent says joining_texts in its voice when a member listens to a call, and before a member or guest is heard in it.';
const JoiningTexts = Type.Array(
  Type.Object(
    {
      language: oneOf([...LANGUAGES]),
      text: Type.String({ minLength: 1, maxLength: 300, pattern: String.raw`\S` }),
    },
    { additionalProperties: false },
  ),
  {
    maxItems: LANGUAGES.length,
    description:
      'The words by language of the agent; of two texts for a language the first counts. A language without one has a text of the service.',
    example: [{ language: 'en-US', text: 'A colleague is joining this call.' }],
  },
);
const NoticeAddresses = Type.Array(Type.String({ minLength: 3, maxLength: 320 }), {
  maxItems: 10,
  description:
    'Who gets a mail when the service pauses a campaign or the outbound calls of the workspace. Needs a mail server of the operator (SMTP_URL).',
  example: ['ops@example.com'],
});
const OPEN =
  'Countries (IN) and prefixes (+4420) that calls may reach beside the countries of the numbers of the workspace; all: every one.';
const Destination = Type.String({
  pattern: '^(\\+[1-9]\\d{0,11}|[A-Z]{2})$',
  'x-rule': 'must be a prefix such as +91 or a country such as IN',
});
const OpenDestinations = Type.Union([Type.Array(Destination, { maxItems: 250 }), Type.Literal('all')], {
  'x-rule': 'must be all, or at most 250 prefixes such as +91 and countries such as IN',
  description: OPEN,
  example: ['IN', '+4420'],
});
const Zone = Type.String({
  minLength: 1,
  maxLength: 64,
  example: 'Asia/Kolkata',
  description:
    'The IANA time zone by whose days analytics, reports and filters of calls and chats count; UTC until it is chosen. A change moves the day sums of the calls that are kept; reaction times keep the days they have. In a workspace of more than 50,000 calls a job moves them, some seconds per million: the answer has timezone_change, days stay those of the zone it has until all have moved, and another change gets 409 meanwhile.',
});
const Country = Type.String({
  minLength: 2,
  maxLength: 2,
  example: 'IN',
  description: 'The country (ISO 3166) of numbers that people type without a code; null: none was chosen.',
});
export const WorkspaceSettings = Type.Object({
  strict_variables: Type.Boolean({ description: STRICT }),
  rehearses_drafts: Type.Boolean({ description: REHEARSES }),
  checked_calls_percent: CheckedPercent,
  announces_people: Type.Boolean({ description: ANNOUNCES }),
  joining_texts: JoiningTexts,
  notice_addresses: NoticeAddresses,
  timezone: Zone,
  timezone_change: nullable(
    Type.Object(
      {
        timezone: Type.String({ description: 'The zone to come.' }),
        percent: Type.Integer({ description: 'How much has moved.', minimum: 0, maximum: 100 }),
      },
      { description: 'The change of the zone that is under way; null: none.' },
    ),
  ),
  country: nullable(Country),
  only_destinations: nullable(
    Type.Array(Type.String(), {
      description:
        'The only destinations of calls and transfers: the countries of the numbers, and those that are opened. null: every destination that the operator allows.',
    }),
  ),
  open_destinations: OpenDestinations,
  outbound_paused: nullable(
    Type.Object(
      { at: IsoTime, reason: oneOf(['attempts', 'spend']) },
      {
        description:
          'The anomaly stop: outbound calls wait until an owner sets it to null. reason: what was ten times the busiest hour of the week before.',
      },
    ),
  ),
});
export const WorkspaceSettingsBody = Type.Object(
  {
    strict_variables: Type.Optional(Type.Boolean({ description: STRICT })),
    rehearses_drafts: Type.Optional(Type.Boolean({ description: REHEARSES })),
    checked_calls_percent: Type.Optional(CheckedPercent),
    announces_people: Type.Optional(Type.Boolean({ description: ANNOUNCES })),
    joining_texts: Type.Optional(JoiningTexts),
    notice_addresses: Type.Optional(NoticeAddresses),
    timezone: Type.Optional(Zone),
    country: Type.Optional(Country),
    open_destinations: Type.Optional(OpenDestinations),
    outbound_paused: Type.Optional(
      Type.Null({ description: 'Lifts the anomaly stop, for the rest of the hour at least.' }),
    ),
  },
  { additionalProperties: false, minProperties: 1, 'x-rule': 'must have at least one setting' },
);
