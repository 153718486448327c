import type { CarrierTrunk } from '../carrier-trunk.ts';
import { applicationFault, jsonRequest, valueAt } from '../control/http.ts';
import { nameOf } from '../json.ts';
import type { CarrierDirectory } from './directory.ts';
import { bodyOf, eachChange, everyPage, numbersIn } from './pages.ts';

const PAGE_SIZE = 100;

/** Numbers and Voice API applications (developers.telnyx.com/api-reference): the application has the address of its numbers. */
export const telnyxNumbers: CarrierDirectory = {
  list: (trunk, send) =>
    everyPage(
      send,
      (page) =>
        jsonRequest(
          'GET',
          `${trunk.uri}/v2/phone_numbers?page[size]=${PAGE_SIZE}&page[number]=${page + 1}`,
          bearer(trunk),
        ),
      (body) => ({
        numbers: numbersIn(valueAt(body, 'data'), { number: ['phone_number'], id: ['id'] }),
        isLast:
          Number(valueAt(body, 'meta.total_pages') ?? 1) <= Number(valueAt(body, 'meta.page_number') ?? 1),
      }),
    ),
  async point(trunk, numbers, url, send) {
    const application = encodeURIComponent(trunk.application ?? '');
    const at = `${trunk.uri}/v2/call_control_applications/${application}`;
    const found = await send(jsonRequest('GET', at, bearer(trunk)));
    const fault = applicationFault(found);
    if (fault !== null) return fault;
    // A change needs the name, too.
    const name = nameOf(valueAt(bodyOf(found), 'data.application_name')) ?? 'callwright';
    const change = { application_name: name, webhook_event_url: url, webhook_api_version: '2' };
    return eachChange(send, [
      jsonRequest('PATCH', at, bearer(trunk), change),
      ...numbers.map(({ id }) =>
        jsonRequest('PATCH', `${trunk.uri}/v2/phone_numbers/${encodeURIComponent(id)}`, bearer(trunk), {
          connection_id: trunk.application ?? '',
        }),
      ),
    ]);
  },
};

const bearer = ({ password }: CarrierTrunk) => ({ authorization: `Bearer ${password ?? ''}` });
