import { Type, type TSchema } from 'typebox';
import { ResultCounts } from '../calls/result-schemas.ts';
import { Moment, nullable, oneOf } from '../common/schemas.ts';
import { VendorTotals } from '../calls/vendor-usage-schemas.ts';

const Day = Type.Optional(
  Type.Unsafe<string>({
    ...Moment,
    description:
      "A day in the workspace's time zone (`timezone` of its settings), inclusive; an ISO 8601 time with offset means its day there.",
  }),
);
const id = Type.Optional(Type.String({ minLength: 1, maxLength: 200 }));

/** The query of every analytics endpoint. */
export const AnalyticsQuery = Type.Object({
  start_date: Day,
  end_date: Day,
  agent_id: id,
  bulk_list_id: id,
});

const Count = Type.Integer();
const Share = Type.Number({ description: '0 to 1; 0 where the total is 0.' });
const Seconds = Type.Number({ description: 'Seconds.' });
const period = {
  start_date: nullable(
    Type.String({ description: "The first day, in the workspace's time zone; null: no lower bound." }),
  ),
  end_date: nullable(Type.String({ description: 'The last day; null: no upper bound.' })),
};
const AnswerRate = Type.Number({
  description:
    'answered_attempts of total_attempts, 0 to 1; 0 without any. Mailboxes, screening services, faxes and announcements are no person, and contacts cancelled before dialling are no attempt.',
});
const measures = {
  total_calls: Type.Integer({ description: 'Calls that have ended: completed, failed, error or cancelled.' }),
  answered_calls: Type.Integer({ description: 'Ended calls whose last attempt a person answered.' }),
  completed_calls: Count,
  answer_rate: AnswerRate,
  total_attempts: Type.Integer({
    description:
      'Ended attempts that were dialled or came in, retries included; by the day of their dialing, where calls count on the day of their creation.',
  }),
  answered_attempts: Type.Integer({ description: 'Those of them that a person answered.' }),
  total_duration: Type.Number({ description: 'Seconds of talk in the last attempts.' }),
  average_duration: Type.Number({ description: 'Seconds of talk per answered call, with a person.' }),
  total_cost: Type.Number({ description: 'Credits, of all attempts.' }),
};
const answer = <T extends Record<string, TSchema>>(fields: T) =>
  Type.Object({ status: Type.String({ example: 'success' }), data: Type.Object({ ...period, ...fields }) });

export const PlatformAnalytics = answer({
  ...measures,
  failed_calls: Count,
  error_calls: Count,
  cancelled_calls: Count,
  outbound_calls: Count,
  inbound_calls: Count,
  web_calls: Count,
  daily: Type.Array(Type.Object({ date: Type.String({ example: '2026-01-05' }), ...measures }), {
    description: 'Days that have ended calls or attempts, oldest first.',
  }),
});

export const DrillDownAnalytics = answer({
  outcomes: Type.Array(
    Type.Object({
      status: Type.String({ example: 'completed' }),
      ...measures,
      sub_statuses: Type.Array(
        Type.Object({ sub_status: Type.String({ example: 'USER_LEFT' }), ...measures }),
      ),
    }),
  ),
  agents: Type.Array(
    Type.Object({
      agent_id: Type.String(),
      agent_name: nullable(Type.String()),
      ...measures,
      versions: Type.Array(
        Type.Object({ version_id: Type.String(), version_slug: nullable(Type.String()), ...measures }),
      ),
    }),
  ),
  campaigns: Type.Array(Type.Object({ bulk_list_id: Type.String(), ...measures }), {
    description: 'The 1000 campaigns with the most ended calls.',
  }),
});

export const NumberAnalytics = answer({
  numbers: Type.Array(
    Type.Object({
      number_id: nullable(Type.String({ description: 'Null: calls without a number of the workspace.' })),
      number: nullable(Type.String()),
      display_name: nullable(Type.String()),
      ...measures,
    }),
  ),
});

export const DurationDistribution = answer({
  answered_calls: Count,
  total_duration: Seconds,
  average_duration: Seconds,
  buckets: Type.Array(
    Type.Object({
      from_seconds: Type.Integer({ description: 'Inclusive.' }),
      to_seconds: nullable(Type.Integer({ description: 'Exclusive; null: no upper bound.' })),
      calls: Count,
      share: Share,
    }),
  ),
});

const Labelled = Type.Array(Type.Object({ label: Type.String(), calls: Count, share: Share }));
export const ClassificationAnalytics = answer({
  total_calls: Count,
  analysed_calls: Type.Integer({ description: 'Ended calls that have a platform analysis.' }),
  classifications: Labelled,
  sentiments: Labelled,
  results: ResultCounts,
});

export const EvaluationAnalytics = answer({
  evaluations: Type.Array(
    Type.Object({
      agent_id: Type.String(),
      agent_name: nullable(Type.String()),
      version_id: Type.String(),
      version_slug: nullable(Type.String()),
      name: Type.String({ description: 'Of the criterion.', example: 'confirmed_the_day' }),
      passed: Count,
      failed: Count,
      not_judged: Count,
      passed_share: nullable(
        Type.Number({ description: 'Passed of passed and failed, 0 to 1; null where none was judged.' }),
      ),
    }),
    { description: 'By agent, version and criterion of edit_evaluations.' },
  ),
});

