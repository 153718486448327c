import type { Service } from '../../test/helpers/service/service.ts';
import { BENCH_KEY, type Seeded } from '../api/seed.ts';

export interface Route {
  readonly name: string;
  readonly path: string;
  /** The bound of its p99. */
  readonly boundMs: number;
}

const HISTORY_MS = 50;
const ANALYTICS_MS = 300;
const API = '/api/v0';
const DAY_MS = 86_400_000;

/** What people look at: a page of the history by each filter, the details of a call, the analytics. */
export function routesOf(seeded: Seeded, callId: string, days: number): Route[] {
  const dayBefore = (offset: number): string =>
    new Date(Date.now() - offset * DAY_MS).toISOString().slice(0, 10);
  const middle = Math.floor(days / 2);
  const filters: readonly (readonly [name: string, query: string])[] = [
    ['history', ''],
    ['history, failed calls', '&status=failed'],
    ['history, calls with an error (few)', '&status=error'],
    ['history, inbound calls (few)', '&call_type=inbound'],
    ['history, one campaign', `&bulk_list_id=${seeded.campaignId}`],
    ['history, one callee', '&to_number=%2B12120600001'],
    ['history, a month in the middle', `&start_date=${dayBefore(middle + 30)}&end_date=${dayBefore(middle)}`],
  ];
  return [
    ...filters.map(([name, query]) => ({
      name: `${name}, 50 calls`,
      path: `${API}/calling/history?limit=50${query}`,
      boundMs: HISTORY_MS,
    })),
    {
      name: 'details of a call',
      path: `${API}/calling/call-details?id=${callId}`,
      boundMs: HISTORY_MS,
    },
    ...['platform', 'drill-down', 'number', 'classification', 'hour'].map((kind) => ({
      name: `${kind}-analytics`,
      path: `${API}/analytics/${kind}-analytics`,
      boundMs: ANALYTICS_MS,
    })),
  ];
}

/** Sorted milliseconds of one request after another. */
export async function timesOf(service: Service, route: Route, requests: number): Promise<number[]> {
  const times: number[] = [];
  // The first requests prepare statements.
  for (let request = -5; request < requests; request += 1) {
    const from = performance.now();
    const response = await fetch(`${service.url}${route.path}`, { headers: { 'x-api-key': BENCH_KEY } });
    await response.text();
    if (response.status !== 200) throw new Error(`${route.name}: status ${response.status}`);
    if (request >= 0) times.push(performance.now() - from);
  }
  return times.toSorted((a, b) => a - b);
}
