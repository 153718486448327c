import { basic, jsonRequest } from '../control/http.ts';
import { objectOf } from '../json.ts';
import type { CarrierDirectory } from './directory.ts';
import { everyPage, numbersIn } from './pages.ts';

/** Exophones (developer.exotel.com/api/exophones): the flow of a number leads its calls, not the API. */
export const exotelNumbers: CarrierDirectory = {
  list: (trunk, send) =>
    everyPage(
      send,
      () =>
        jsonRequest(
          'GET',
          `${trunk.uri}/v2_beta/Accounts/${encodeURIComponent(trunk.username ?? '')}/IncomingPhoneNumbers`,
          basic(trunk),
        ),
      (body) => ({
        numbers: numbersIn(listIn(body, 'incoming_phone_numbers', 'response'), {
          number: ['phone_number'],
          id: ['sid'],
        }),
        isLast: true,
      }),
    ),
};

/** Numbers of Smartflo and Acefone: the call flow of a number leads its calls, not the API. */
export const smartfloNumbers: CarrierDirectory = {
  list: (trunk, send) =>
    everyPage(
      send,
      () =>
        jsonRequest('GET', `${trunk.uri}/v1/my_number`, { authorization: `Bearer ${trunk.password ?? ''}` }),
      (body) => ({
        numbers: numbersIn(listIn(body, 'numbers', 'data'), {
          number: ['did', 'did_number', 'number'],
          id: ['id'],
        }),
        isLast: true,
      }),
    ),
};

/** The list of a body: the body itself, or at one of its names; entries may be wrapped in `data`. */
function listIn(body: unknown, ...names: readonly string[]): unknown[] {
  const list = [body, ...names.map((name) => objectOf(body)?.[name])].find((value) => Array.isArray(value));
  return ((list ?? []) as unknown[]).map((entry) => objectOf(entry)?.['data'] ?? entry);
}
