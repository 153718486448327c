import type { FastifyRequest } from 'fastify';

/** The prefix of an agent's webcall_public_key. */
const PUBLIC_KEY = /^cw_pub_/;
const SECRET_KEY = /^cw_live_/;
const SEND = 'Send the workspace key in the header X-API-KEY';
const SEND_PUBLIC = "Send the agent's webcall_public_key in the header X-API-KEY";

export const CALL_TOKEN_HINT =
  'Send the token that began the browser call in the header X-Webcall-Token, within a day of the call';

/** What a request lacks at an endpoint of the workspace key. It says nothing about which keys exist. */
export function workspaceKeyHint({ headers }: FastifyRequest): string {
  const key = headers['x-api-key'];
  if (typeof key === 'string' && PUBLIC_KEY.test(key)) {
    return `${SEND}; this is the public key of a web page, which only begins browser calls and chats`;
  }
  if (key !== undefined && key !== '') return `${SEND}; this key is wrong, or was replaced in the dashboard`;
  if (headers.authorization !== undefined) return `${SEND}; the header Authorization is not read`;
  return SEND;
}

/** The same at the endpoints of public keys. */
export function publicKeyHint({ headers }: FastifyRequest): string {
  const key = headers['x-api-key'];
  if (typeof key === 'string' && SECRET_KEY.test(key)) {
    return `${SEND_PUBLIC}; this is a secret workspace key, which must never be in a web page`;
  }
  if (key !== undefined && key !== '') return `${SEND_PUBLIC}; this key is wrong, or was replaced`;
  if (headers.authorization !== undefined) return `${SEND_PUBLIC}; the header Authorization is not read`;
  return SEND_PUBLIC;
}
