import { Type } from 'typebox';
import { DETECTORS } from '../../rehearsal/detect/alarm.ts';
import { Moment, Offset, oneOf, PageCursor } from '../common/schemas.ts';
import { CALL_STATUSES } from './schemas.ts';

const text = Type.Optional(Type.String({ minLength: 1, maxLength: 200 }));

export const HISTORY_FILTERS = {
  bulk_list_id: text,
  agent_id: text,
  status: Type.Optional(oneOf(CALL_STATUSES)),
  call_type: Type.Optional(oneOf(['outbound', 'inbound', 'webcall'])),
  from_number: text,
  to_number: text,
  result: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      example: 'Voicemail',
      description: 'Only calls with exactly this result.',
    }),
  ),
  finding: Type.Optional(
    oneOf(['any', ...DETECTORS], {
      description: 'Only calls in which this detector found something, or any; without false alarms.',
    }),
  ),
  followed_up: Type.Optional(
    Type.Boolean({
      description: 'true: only calls that are marked as done; false: only the others.',
    }),
  ),
  dialled: Type.Optional(
    Type.Boolean({
      description:
        'true: only calls that were dialled or came in, in the history the last dialled first; false: only calls that were never dialled.',
    }),
  ),
  start_date: Type.Optional(Moment),
  end_date: Type.Optional(Moment),
};

export const HistoryQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 200, default: 10, description: 'More answers 400.' }),
  ),
  offset: Type.Optional(Offset),
  cursor: Type.Optional(PageCursor),
  ...HISTORY_FILTERS,
});
export const ExportBody = Type.Object(
  {
    ...HISTORY_FILTERS,
    send_analysis: Type.Optional(
      Type.Boolean({ default: false, description: 'Adds the columns of platform and client analysis.' }),
    ),
  },
  { description: 'The filters of the history; without a filter, every call.' },
);
