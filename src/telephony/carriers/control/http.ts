import type { CarrierAnswer, CarrierTrunk, Placed } from '../carrier-trunk.ts';

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
