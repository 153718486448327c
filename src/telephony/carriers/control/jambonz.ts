import type { CarrierControl, CarrierTrunk } from '../carrier-trunk.ts';
import { accountFault, jsonRequest, placedBy } from './http.ts';

/** The API of jambonz, version 1 (docs.jambonz.org/reference/rest-call-control), which runs on FreeSWITCH. */
export const jambonzControl: CarrierControl = {
  place: (trunk, { from, to, answerUrl, statusUrl, ringSeconds, attemptId }) =>
    request(trunk, 'POST', '/Calls', {
      ...(trunk.application === null ? {} : { application_sid: trunk.application }),
      from,
      to: { type: 'phone', number: to },
      call_hook: { url: answerUrl, method: 'POST' },
      call_status_hook: { url: statusUrl, method: 'POST' },
      timeout: ringSeconds,
      tag: { attempt: attemptId },
    }),
  readPlaced: placedBy('sid'),
  end: (trunk, carrierCallId) => [
    request(trunk, 'PUT', `/Calls/${encodeURIComponent(carrierCallId)}`, { call_status: 'completed' }),
  ],
  transfer: (trunk, carrierCallId, { documentUrl }) =>
    request(trunk, 'PUT', `/Calls/${encodeURIComponent(carrierCallId)}`, {
      call_hook: { url: documentUrl, method: 'POST' },
    }),
  account: (trunk) => request(trunk, 'GET', ''),
  readAccount: accountFault,
};

const request = (
  trunk: CarrierTrunk,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body: object | null = null,
) =>
  jsonRequest(
    method,
    `${trunk.uri}/v1/Accounts/${encodeURIComponent(trunk.username ?? '')}${path}`,
    { authorization: `Bearer ${trunk.password ?? ''}` },
    body,
  );
