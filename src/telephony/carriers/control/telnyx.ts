import { failureClass } from '@callwright/sip';
import type { CarrierAnswer, CarrierControl, CarrierTrunk, Placed } from '../carrier-trunk.ts';
import { nameOf, objectOf, parseObject } from '../json.ts';
import { applicationFault, jsonRequest, placedBy } from './http.ts';

/** Audio both ways in µ-law, where the network of the call allows it. */
const stream = (streamUrl: string): object => ({
  stream_url: streamUrl,
  stream_track: 'inbound_track',
  stream_codec: 'PCMU',
  stream_bidirectional_mode: 'rtp',
  stream_bidirectional_codec: 'PCMU',
});

/** A call that Telnyx has ended already. */
const ALREADY_OVER = '90018';

/** Telnyx Call Control, version 2 (developers.telnyx.com/api-reference): JSON both ways; `command_id` makes commands idempotent. */
export const telnyxControl: CarrierControl = {
  placesOnce: true,
  place: (trunk, { from, to, streamUrl, statusUrl, ringSeconds, attemptId }) =>
    post(trunk, '/v2/calls', {
      connection_id: trunk.application ?? '',
      from,
      to,
      timeout_secs: Math.min(600, Math.max(5, ringSeconds)),
      webhook_url: statusUrl,
      webhook_url_method: 'POST',
      command_id: attemptId,
      ...stream(streamUrl),
    }),
  readPlaced,
  end: (trunk, carrierCallId) => [
    post(trunk, actionPath(carrierCallId, 'hangup'), { command_id: `end-${carrierCallId}`.slice(0, 200) }),
  ],
  isOver: ({ status, body }) => status === 404 || errorCode(parseObject(body)) === ALREADY_OVER,
  transfer: (trunk, carrierCallId, { target, callerId, ringSeconds }) =>
    post(trunk, actionPath(carrierCallId, 'transfer'), {
      to: target,
      from: callerId,
      timeout_secs: Math.max(5, ringSeconds),
    }),
  answer: (trunk, carrierCallId, streamUrl) =>
    post(trunk, actionPath(carrierCallId, 'answer'), {
      command_id: `answer-${carrierCallId}`.slice(0, 200),
      ...stream(streamUrl),
    }),
  account: (trunk) =>
    jsonRequest(
      'GET',
      `${trunk.uri}/v2/call_control_applications/${encodeURIComponent(trunk.application ?? '')}`,
      bearer(trunk),
    ),
  readAccount: applicationFault,
};

const bearer = ({ password }: CarrierTrunk) => ({ authorization: `Bearer ${password ?? ''}` });
const post = (trunk: CarrierTrunk, path: string, body: object) =>
  jsonRequest('POST', `${trunk.uri}${path}`, bearer(trunk), body);
const actionPath = (carrierCallId: string, action: string): string =>
  `/v2/calls/${encodeURIComponent(carrierCallId)}/actions/${action}`;

function errorCode(body: unknown): string | null {
  const errors = objectOf(body)?.['errors'];
  const [first] = Array.isArray(errors) ? (errors as unknown[]) : [];
  return nameOf(objectOf(first)?.['code']);
}

/** Codes of numbers that cannot be called. */
const BAD_NUMBER: ReadonlySet<string | null> = new Set(['10016', '10019', '90015']);

const placed = placedBy('data.call_control_id');
function readPlaced(answer: CarrierAnswer): Placed {
  const read = placed(answer);
  if (read.type !== 'refused' || !answer.ok) return read;
  const code = errorCode(parseObject(answer.body));
  const reason = code === null ? read.reason : `${read.reason} (error ${code})`;
  return { ...read, reason, failure: BAD_NUMBER.has(code) ? 'invalid_number' : failureClass(500) };
}
