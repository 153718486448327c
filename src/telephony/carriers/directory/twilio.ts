import type { CarrierTrunk } from '../carrier-trunk.ts';
import { basic } from '../control/http.ts';
import { nameOf, objectOf } from '../json.ts';
import type { CarrierDirectory } from './directory.ts';
import { eachChange, everyPage, numbersIn } from './pages.ts';

const PAGE_SIZE = 100;

/** Numbers of an account (twilio.com/docs/phone-numbers/api/incomingphonenumber-resource): each has its own address. */
export const twilioNumbers = family('/2010-04-01');
/** The same at SignalWire (developer.signalwire.com/compatibility-api). */
export const signalwireNumbers = family('/api/laml/2010-04-01');

function family(base: string): CarrierDirectory {
  const urlOf = ({ uri, username }: CarrierTrunk, rest: string): string =>
    `${uri}${base}/Accounts/${encodeURIComponent(username ?? '')}/IncomingPhoneNumbers${rest}`;
  return {
    list: (trunk, send) =>
      everyPage(
        send,
        (page) => ({
          method: 'GET',
          url: urlOf(trunk, `.json?PageSize=${PAGE_SIZE}&Page=${page}`),
          headers: basic(trunk),
          body: null,
        }),
        (body) => ({
          numbers: numbersIn(objectOf(body)?.['incoming_phone_numbers'], {
            number: ['phone_number'],
            id: ['sid'],
          }),
          isLast: nameOf(objectOf(body)?.['next_page_uri']) === null,
        }),
      ),
    point: (trunk, numbers, url, send) =>
      eachChange(
        send,
        numbers.map(({ id }) => ({
          method: 'POST',
          url: urlOf(trunk, `/${encodeURIComponent(id)}.json`),
          headers: { ...basic(trunk), 'content-type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams({ VoiceUrl: url, VoiceMethod: 'POST' }).toString(),
        })),
      ),
  };
}
