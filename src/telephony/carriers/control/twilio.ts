import type { FailureClass } from '@callwright/sip';
import { CARRIER_DOCUMENTS } from '../../../shared/carrier-documents.ts';
import type { AccountFault, CarrierAnswer, CarrierControl, CarrierTrunk, Placed } from '../carrier-trunk.ts';
import { nameOf, parseObject } from '../json.ts';
import { accountFault, basic, lostOrUnsent } from './http.ts';

/** Where Twilio's API and its copies differ. */
interface Differences {
  /** The path before the accounts. */
  readonly base: string;
  /** The document of a call, in the request or at an address of ours. */
  readonly document: (xml: string, url: string) => [string, string];
}

/** Twilio's API of calls, version 2010-04-01 (twilio.com/docs/voice/api/call-resource): forms in, JSON out. */
export const twilioControl = family({
  base: '/2010-04-01',
  document: (xml) => ['Twiml', xml],
});
/** The same at SignalWire (developer.signalwire.com/compatibility-api), which fetches its documents. */
export const signalwireControl = family({
  base: '/api/laml/2010-04-01',
  document: (_xml, url) => ['Url', url],
});

function family({ base, document }: Differences): CarrierControl {
  const accountUrl = ({ uri, username }: CarrierTrunk): string =>
    `${uri}${base}/Accounts/${encodeURIComponent(username ?? '')}`;
  const post = (trunk: CarrierTrunk, path: string, form: readonly [string, string][]) => ({
    method: 'POST' as const,
    url: `${accountUrl(trunk)}${path}`,
    headers: { ...basic(trunk), 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams([...form]).toString(),
  });
  return {
    place: (trunk, { from, to, streamUrl, answerUrl, statusUrl, ringSeconds }) =>
      post(trunk, '/Calls.json', [
        ['To', to],
        ['From', from],
        document(CARRIER_DOCUMENTS.twilio.stream(streamUrl, null), answerUrl),
        ['Timeout', String(Math.min(600, ringSeconds))],
        ['StatusCallback', statusUrl],
        ['StatusCallbackMethod', 'POST'],
        ...['initiated', 'ringing', 'answered', 'completed'].map((event): [string, string] => [
          'StatusCallbackEvent',
          event,
        ]),
      ]),
    readPlaced,
    end: (trunk, carrierCallId) => [post(trunk, callPath(carrierCallId), [['Status', 'completed']])],
    transfer: (trunk, carrierCallId, order) =>
      post(trunk, callPath(carrierCallId), [
        document(CARRIER_DOCUMENTS.twilio.dial(order), order.documentUrl),
      ]),
    account: (trunk) => ({
      method: 'GET',
      url: `${accountUrl(trunk)}.json`,
      headers: basic(trunk),
      body: null,
    }),
    readAccount,
  };
}

const callPath = (carrierCallId: string): string => `/Calls/${encodeURIComponent(carrierCallId)}.json`;

/** Error codes of Twilio's catalogue that concern the number to call. */
const BAD_NUMBER: ReadonlySet<unknown> = new Set([13_223, 13_224, 21_211, 21_214, 21_217, 21_401]);

function readPlaced(answer: CarrierAnswer): Placed {
  if (!answer.ok) return lostOrUnsent(answer);
  const body = parseObject(answer.body);
  const carrierCallId = nameOf(body?.['sid']);
  const { status } = answer;
  if (status >= 200 && status < 300 && carrierCallId !== null) return { type: 'accepted', carrierCallId };
  // A server that failed may have placed the call before.
  if (status < 400 || status >= 500) return { type: 'lost', reason: `the carrier answered ${status}` };
  const failure: FailureClass = BAD_NUMBER.has(body?.['code']) ? 'invalid_number' : 'failed';
  return { type: 'refused', failure, reason: reasonOf(status, body?.['code']) };
}

function readAccount(answer: CarrierAnswer): AccountFault | null {
  const fault = accountFault(answer);
  if (fault !== null || !answer.ok) return fault;
  const isActive = parseObject(answer.body)?.['status'] === 'active';
  return isActive ? null : { field: 'username', message: 'the account is not active' };
}

/** Without the message of the answer, which may name the number. */
const reasonOf = (status: number, code: unknown): string =>
  `the carrier answered ${status}${typeof code === 'number' ? ` (error ${code})` : ''}`;
