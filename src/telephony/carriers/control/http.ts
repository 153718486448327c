import type { AccountFault, CarrierAnswer, CarrierTrunk, Placed } from '../carrier-trunk.ts';

/** Basic authentication with the trunk's account. */
export const basic = ({ username, password }: CarrierTrunk): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${username ?? ''}:${password ?? ''}`, 'utf8').toString('base64')}`,
});

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
