import type { CarrierTrunk } from '../carrier-trunk.ts';
import { accountFault, basic, digitsOf, jsonRequest, valueAt } from '../control/http.ts';
import { nameOf, objectOf } from '../json.ts';
import type { CarrierDirectory } from './directory.ts';
import { bodyOf, changeFault, eachChange, everyPage, numbersIn } from './pages.ts';

/** The most that Plivo answers at once. */
const PAGE_SIZE = 20;

/** Numbers and applications (plivo.com/docs/voice/api/application): an application has the address of its numbers. */
export const plivoNumbers: CarrierDirectory = {
  list: (trunk, send) =>
    everyPage(
      send,
      (page) => request(trunk, 'GET', `/Number/?limit=${PAGE_SIZE}&offset=${page * PAGE_SIZE}`),
      (body) => ({
        numbers: numbersIn(objectOf(body)?.['objects'], { number: ['number'], id: ['number'] }),
        isLast: nameOf(valueAt(body, 'meta.next')) === null,
      }),
    ),
  async point(trunk, numbers, url, send) {
    const name = `callwright-${trunk.id}`;
    const answers = { answer_url: url, answer_method: 'POST' };
    const known = await send(request(trunk, 'GET', `/Application/?app_name=${name}`));
    const fault = accountFault(known);
    if (fault !== null) return fault;
    const objects = valueAt(bodyOf(known), 'objects');
    const applications = Array.isArray(objects) ? (objects as unknown[]) : [];
    const same = applications.find((one) => objectOf(one)?.['app_name'] === name);
    const appId = nameOf(objectOf(same)?.['app_id']);
    const saved = await send(
      appId === null
        ? request(trunk, 'POST', '/Application/', { app_name: name, ...answers })
        : request(trunk, 'POST', `/Application/${encodeURIComponent(appId)}/`, answers),
    );
    const refused = changeFault(saved);
    if (refused !== null) return refused;
    const app_id = appId ?? nameOf(objectOf(bodyOf(saved))?.['app_id']);
    if (app_id === null)
      return { field: 'uri', message: 'the carrier names no application that it has made' };
    return eachChange(
      send,
      numbers.map(({ number }) => request(trunk, 'POST', `/Number/${digitsOf(number)}/`, { app_id })),
    );
  },
};

const request = (trunk: CarrierTrunk, method: 'GET' | 'POST', path: string, body: object | null = null) =>
  jsonRequest(
    method,
    `${trunk.uri}/v1/Account/${encodeURIComponent(trunk.username ?? '')}${path}`,
    basic(trunk),
    body,
  );
