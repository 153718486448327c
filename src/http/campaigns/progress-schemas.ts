import { Type } from 'typebox';
import { ResultCounts, ResultFields, WaitingReason } from '../calls/result-schemas.ts';
import { CALL_STATUSES } from '../calls/schemas.ts';
import { IsoTime, nullable, oneOf, Uuid } from '../common/schemas.ts';

const WEEK = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
const Count = (description: string) => Type.Integer({ description });
const LocalTime = Type.String({ example: '09:00', description: 'HH:MM on the clock of the zone.' });

export const ProgressAnswer = Type.Object({
  campaign_id: Uuid,
  calling_window: Type.Object(
    {
      timezone: Type.String({ example: 'Asia/Kolkata' }),
      slots: Type.Array(Type.Object({ start: LocalTime, end: LocalTime })),
      days: nullable(Type.Array(oneOf(WEEK), { description: 'Null: every day.' })),
      use_callee_timezone: Type.Boolean({
        description:
          'The window is read on the clock of each contact, so that opens_at and closes_at are null.',
      }),
      is_open: Type.Boolean(),
      opens_at: nullable(IsoTime),
      closes_at: nullable(IsoTime),
    },
    { description: "The window of the agent's active version, overridden by the campaign's own." },
  ),
  pace: Type.Object({
    calls_per_minute: Type.Number({
      description: 'Calls that ended in the last ten minutes, by the minute.',
      example: 42.5,
    }),
    live_calls: Type.Integer(),
    max_live_calls: Count("The campaign's share of the workspace's concurrency."),
  }),
  estimate: Type.Object(
    {
      calls_left: Type.Number({
        description: 'Calls that the unfinished contacts will take when as many need a retry as so far.',
      }),
      minutes_left: nullable(
        Type.Number({ description: 'Of open calling window. Null before a call has ended.' }),
      ),
      ends_at: nullable(
        Type.String({
          format: 'date-time',
          description:
            'When the last call will have ended, with the time in which the window is closed. Null: unknown, or the campaign does not call now.',
          example: '2026-01-05T16:40:00.000Z',
        }),
      ),
      is_cut_off: Type.Boolean({ description: 'campaign_end_time comes before ends_at.' }),
    },
    {
      description:
        'At the fastest pace of the last quarters of an hour with calls, but no faster than the concurrency allows.',
    },
  ),
  waiting: nullable(
    Type.Object(
      {
        reason: WaitingReason,
        next_attempt_at: nullable(IsoTime),
      },
      { description: 'Why the next contact waits. Null: none waits.' },
    ),
  ),
  circuit_breaker: Type.Object({
    last_calls: Count('Calls since the start or the last resume, window_calls at most.'),
    failed_calls: Count('Those of them that failed at the carrier or in the service.'),
    window_calls: Type.Integer(),
    minimum_calls: Type.Integer(),
    failed_share: Type.Number(),
  }),
});

const AnswerShare = {
  total_attempts: Count('Ended attempts that were dialled, retries included.'),
  answered_attempts: Count('Those of them that a person answered.'),
  answer_rate: Type.Number({
    description: 'answered_attempts of total_attempts, 0 to 1; 0 without any. As in the analytics.',
  }),
};
export const StatisticsAnswer = Type.Object({
  campaign_id: Uuid,
  timezone: Type.String({ description: 'The zone of the hours.', example: 'Asia/Kolkata' }),
  hours: Type.Array(
    Type.Object({
      day: oneOf(WEEK),
      hour: Type.Integer({ minimum: 0, maximum: 23, description: 'The hour of the dialling.' }),
      calls: Count('Ended attempts.'),
      answered: Count('By a person.'),
    }),
    { description: 'Monday first. Hours without a call are absent.' },
  ),
  course: Type.Array(
    Type.Object({
      at: IsoTime,
      calls: Count('Ended attempts.'),
      answered: Count('By a person.'),
    }),
    {
      description:
        'Attempts by the quarter of an hour in which they were dialled, oldest first. Quarters without a call are absent.',
    },
  ),
  ...AnswerShare,
  results: ResultCounts,
  attempts: Type.Array(
    Type.Object({
      attempt: Type.Integer({ minimum: 1 }),
      calls: Count('Ended attempts that were dialled.'),
      answered: Count('By a person.'),
      not_answered: Type.Integer(),
      live: Count('Contacts on the phone with this attempt.'),
      waiting: Count('Contacts that wait for the attempt after it.'),
      remaining: Count('Contacts that have had, have or wait for the attempt after it.'),
    }),
    { description: 'The first attempt, then each retry.' },
  ),
});

const ofResult = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 200, example: 'No answer', description }));

export const ContactsQuery = Type.Object({
  status: Type.Optional(oneOf(CALL_STATUSES)),
  mobile_number: Type.Optional(Type.String({ maxLength: 20, example: '+919876543210' })),
  result: ofResult('Only contacts with exactly this result.'),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'More answers 400.' }),
  ),
  cursor: Type.Optional(Type.String({ maxLength: 20, description: 'next_cursor of the page before.' })),
});
export const CampaignContacts = Type.Object({
  contacts: Type.Array(
    Type.Object({
      call_id: Uuid,
      row: Type.Integer({ description: 'Of the uploaded list, from 1.' }),
      mobile_number: Type.String(),
      callee_name: Type.String(),
      from_number: nullable(Type.String({ description: 'Null before the first attempt.' })),
      call_status: oneOf(CALL_STATUSES),
      call_sub_status: Type.String({ example: 'RETRY_SCHEDULED' }),
      ...ResultFields,
      attempts: Type.Integer({ description: 'Attempts that were begun.' }),
      retry_count: Type.Integer({ description: 'Those of them after the first.' }),
      last_outcome: nullable(
        Type.String({ description: 'How the last attempt ended. Null: none has.', example: 'NO_ANSWER' }),
      ),
      next_attempt_at: nullable(IsoTime),
      last_dialed_at: nullable(IsoTime),
      answered_at: nullable(IsoTime),
      ended_at: nullable(IsoTime),
      call_duration: nullable(Type.Number({ description: 'Seconds.' })),
      call_cost: Type.Number({ description: 'Credits.' }),
    }),
  ),
  timezone: Type.String({
    description: 'The zone of the calling window, for showing next_attempt_at.',
    example: 'Asia/Kolkata',
  }),
  next_cursor: nullable(Type.String({ description: 'Null: this is the last page.' })),
});

export const ReportQuery = Type.Object({
  status: Type.Optional(oneOf(CALL_STATUSES, { description: 'Only the contacts in this status.' })),
  result: ofResult('Only the contacts with exactly this result. A campaign of messages has no results.'),
});
