import type { Input } from '../../api/client.ts';

type Filter = Input<'listApiRequests'>;
export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'] as const;
export const STATUSES = ['2xx', '3xx', '4xx', '5xx'] as const;

/** The filters of the request log, as they stand in the address. */
export interface RequestFilters {
  method?: (typeof METHODS)[number];
  status?: (typeof STATUSES)[number];
  path?: string;
  request?: string;
  from?: string;
  to?: string;
  /** Entries older than this one. */
  before?: string;
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined;
const oneOf = <T extends string>(list: readonly T[], value: unknown): T | undefined =>
  list.find((each) => each === value);
/** A time of a datetime-local field. */
const isLocalTime = (value: string | undefined): value is string =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(value ?? '');

/** Reads the filters of an address; what is no filter is left out. */
export function requestFilters(search: Record<string, unknown>): RequestFilters {
  const method = oneOf(METHODS, search['method']);
  const status = oneOf(STATUSES, search['status']);
  const [path, request, before] = ['path', 'request', 'before'].map((name) => textOf(search[name]));
  const [from, to] = [textOf(search['from']), textOf(search['to'])];
  return {
    ...(method === undefined ? {} : { method }),
    ...(status === undefined ? {} : { status }),
    ...(path === undefined ? {} : { path }),
    ...(request === undefined ? {} : { request }),
    ...(isLocalTime(from) ? { from } : {}),
    ...(isLocalTime(to) ? { to } : {}),
    ...(before === undefined ? {} : { before }),
  };
}

/** The request for the list; times are those of the reader's zone. */
export function toRequest({ method, status, path, request, from, to, before }: RequestFilters): Filter {
  return {
    ...(method === undefined ? {} : { method }),
    ...(status === undefined ? {} : { status }),
    ...(path === undefined ? {} : { path }),
    ...(request === undefined ? {} : { request_id: request }),
    ...(from === undefined ? {} : { start_date: new Date(from).toISOString() }),
    ...(to === undefined ? {} : { end_date: new Date(to).toISOString() }),
    ...(before === undefined ? {} : { before }),
  };
}
