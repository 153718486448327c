import type { Input } from '../../api/client.ts';
import { dayBefore } from '../../parts/workspace-days.ts';
import type { CallFilters } from '../calls/filters.ts';

/** The filters of the analytics, as they stand in the address. Days are those of the workspace's zone. */
export interface AnalyticsFilters {
  from?: string;
  to?: string;
  agent?: string;
  campaign?: string;
  /** The two versions that are compared. */
  version?: string;
  other?: string;
}

/** Days that are shown without a filter. */
const USUAL_DAYS = 30;
const isDay = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value);
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Reads the filters of an address; what is no filter is left out. */
export function analyticsFilters(search: Record<string, unknown>): AnalyticsFilters {
  const { from, to, agent, campaign, version, other } = search;
  return {
    ...(isDay(from) ? { from } : {}),
    ...(isDay(to) ? { to } : {}),
    ...(isText(agent) ? { agent } : {}),
    ...(isText(campaign) ? { campaign } : {}),
    ...(isText(version) ? { version } : {}),
    ...(isText(other) ? { other } : {}),
  };
}

/** The first day without a filter. */
export const usualFirstDay = (today: string): string => dayBefore(today, USUAL_DAYS - 1);

/** The query of every analytics endpoint. */
export function toQuery(filters: AnalyticsFilters, today: string): Input<'getPlatformAnalytics'> {
  const { from, to, agent, campaign } = filters;
  const first = from ?? (to === undefined ? usualFirstDay(today) : undefined);
  return {
    ...(first === undefined ? {} : { start_date: first }),
    ...(to === undefined ? {} : { end_date: to }),
    ...(agent === undefined ? {} : { agent_id: agent }),
    ...(campaign === undefined ? {} : { bulk_list_id: campaign }),
  };
}

/** The list of the calls that have the result among those of a query. */
export const callsOfResult = (result: string, query: Input<'getPlatformAnalytics'>): CallFilters => ({
  result,
  ...callsOf(query),
});

/** The list of the calls of one day among those of a query. */
export const callsOfDay = (day: string, query: Input<'getPlatformAnalytics'>): CallFilters => ({
  ...callsOf(query),
  from: day,
  to: day,
});

function callsOf(query: Input<'getPlatformAnalytics'>): CallFilters {
  const { start_date: from, end_date: to, agent_id: agent, bulk_list_id: campaign } = query;
  return {
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(agent === undefined ? {} : { agent }),
    ...(campaign === undefined ? {} : { campaign }),
  };
}
