import { Type } from 'typebox';
import { DETECTORS } from '../../rehearsal/detect/alarm.ts';
import { IsoTime, LookupId, Moment, nullable, oneOf } from '../common/schemas.ts';

export const Detector = oneOf(DETECTORS, {
  description: 'What the detector finds is in docs/rehearsal.md.',
});

export const Finding = Type.Object({
  detector: Detector,
  at_seconds: Type.Number({ description: 'After the answer.', example: 12.4 }),
  detail: nullable(Type.String({ description: 'Quotes the call; null after an erasure.' })),
  false_alarm: nullable(
    Type.Object(
      { by: Type.String(), at: IsoTime },
      { description: 'Who marked it as a false alarm, and when.' },
    ),
  ),
});

export const FindingParams = Type.Object({ call_id: LookupId, detector: Detector });
export const FindingBody = Type.Object(
  { false_alarm: Type.Boolean({ description: 'False takes the mark away.' }) },
  { additionalProperties: false },
);
export const FindingAnswer = Type.Object({ finding: Finding });

export const FindingsQuery = Type.Object({
  agent_id: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  start_date: Type.Optional(Moment),
  end_date: Type.Optional(Moment),
});
const Share = nullable(Type.Number({ minimum: 0, maximum: 1 }));
export const FindingsAnswer = Type.Object({
  checked_calls: Type.Integer(),
  detectors: Type.Array(
    Type.Object({
      detector: Detector,
      calls: Type.Integer({ description: 'Calls in which it found something, false alarms included.' }),
      share: { ...Share, description: 'Of the checked calls, without false alarms.' },
      false_alarms: Type.Integer({ description: 'Calls whose finding was marked as a false alarm.' }),
      false_share: { ...Share, description: 'Of its findings.' },
    }),
    { description: 'Most frequent first; detectors without a finding are left out.' },
  ),
  days: Type.Array(
    Type.Object({
      date: Type.String({ format: 'date', description: "In the workspace's time zone." }),
      checked_calls: Type.Integer(),
      calls_with_finding: Type.Integer({ description: 'Without false alarms, as are the shares.' }),
      finding_share: Type.Number({ minimum: 0, maximum: 1 }),
      scored_calls: Type.Integer(),
      mean_score: nullable(Type.Number({ minimum: 0, maximum: 100 })),
      detectors: Type.Array(
        Type.Object({
          detector: Detector,
          calls: Type.Integer(),
          share: Type.Number({ minimum: 0, maximum: 1 }),
        }),
      ),
    }),
    { description: 'The newest 400 days with checked calls, oldest first.' },
  ),
});
