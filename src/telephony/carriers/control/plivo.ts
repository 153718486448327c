import type { CarrierControl, CarrierRequest, CarrierTrunk } from '../carrier-trunk.ts';
import { accountFault, basic, digitsOf, jsonRequest, placedBy } from './http.ts';

/** Where Plivo's API and its copies differ. */
interface Differences {
  /** The path before the account. */
  readonly base: string;
  readonly headers: (trunk: CarrierTrunk) => Record<string, string>;
}

/** Plivo's API of calls, version 1 (plivo.com/docs/voice/api/call): JSON both ways. */
export const plivoControl = family({ base: '/v1/Account', headers: basic });
/** The same at Vobiz (vobiz.ai/docs/call/make-call). */
export const vobizControl = family({
  base: '/api/v1/Account',
  headers: ({ username, password }) => ({ 'x-auth-id': username ?? '', 'x-auth-token': password ?? '' }),
});

function family({ base, headers }: Differences): CarrierControl {
  const request = (
    trunk: CarrierTrunk,
    method: CarrierRequest['method'],
    path: string,
    body: object | null = null,
  ): CarrierRequest =>
    jsonRequest(
      method,
      `${trunk.uri}${base}/${encodeURIComponent(trunk.username ?? '')}${path}`,
      headers(trunk),
      body,
    );
  return {
    place: (trunk, { from, to, answerUrl, statusUrl, ringSeconds }) =>
      request(trunk, 'POST', '/Call/', {
        from: digitsOf(from),
        to: digitsOf(to),
        answer_url: answerUrl,
        answer_method: 'POST',
        ring_url: statusUrl,
        ring_method: 'POST',
        hangup_url: statusUrl,
        hangup_method: 'POST',
        ring_timeout: ringSeconds,
      }),
    readPlaced: placedBy('request_uuid'),
    // A call that rings is ended by its request, one that is up by its id, which is the same.
    end: (trunk, carrierCallId) =>
      ['Call', 'Request'].map((noun) =>
        request(trunk, 'DELETE', `/${noun}/${encodeURIComponent(carrierCallId)}/`),
      ),
    transfer: (trunk, carrierCallId, { documentUrl }) =>
      request(trunk, 'POST', `/Call/${encodeURIComponent(carrierCallId)}/`, {
        legs: 'aleg',
        aleg_url: documentUrl,
        aleg_method: 'POST',
      }),
    account: (trunk) => request(trunk, 'GET', '/'),
    readAccount: accountFault,
  };
}
