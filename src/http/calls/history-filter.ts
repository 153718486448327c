import { filteredNumber } from '../../domain/numbers/phone-text.ts';
import type { Static, Type } from 'typebox';
import type { HistoryFilter } from '../../domain/calls/history.ts';
import { readMoment } from '../common/moment.ts';
import type { HISTORY_FILTERS } from './history-schemas.ts';

/** Parses the filters of the call history; dates are days in `zone`. Throws 422 for an invalid date. */
export const historyFilter = (
  sent: Static<Type.TObject<typeof HISTORY_FILTERS>>,
  zone: string,
): HistoryFilter => ({
  campaignId: sent.bulk_list_id ?? null,
  agentId: sent.agent_id ?? null,
  status: sent.status ?? null,
  callType: sent.call_type ?? null,
  fromNumber: sent.from_number === undefined ? null : filteredNumber(sent.from_number),
  toNumber: sent.to_number === undefined ? null : filteredNumber(sent.to_number),
  result: sent.result ?? null,
  finding: sent.finding ?? null,
  followedUp: sent.followed_up ?? null,
  dialled: sent.dialled ?? null,
  since: sent.start_date === undefined ? null : readMoment('start_date', sent.start_date, zone).from,
  before: sent.end_date === undefined ? null : readMoment('end_date', sent.end_date, zone).until,
});
