import type { CarrierControl, CarrierTrunk } from '../carrier-trunk.ts';
import { accountFault, basic, placedBy } from './http.ts';

/**
 * Exotel's API of calls (developer.exotel.com/api/make-a-call-api): forms in, JSON out. It has no request that ends or moves
 * a call: the closed stream ends it, or the flow of the number goes on.
 */
export const exotelControl: CarrierControl = {
  place: (trunk, { from, to, streamUrl, statusUrl, ringSeconds, attemptId }) =>
    post(trunk, '/calls/connect.json', [
      ['from', to],
      ['callerid', from],
      ['streamtype', 'bidirectional'],
      ['streamurl', streamUrl],
      ['timeout', String(ringSeconds)],
      ['customfield', attemptId],
      ['statuscallback', statusUrl],
      ['statuscallbackcontenttype', 'application/json'],
      ...['ringing', 'answered', 'terminal'].map((event): [string, string] => [
        'statuscallbackevents[]',
        event,
      ]),
    ]),
  readPlaced: placedBy('Call.Sid', 'call.sid', 'response.call.sid', 'data.call_sid', 'sid'),
  end: (trunk, carrierCallId) => [
    post(trunk, `/calls/${encodeURIComponent(carrierCallId)}.json`, [['status', 'completed']]),
  ],
  transfer: () => null,
  account: (trunk) => ({
    method: 'GET',
    url: `${accountUrl(trunk)}.json`,
    headers: basic(trunk),
    body: null,
  }),
  readAccount: accountFault,
};

const accountUrl = ({ uri, username }: CarrierTrunk): string =>
  `${uri}/v1/accounts/${encodeURIComponent(username ?? '')}`;
const post = (trunk: CarrierTrunk, path: string, form: readonly [string, string][]) => ({
  method: 'POST' as const,
  url: `${accountUrl(trunk)}${path}`,
  headers: { ...basic(trunk), 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams([...form]).toString(),
});
