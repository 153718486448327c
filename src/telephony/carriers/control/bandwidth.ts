import type { CarrierControl, CarrierTrunk } from '../carrier-trunk.ts';
import { nameOf, parseObject } from '../json.ts';
import { accountFault, basic, jsonRequest, placedBy } from './http.ts';

/** Bandwidth's Voice API, version 2 (dev.bandwidth.com/apis/voice-apis/voice): JSON both ways, with a token by OAuth 2. */
export const bandwidthControl: CarrierControl = {
  place: (trunk, { from, to, answerUrl, statusUrl, ringSeconds, attemptId }) =>
    jsonRequest(
      'POST',
      callsUrl(trunk),
      {},
      {
        applicationId: trunk.application ?? '',
        from,
        to,
        answerUrl,
        answerMethod: 'POST',
        disconnectUrl: statusUrl,
        disconnectMethod: 'POST',
        // The credentials with which Bandwidth proves its requests to us.
        username: WEBHOOK_USER,
        password: trunk.signingKey ?? '',
        callTimeout: ringSeconds,
        tag: attemptId,
      },
    ),
  readPlaced: placedBy('callId'),
  end: (trunk, carrierCallId) => [
    jsonRequest('POST', callUrl(trunk, carrierCallId), {}, { state: 'completed' }),
  ],
  isOver: ({ status }) => status === 404 || status === 409,
  transfer: (trunk, carrierCallId, { documentUrl }) =>
    jsonRequest(
      'POST',
      callUrl(trunk, carrierCallId),
      {},
      {
        state: 'active',
        redirectUrl: documentUrl,
        redirectMethod: 'POST',
      },
    ),
  account: (trunk) => jsonRequest('GET', `${callsUrl(trunk)}?pageSize=1`, {}),
  readAccount: accountFault,
  signIn: {
    request: (trunk) => ({
      method: 'POST',
      url: `${trunk.uri}/api/v1/oauth2/token`,
      headers: { ...basic(trunk), 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=client_credentials',
    }),
    read(answer) {
      const body = answer.ok && answer.status === 200 ? parseObject(answer.body) : null;
      const token = body?.['access_token'];
      const seconds = Number(body?.['expires_in'] ?? 0);
      return typeof token === 'string' && token.length < 8_192 ? { token, seconds } : null;
    },
  },
};

const WEBHOOK_USER = 'callwright';
const callsUrl = ({ uri, username }: CarrierTrunk): string =>
  `${uri}/api/v2/accounts/${encodeURIComponent(nameOf(username) ?? '')}/calls`;
const callUrl = (trunk: CarrierTrunk, carrierCallId: string): string =>
  `${callsUrl(trunk)}/${encodeURIComponent(carrierCallId)}`;
