import { errors } from '../../errors.ts';
import { isUuid } from '../../shared/ids.ts';
import type { Db } from '../../store/database.ts';
import { pageBefore } from '../page-before.ts';
import {
  findRequest,
  listRequests,
  type ApiRequestDetailsRow,
  type ApiRequestRow,
  type RequestFilter,
} from '../../store/requests/requests.ts';

export type { ApiRequestDetailsRow, ApiRequestRow, RequestFilter };

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
  const { rows, ...page } = await pageBefore(
    { limit, beforeId: filter.beforeId, noun: 'a request' },
    (take) => listRequests(deps.db, workspaceId, filter, take),
  );
  return { requests: rows, ...page };
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
