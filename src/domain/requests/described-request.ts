import { redactedJson, type RedactedJson } from './redacted-json.ts';
import type { ApiRequest } from './request-log.ts';
import { withoutSecrets } from './secrets.ts';

/** Characters of a request body, of a response and of a path that are kept. */
const MAX_BODY = 8_192;
const MAX_RESPONSE = 4_096;
const MAX_PATH = 2_048;
const MAX_TYPE = 100;
/** Shorter keys would match inside ordinary words. */
const MIN_KEY = 8;

export const redactedBody = (value: unknown): RedactedJson => redactedJson(value, MAX_BODY);

/** An answered request as the HTTP layer knows it. */
export interface AnsweredRequest extends Omit<
  ApiRequest,
  'contentType' | 'bodyBytes' | 'body' | 'isCut' | 'response'
> {
  /** The key that was sent, which is removed wherever it occurs. */
  readonly sentKey: string;
  /** Headers of the body. */
  readonly contentType: string | undefined;
  readonly contentLength: string | undefined;
  readonly body: RedactedJson | null;
  /** The serialized response of a refused or failed request. */
  readonly response: string | null;
}

/** The entry of a request for the log: without secrets, and no longer than the log keeps. */
export function describedRequest(answered: AnsweredRequest): ApiRequest {
  const { sentKey, contentType, contentLength, body, response, path, notices, ...rest } = answered;
  const hide = (text: string): string =>
    sentKey.length < MIN_KEY ? text : text.replaceAll(sentKey, '<X-API-KEY>');
  const shownPath = withoutSecrets(hide(path));
  const answer = response === null ? null : redactedResponse(response);
  return {
    ...rest,
    path: shownPath.slice(0, MAX_PATH),
    contentType: contentType?.split(';')[0]?.trim().slice(0, MAX_TYPE) ?? null,
    bodyBytes: bytesOf(contentLength),
    body: body === null || body.text === '' ? null : hide(body.text),
    isCut: shownPath.length > MAX_PATH || body?.isCut === true || answer?.isCut === true,
    notices: notices?.map((notice) => withoutSecrets(hide(notice))) ?? null,
    response: answer === null || answer.text === '' ? null : hide(answer.text),
  };
}

function bytesOf(contentLength: string | undefined): number | null {
  const bytes = Number(contentLength ?? Number.NaN);
  return Number.isSafeInteger(bytes) && bytes >= 0 ? bytes : null;
}

function redactedResponse(text: string): RedactedJson {
  try {
    return redactedJson(JSON.parse(text), MAX_RESPONSE);
  } catch {
    return redactedJson(text, MAX_RESPONSE);
  }
}
