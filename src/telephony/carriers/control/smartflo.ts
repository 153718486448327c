import type { CarrierControl, CarrierTrunk } from '../carrier-trunk.ts';
import { accountFault, digitsOf, jsonRequest, placedBy } from './http.ts';

/**
 * The click-to-call API of Tata Smartflo (docs.smartflo.tatatelebusiness.com), which Acefone has, too. The voice bot of the
 * key is what the callee is connected with; it asks us for the address of its stream with the identifier of the request.
 */
export const smartfloControl: CarrierControl = {
  place: (trunk, { from, to, attemptId, token, ringSeconds }) =>
    request(trunk, '/v1/click_to_call_support', {
      async: 1,
      api_key: trunk.application ?? '',
      customer_number: digitsOf(to),
      caller_id: digitsOf(from),
      customer_ring_timeout: ringSeconds,
      custom_identifier: `${attemptId}.${token}`,
    }),
  readPlaced: placedBy('call_id', 'ref_id', 'data.call_id', 'uuid'),
  end: (trunk, carrierCallId) => [request(trunk, '/v1/call/hangup', { call_id: carrierCallId })],
  transfer: (trunk, carrierCallId, { target }) =>
    request(trunk, '/v1/call/options', { type: 4, call_id: carrierCallId, intercom: digitsOf(target) }),
  account: (trunk) => jsonRequest('GET', `${trunk.uri}/v1/my_number`, bearer(trunk)),
  readAccount: accountFault,
};

const bearer = ({ password }: CarrierTrunk) => ({ authorization: `Bearer ${password ?? ''}` });
const request = (trunk: CarrierTrunk, path: string, body: object) =>
  jsonRequest('POST', `${trunk.uri}${path}`, bearer(trunk), body);
