import { errors } from '../../errors.ts';
import { isUuid } from '../../shared/ids.ts';
import type { Db } from '../../store/database.ts';
import {
  findRequest,
  listRequests,
  type ApiRequestDetailsRow,
  type ApiRequestRow,
  type RequestFilter,
} from '../../store/requests/requests.ts';

export type { ApiRequestDetailsRow, ApiRequestRow, RequestFilter };

const MAX_LIMIT = 200;

export interface RequestPage {
  readonly requests: readonly ApiRequestRow[];
  readonly limit: number;
  /** The cursor of the next page; null on the last one. */
  readonly nextBefore: string | null;
}

/** A page of the workspace's logged requests, newest first. */
export async function readRequests(
  deps: { db: Db },
  workspaceId: string,
  filter: RequestFilter,
  limit: number,
): Promise<RequestPage> {
  if (limit > MAX_LIMIT) throw errors.limitTooHigh(MAX_LIMIT);
  if (filter.beforeId !== null && !isUuid(filter.beforeId)) {
    throw errors.invalid('before', 'must be the id of a request');
  }
  const rows = await listRequests(deps.db, workspaceId, filter, limit + 1);
  const requests = rows.slice(0, limit);
  return { requests, limit, nextBefore: rows.length > limit ? (requests.at(-1)?.id ?? null) : null };
}

/** Throws 404 for a request of another workspace. */
export async function readRequest(
  deps: { db: Db },
  workspaceId: string,
  id: string,
): Promise<ApiRequestDetailsRow> {
  const request = isUuid(id) ? await findRequest(deps.db, workspaceId, id) : null;
  if (request === null) throw errors.requestNotFound();
  return request;
}
