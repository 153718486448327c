import { createPrivateKey, randomUUID, sign as signText } from 'node:crypto';
import { CARRIER_DOCUMENTS } from '../../../shared/carrier-documents.ts';
import type { CarrierControl, CarrierTrunk } from '../carrier-trunk.ts';
import { applicationFault, digitsOf, jsonRequest, placedBy } from './http.ts';

const TOKEN_SECONDS = 900;

/** Vonage's Voice API, version 1 (developer.vonage.com/api/voice): JSON both ways, each request with a token of the application. */
export const vonageControl: CarrierControl = {
  place: (trunk, { from, to, streamUrl, statusUrl, ringSeconds }) =>
    jsonRequest(
      'POST',
      callsUrl(trunk),
      {},
      {
        to: [{ type: 'phone', number: digitsOf(to) }],
        from: { type: 'phone', number: digitsOf(from) },
        ncco: JSON.parse(CARRIER_DOCUMENTS.vonage.stream(streamUrl, null)) as unknown,
        event_url: [statusUrl],
        event_method: 'POST',
        ringing_timer: Math.min(120, ringSeconds),
      },
    ),
  readPlaced: placedBy('uuid'),
  end: (trunk, carrierCallId) => [
    jsonRequest('PUT', callUrl(trunk, carrierCallId), {}, { action: 'hangup' }),
  ],
  // Vonage refuses to end a call that is over with 400.
  isOver: ({ status }) => status === 404 || status === 400,
  transfer: (trunk, carrierCallId, order) =>
    jsonRequest(
      'PUT',
      callUrl(trunk, carrierCallId),
      {},
      {
        action: 'transfer',
        destination: { type: 'ncco', ncco: JSON.parse(CARRIER_DOCUMENTS.vonage.dial(order)) as unknown },
      },
    ),
  account: (trunk) => jsonRequest('GET', `${callsUrl(trunk)}?page_size=1`, {}),
  readAccount: applicationFault,
  sign: (trunk, request, at) => ({
    ...request,
    headers: { ...request.headers, authorization: `Bearer ${applicationToken(trunk, at)}` },
  }),
};

const callsUrl = ({ uri }: CarrierTrunk): string => `${uri}/v1/calls`;
const callUrl = (trunk: CarrierTrunk, carrierCallId: string): string =>
  `${callsUrl(trunk)}/${encodeURIComponent(carrierCallId)}`;

/** A JWT of the application (RS256), or an empty text if the private key cannot be read. */
function applicationToken({ application, password }: CarrierTrunk, at: number): string {
  const iat = Math.floor(at / 1_000);
  const claims = { application_id: application, iat, exp: iat + TOKEN_SECONDS, jti: randomUUID() };
  const text = [{ alg: 'RS256', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  try {
    const key = createPrivateKey(password ?? '');
    return `${text}.${signText('sha256', Buffer.from(text), key).toString('base64url')}`;
  } catch {
    return '';
  }
}
