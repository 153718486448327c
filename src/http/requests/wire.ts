import type {
  ApiRequestDetailsRow,
  ApiRequestRow,
  RequestPage,
} from '../../domain/requests/read-requests.ts';
import { iso } from '../common/values.ts';

const toEntry = (request: ApiRequestRow) => ({
  entry_id: request.id,
  at: iso(request.at),
  method: request.method,
  path: request.path,
  status: request.status,
  duration_ms: request.durationMs,
  request_id: request.requestId,
  key: request.key,
});

export const toRequestPage = ({ requests, limit, nextBefore }: RequestPage) => ({
  requests: requests.map(toEntry),
  limit,
  next_before: nextBefore,
});

export const toRequestDetails = (request: ApiRequestDetailsRow) => ({
  ...toEntry(request),
  content_type: request.contentType,
  body_bytes: request.bodyBytes,
  body: valueOf(request.body),
  response: valueOf(request.response),
  notices: [...(request.notices ?? [])],
  is_cut: request.isCut,
});

/** The log holds JSON texts. */
const valueOf = (text: string | null): unknown => (text === null ? null : JSON.parse(text));
