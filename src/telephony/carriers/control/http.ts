import type { AccountFault, CarrierAnswer, CarrierRequest, CarrierTrunk, Placed } from '../carrier-trunk.ts';
import { nameOf, objectOf, parseObject } from '../json.ts';

/** Basic authentication with the trunk's account, or the user of its API. */
export const basic = ({ username, authUsername, password }: CarrierTrunk): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${authUsername ?? username ?? ''}:${password ?? ''}`, 'utf8').toString('base64')}`,
});

/** A request with a body in JSON, or without one. */
export const jsonRequest = (
  method: CarrierRequest['method'],
  url: string,
  headers: Readonly<Record<string, string>>,
  body: object | null = null,
): CarrierRequest => ({
  method,
  url,
  headers: body === null ? headers : { ...headers, 'content-type': 'application/json' },
  body: body === null ? null : JSON.stringify(body),
});

/** A number without its +; a SIP URI as it is. */
export const digitsOf = (number: string): string => number.replace(/^\+/, '');

/** Failures of a fetch before the request left; after any other one the carrier may have it. */
const UNSENT: ReadonlySet<string> = new Set([
  'invalid_url',
  'invalid_request',
  'blocked',
  'dns',
  'refused',
  'tls',
]);

/** What a place request without an answer means. */
export const lostOrUnsent = ({ failure, detail }: Extract<CarrierAnswer, { ok: false }>): Placed =>
  UNSENT.has(failure)
    ? { type: 'unsent', reason: `the carrier's API cannot be reached: ${detail}` }
    : { type: 'lost', reason: `the carrier's answer is lost: ${detail}` };

/** What the answer to a place request says; `path`: where the id of the call may be, the likeliest first. */
export const placedBy =
  (...paths: readonly string[]) =>
  (answer: CarrierAnswer): Placed => {
    if (!answer.ok) return lostOrUnsent(answer);
    const { status } = answer;
    const body = parseObject(answer.body);
    const carrierCallId = paths.map((path) => nameOf(valueAt(body, path))).find((id) => id !== null);
    if (status >= 200 && status < 300 && carrierCallId !== undefined)
      return { type: 'accepted', carrierCallId };
    // A server that failed may have placed the call before.
    if (status < 400 || status >= 500) return { type: 'lost', reason: `the carrier answered ${status}` };
    return { type: 'refused', failure: 'failed', reason: `the carrier answered ${status}` };
  };

/** The value at `a.b.c` of an object; undefined: it has none. */
export const valueAt = (body: unknown, path: string): unknown =>
  path.split('.').reduce((value: unknown, name) => objectOf(value)?.[name], body);

/** What the answer to a request for the account says is wrong; null: nothing. */
export function accountFault(answer: CarrierAnswer): AccountFault | null {
  if (!answer.ok) return { field: 'uri', message: `the carrier's API does not answer: ${answer.detail}` };
  const { status } = answer;
  if (status === 401 || status === 403)
    return {
      field: 'password',
      message: `the carrier answers ${status}: it does not take this account with its auth token`,
    };
  if (status === 404)
    return { field: 'username', message: 'the carrier answers 404: it knows no such account' };
  return status === 200 ? null : { field: 'uri', message: `the carrier's API answers ${status}` };
}

/** The same for an API that is asked for the application of the trunk. */
export const applicationFault = (answer: CarrierAnswer): AccountFault | null =>
  answer.ok && answer.status === 404
    ? { field: 'application', message: 'the carrier answers 404: it knows no such application' }
    : accountFault(answer);