export const VendorAnalytics = answer({
  total_calls: Type.Integer({ description: 'Ended calls with a conversation.' }),
  total_talk: Type.Number({ description: 'Seconds of talk in these calls.' }),
  currency: Type.String({ example: 'USD' }),
  cost: Type.Number({ description: 'Of all vendors with a price.' }),
  cost_per_minute: nullable(Type.Number({ description: 'Per minute of talk; null without any.' })),
  agents: Type.Array(
    Type.Object({
      agent_id: Type.String(),
      agent_name: nullable(Type.String()),
      cost: Type.Number({ description: 'Of vendors with a price.' }),
      vendors: Type.Array(VendorTotals),
    }),
    {
      description:
        'By the agent that had the call, also after a handover; the most expensive first. The costs sum to `cost`.',
    },
  ),
  vendors: Type.Array(VendorTotals, { description: 'The most expensive first.' }),
});

const Mos = (description: string) => nullable(Type.Number({ description, example: 4.31 }));
const Scores = Type.Object({
  calls: Type.Integer({ description: 'Calls that were measured in this direction.' }),
  p50_mos: Mos('Half of the calls are no better; null without any.'),
  p5_mos: Mos('Five of a hundred calls are no better; null without any.'),
});
const directions = {
  received: { ...Scores, description: 'Audio that the service received.' },
  sent: { ...Scores, description: 'Audio that the service sent, from the RTCP reports of the far side.' },
};
export const QualityAnalytics = answer({
  ...directions,
  trunks: Type.Array(
    Type.Object({
      trunk: nullable(Type.String({ description: 'That of the number; null: the number was deleted.' })),
      ...directions,
    }),
    { description: 'Trunks with measured calls, by name.' },
  ),
});

const AttemptDay = Type.Optional(
  Type.Unsafe<string>({
    ...Moment,
    description:
      "A day of the dialing in the workspace's time zone, inclusive; an ISO 8601 time with offset means its day there.",
  }),
);
/** Attempts count on the day of their dialing, an inbound or browser call on the day it came in. */
export const ReactionQuery = Type.Object({
  start_date: AttemptDay,
  end_date: AttemptDay,
  agent_id: id,
  bulk_list_id: id,
});

const Ms = nullable(Type.Integer({ description: 'Milliseconds, to 2.5 %; null without turns.' }));
const Percentiles = Type.Object({ turns: Count, p50_ms: Ms, p95_ms: Ms, p99_ms: Ms });
const reactions = {
  reaction: {
    ...Percentiles,
    description: 'From the end of the person’s speech to the start of the answer.',
  },
  endpointing: { ...Percentiles, description: 'Until the turn was taken as finished.' },
  recognition: { ...Percentiles, description: 'From the end of the speech to its final transcript.' },
  model: { ...Percentiles, description: 'From the request to the first text of the model.' },
  voice: { ...Percentiles, description: 'From the first text to the first packet of audio.' },
};
export const ReactionAnalytics = answer({
  ...reactions,
  daily: Type.Array(Type.Object({ date: Type.String({ example: '2026-01-05' }), ...reactions }), {
    description: 'Days with turns, oldest first.',
  }),
  versions: Type.Array(
    Type.Object({
      agent_id: Type.String(),
      agent_name: nullable(Type.String()),
      version_id: Type.String(),
      version_slug: nullable(Type.String()),
      ...reactions,
    }),
    { description: 'Versions with turns, most turns first.' },
  ),
});

export const HourQuery = Type.Object({
  ...ReactionQuery.properties,
  timezone: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      example: 'Asia/Kolkata',
      description: "The IANA time zone of the hours; absent: the workspace's.",
    }),
  ),
});
export const HourAnalytics = answer({
  timezone: Type.String({ example: 'Asia/Kolkata' }),
  hours: Type.Array(
    Type.Object({
      hour: Type.Integer({ description: '0 to 23, of the dialing.' }),
      attempts: Count,
      answered_attempts: Type.Integer({ description: 'By a person.' }),
      answer_rate: AnswerRate,
      average_duration: Type.Number({ description: 'Seconds of talk per answered attempt.' }),
      reaction: nullable(
        Type.Object({ ...Percentiles.properties }, { description: 'Null with bulk_list_id.' }),
      ),
    }),
    { description: 'All 24 hours.' },
  ),
});

export const ComparisonQuery = Type.Object({
  start_date: Day,
  end_date: Day,
  agent_id: Type.String({ minLength: 1, maxLength: 200 }),
  bulk_list_id: id,
  version_id: Type.String({ minLength: 1, maxLength: 200, description: 'The version `a` of the answer.' }),
  other_version_id: Type.String({ minLength: 1, maxLength: 200, description: 'The version `b`.' }),
});
const Compared = Type.Object({
  version_id: Type.String(),
  version_slug: nullable(Type.String({ description: 'Null: the agent has no such version.' })),
  ...measures,
  ...reactions,
});
const ShareOf = Type.Object({
  count: Count,
  total: Count,
  share: nullable(Type.Number({ description: '0 to 1; null where the total is 0.' })),
});
export const ComparisonAnalytics = answer({
  agent_id: Type.String(),
  a: Compared,
  b: Compared,
  shares: Type.Array(
    Type.Object({
      of: oneOf(['answered', 'long_talk', 'criterion'], {
        description:
          'answered: of attempts; long_talk: 30 seconds or longer, of answered calls; criterion: passed, of judged conversations.',
      }),
      criterion: nullable(Type.String({ description: 'Its name; null: of another share.' })),
      a: ShareOf,
      b: ShareOf,
      difference: nullable(
        Type.Number({ description: 'Share of b minus share of a; null where a total is 0.' }),
      ),
      low: nullable(
        Type.Number({ description: 'Lower end of the 95 % interval of the difference (Newcombe).' }),
      ),
      high: nullable(Type.Number()),
      verdict: oneOf(['a_higher', 'b_higher', 'within_chance', 'no_calls'], {
        description:
          'within_chance: the interval includes 0, so that calls in this number show no difference. Of twenty shares without a difference, one is expected outside.',
      }),
    }),
  ),
});
