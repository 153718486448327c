import { APICallError } from 'ai';
import type { VendorFault } from '../../shared/vendor-fault.ts';
import { faultOfStatus, kindOfText, vendorFault } from '../wire/fault.ts';
import { Fields } from '@callwright/fields';

const CODE = /^[a-z][a-z0-9_. -]{1,59}$/i;
const OVERLOADED = 529;

/**
 * The fault of a failed request. Its message never contains the vendor's sentences, which may quote prompts or keys; they
 * only determine the kind.
 */
export function modelFault(vendor: string, error: unknown): VendorFault {
  if (APICallError.isInstance(error)) {
    const { statusCode, responseBody = '' } = error;
    if (statusCode !== undefined && statusCode >= 400) return refused(vendor, statusCode, responseBody);
    return vendorFault(vendor, 'lost', codeOf(error));
  }
  if (isTimeout(error)) return vendorFault(vendor, 'timeout', '', { retryable: true });
  return streamed(vendor, error);
}

function refused(vendor: string, status: number, body: string): VendorFault {
  const detail = errorOf(body);
  const words = `${detail.code} ${detail.text}`.toLowerCase();
  // Some vendors answer 400 to a wrong key or an empty account.
  const isKey = status === 400 && /api[ _]key/.test(words);
  const isSpent = status === 400 && /credit balance|billing/.test(words);
  const fault = faultOfStatus(vendor, isKey ? 401 : isSpent ? 402 : status, words);
  const { retryable, kind } = fault;
  return vendorFault(vendor, kind, detail.code, { retryable: retryable || kind === 'limit', status });
}

/** An error in the middle of a stream, such as `overloaded_error`. */
function streamed(vendor: string, error: unknown): VendorFault {
  const fields = new Fields(error);
  const status = fields.number('statusCode') ?? fields.number('code');
  const words = `${fields.text('type')} ${fields.text('code')} ${fields.text('message')}`;
  if (words.includes('overloaded')) return vendorFault(vendor, 'lost', 'overloaded', { status: OVERLOADED });
  if (status !== null && status >= 400 && status < 600) return faultOfStatus(vendor, status, '');
  return vendorFault(vendor, kindOfText(words) ?? 'lost', 'the answer is broken off', { retryable: true });
}

const isTimeout = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError');

/** Network error code, such as `ECONNREFUSED`. */
function codeOf(error: Error): string {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && typeof cause.code === 'string' && CODE.test(cause.code)) return cause.code;
  }
  return '';
}

/** The vendor's error code and message. */
function errorOf(body: string): { code: string; text: string } {
  try {
    const answer = Fields.parse(body.trim().replace(/^\[/, '').replace(/\]$/, ''));
    const error = answer.of('error');
    const code = [error.text('code'), error.text('type'), error.text('status')].find((it) => CODE.test(it));
    return { code: code ?? '', text: error.text('message') || answer.text('error') || answer.text('detail') };
  } catch {
    return { code: '', text: body.slice(0, 2_000) };
  }
}
