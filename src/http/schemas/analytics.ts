import { Type, type TSchema } from 'typebox';
import { nullable } from './common.ts';
import { VendorTotals } from './vendor-usage.ts';

const Day = Type.Optional(
  Type.String({
    maxLength: 40,
    example: '2026-01-05',
    description: 'A UTC date, inclusive; an ISO 8601 time with offset means its UTC day.',
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
  start_date: nullable(Type.String({ description: 'The first UTC day; null: no lower bound.' })),
  end_date: nullable(Type.String({ description: 'The last UTC day; null: no upper bound.' })),
};
const measures = {
  total_calls: Type.Integer({ description: 'Calls that have ended: completed, failed, error or cancelled.' }),
  answered_calls: Type.Integer({ description: 'Calls whose last attempt was answered.' }),
  completed_calls: Count,
  answer_rate: Share,
  total_attempts: Type.Integer({ description: 'Every dialled attempt, retries included.' }),
  total_duration: Type.Number({ description: 'Seconds of talk in the last attempts.' }),
  average_duration: Type.Number({ description: 'Seconds of talk per answered call.' }),
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
    description: 'Days that have ended calls, oldest first.',
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
  vendors: Type.Array(VendorTotals, { description: 'The most expensive first.' }),
});
