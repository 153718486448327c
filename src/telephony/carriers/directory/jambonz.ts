import type { CarrierTrunk } from '../carrier-trunk.ts';
import { jsonRequest } from '../control/http.ts';
import type { CarrierDirectory } from './directory.ts';
import { eachChange, everyPage, numbersIn } from './pages.ts';

/** Numbers and applications of an account (docs.jambonz.org/reference): an application has the address of its numbers. */
export const jambonzNumbers: CarrierDirectory = {
  list: (trunk, send) =>
    everyPage(
      send,
      () =>
        jsonRequest(
          'GET',
          `${trunk.uri}/v1/Accounts/${encodeURIComponent(trunk.username ?? '')}/PhoneNumbers`,
          bearer(trunk),
        ),
      (body) => ({
        numbers: numbersIn(body, { number: ['number'], id: ['phone_number_sid'] }),
        isLast: true,
      }),
    ),
  async point(trunk, numbers, url, send) {
    const { application } = trunk;
    if (application === null)
      return {
        field: 'application',
        message: 'the webhook address is that of an application, which is not set',
      };
    const put = (path: string, body: object) =>
      jsonRequest('PUT', `${trunk.uri}/v1/${path}`, bearer(trunk), body);
    return eachChange(send, [
      put(`Applications/${encodeURIComponent(application)}`, { call_hook: { url, method: 'POST' } }),
      ...numbers.map(({ id }) =>
        put(`PhoneNumbers/${encodeURIComponent(id)}`, { application_sid: application }),
      ),
    ]);
  },
};

const bearer = ({ password }: CarrierTrunk) => ({ authorization: `Bearer ${password ?? ''}` });
