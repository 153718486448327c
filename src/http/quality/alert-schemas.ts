import { Type } from 'typebox';
import { IsoTime, LookupId, nullable, oneOf } from '../common/schemas.ts';
import { Detector } from './schemas.ts';

const strict = { additionalProperties: false };

const Name = Type.String({ minLength: 1, maxLength: 80, example: 'Dead air' });
const Measure = oneOf(['score_below', 'findings_above'], {
  description:
    'The mean score falls below the threshold, or the share of calls with a finding that is no false alarm rises above it.',
});
const Threshold = Type.Integer({
  minimum: 0,
  maximum: 100,
  description: 'Points of the score, or percent of the calls.',
});
const Margin = Type.Integer({
  minimum: 0,
  maximum: 50,
  description:
    'How far the value must come back past the threshold before the alert is cleared, at most to 100 points or 0 %.',
});
const MinimumCalls = Type.Integer({
  minimum: 1,
  maximum: 100_000,
  description: 'Over fewer calls in the window the alert is neither raised nor cleared.',
});
const WindowHours = Type.Integer({
  minimum: 1,
  maximum: 168,
  description: 'Calls that were checked in these hours count.',
});

export const AlertsBody = Type.Object(
  {
    alerts: Type.Array(
      Type.Object(
        {
          name: Name,
          agent_id: Type.Optional({ ...LookupId, description: 'Absent: every agent of the workspace.' }),
          measure: Measure,
          detector: Type.Optional({ ...Detector, description: 'Of findings_above; absent: any detector.' }),
          threshold: Threshold,
          margin: Type.Optional({ ...Margin, default: 5 }),
          minimum_calls: Type.Optional({ ...MinimumCalls, default: 20 }),
          window_hours: Type.Optional({ ...WindowHours, default: 24 }),
        },
        strict,
      ),
      { maxItems: 50 },
    ),
  },
  strict,
);

export const AlertsAnswer = Type.Object({
  alerts: Type.Array(
    Type.Object({
      name: Name,
      agent_id: nullable(Type.String({ description: 'Null: every agent of the workspace.' })),
      measure: Measure,
      detector: nullable(Detector),
      threshold: Threshold,
      margin: Margin,
      minimum_calls: MinimumCalls,
      window_hours: WindowHours,
      raised_at: nullable(IsoTime),
      measured: nullable(
        Type.Object(
          {
            at: IsoTime,
            calls: Type.Integer(),
            value: nullable(Type.Number({ description: 'In the unit of the threshold; null: no calls.' })),
          },
          { description: 'The last measurement; null: none yet.' },
        ),
      ),
    }),
  ),
});
