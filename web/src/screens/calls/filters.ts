import type { Input } from '../../api/client.ts';
import { DETECTOR_NAMES } from '../call/detector-names.ts';

type Filter = Input<'listCalls'>;
export const STATUSES = [
  'registered',
  'ongoing',
  'retry',
  'completed',
  'failed',
  'error',
  'cancelled',
] as const;
export const FINDINGS = ['any', ...(Object.keys(DETECTOR_NAMES) as (keyof typeof DETECTOR_NAMES)[])] as const;
export const FINDING_NAMES: Readonly<Record<string, string>> = { any: 'Anything', ...DETECTOR_NAMES };
export const TYPES = ['outbound', 'inbound', 'webcall'] as const;
/** How statuses and directions are called where the code's own word is not clear. */
export const STATUS_NAMES: Readonly<Record<string, string>> = {
  registered: 'Queued',
  ongoing: 'Live',
  webcall: 'Web call',
};
/** Rows on a page. */
export const PAGE_SIZES = [50, 200] as const;

/** The filters of the calls list, as they stand in the address. */
export interface CallFilters {
  status?: (typeof STATUSES)[number];
  type?: (typeof TYPES)[number];
  agent?: string;
  campaign?: string;
  number?: string;
  /** The exact words of a result. */
  result?: string;
  /** What a detector found. */
  finding?: (typeof FINDINGS)[number];
  from?: string;
  to?: string;
  page?: number;
  /** Rows on a page, where it is not the first choice. */
  rows?: (typeof PAGE_SIZES)[1];
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined;
const oneOf = <T extends string>(list: readonly T[], value: unknown): T | undefined =>
  list.find((each) => each === value);
const isDay = (value: string | undefined): value is string => /^\d{4}-\d\d-\d\d$/.test(value ?? '');

/** Reads the filters of an address; what is no filter is left out. */
export function callFilters(search: Record<string, unknown>): CallFilters {
  const page = Number(search['page']);
  const [from, to] = [textOf(search['from']), textOf(search['to'])];
  const status = oneOf(STATUSES, search['status']);
  const type = oneOf(TYPES, search['type']);
  const agent = textOf(search['agent']);
  const campaign = textOf(search['campaign']);
  const number = textOf(search['number']);
  const result = textOf(search['result']);
  const finding = oneOf(FINDINGS, search['finding']);
  return {
    ...(status === undefined ? {} : { status }),
    ...(type === undefined ? {} : { type }),
    ...(agent === undefined ? {} : { agent }),
    ...(campaign === undefined ? {} : { campaign }),
    ...(number === undefined ? {} : { number }),
    ...(result === undefined ? {} : { result }),
    ...(finding === undefined ? {} : { finding }),
    ...(isDay(from) ? { from } : {}),
    ...(isDay(to) ? { to } : {}),
    ...(Number.isInteger(page) && page > 1 ? { page } : {}),
    ...(Number(search['rows']) === PAGE_SIZES[1] ? { rows: PAGE_SIZES[1] } : {}),
  };
}

/** One page of the filtered list. */
export function toRequest(filters: CallFilters): Filter {
  const limit = filters.rows ?? PAGE_SIZES[0];
  return { limit, offset: ((filters.page ?? 1) - 1) * limit, ...matching(filters) };
}

/** The filters of a request. Days are those of the workspace's time zone, the last one included. */
export function matching(filters: CallFilters): Input<'exportCalls'> {
  const { status, type, agent, campaign, number, result, finding, from, to } = filters;
  return {
    ...(status === undefined ? {} : { status }),
    ...(type === undefined ? {} : { call_type: type }),
    ...(agent === undefined ? {} : { agent_id: agent }),
    ...(campaign === undefined ? {} : { bulk_list_id: campaign }),
    ...(number === undefined ? {} : { to_number: number }),
    ...(result === undefined ? {} : { result }),
    ...(finding === undefined ? {} : { finding }),
    ...(from === undefined ? {} : { start_date: from }),
    ...(to === undefined ? {} : { end_date: to }),
  };
}
