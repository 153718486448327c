import type { CarrierControl, CarrierTrunk } from '../carrier-trunk.ts';
import { accountFault, basic, jsonRequest, placedBy } from './http.ts';

/**
 * Asterisk by its REST interface (docs.asterisk.org, ARI channels). The dialplan of docs/carriers.md dials the number,
 * connects the WebSocket or AudioSocket, and reports; the id of the channel is ours, so that a repeated request makes no second call.
 */
export const asteriskControl: CarrierControl = {
  placesOnce: true,
  place: (trunk, { from, to, token, audioSocket = null, statusUrl, ringSeconds, attemptId }) =>
    jsonRequest('POST', `${trunk.uri}/ari/channels`, basic(trunk), {
      endpoint: `Local/${to}@${trunk.application ?? 'callwright-out'}`,
      extension: 's',
      context: 'callwright-stream',
      priority: 1,
      callerId: from,
      timeout: ringSeconds,
      channelId: attemptId,
      variables: {
        __CALLWRIGHT_TOKEN: token,
        ...(audioSocket === null ? {} : { __CALLWRIGHT_AUDIOSOCKET: audioSocket }),
        __CALLWRIGHT_STATUS: statusUrl,
        __CALLWRIGHT_ID: attemptId,
        __CALLWRIGHT_RING: String(ringSeconds),
      },
    }),
  readPlaced: placedBy('id'),
  end: (trunk, carrierCallId) => [jsonRequest('DELETE', channelUrl(trunk, carrierCallId), basic(trunk))],
  transfer: (trunk, carrierCallId, { target }) =>
    jsonRequest('POST', `${channelUrl(trunk, carrierCallId)}/redirect`, basic(trunk), {
      endpoint: `Local/${target}@${trunk.application ?? 'callwright-out'}`,
    }),
  account: (trunk) => jsonRequest('GET', `${trunk.uri}/ari/asterisk/info?only=status`, basic(trunk)),
  readAccount: accountFault,
};

const channelUrl = (trunk: CarrierTrunk, carrierCallId: string): string =>
  `${trunk.uri}/ari/channels/${encodeURIComponent(carrierCallId)}`;
