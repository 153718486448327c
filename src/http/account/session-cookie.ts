import type { FastifyReply, FastifyRequest } from 'fastify';
import { DEVICE_MS } from '../../domain/users/known-devices.ts';
import { SESSION_MS } from '../../domain/users/sessions.ts';

/** `__Host-` makes browsers refuse the cookie from subdomains and without TLS. */
const SECURE = '__Host-';
const SESSION = 'cw_session';
const DEVICE = 'cw_device';

/** Whether the browser reached the service over TLS, directly or through a proxy in front of PUBLIC_URL. */
function isSecure(request: FastifyRequest, publicUrl: string): boolean {
  if (request.protocol === 'https') return true;
  const url = URL.canParse(publicUrl) ? new URL(publicUrl) : null;
  return url?.protocol === 'https:' && url.host === request.host;
}

/** The session token that the browser sent; null: none. */
export const sessionToken = (request: FastifyRequest, publicUrl: string): string | null =>
  cookieOf(request, publicUrl, SESSION);

/** What the browser sent as a device from which somebody signed in; null: nothing. */
export const deviceCookie = (request: FastifyRequest, publicUrl: string): string | null =>
  cookieOf(request, publicUrl, DEVICE);

/** Sets the session cookie; null deletes it. */
export const setSessionCookie = (
  request: FastifyRequest,
  reply: FastifyReply,
  publicUrl: string,
  token: string | null,
): void =>
  setCookie(request, reply, publicUrl, {
    name: SESSION,
    value: token ?? '',
    ms: token === null ? 0 : SESSION_MS,
  });

/** Has the browser prove at its next sign-in that somebody signed in with it before. */
export const setDeviceCookie = (
  request: FastifyRequest,
  reply: FastifyReply,
  publicUrl: string,
  value: string,
): void => setCookie(request, reply, publicUrl, { name: DEVICE, value, ms: DEVICE_MS });

function cookieOf(request: FastifyRequest, publicUrl: string, plain: string): string | null {
  const header = request.headers.cookie;
  if (header === undefined) return null;
  const name = isSecure(request, publicUrl) ? SECURE + plain : plain;
  for (const pair of header.split(';')) {
    const [key = '', value = ''] = pair.split('=', 2);
    if (key.trim() === name) return value.trim() === '' ? null : value.trim();
  }
  return null;
}

function setCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  publicUrl: string,
  { name, value, ms }: { readonly name: string; readonly value: string; readonly ms: number },
): void {
  const isTls = isSecure(request, publicUrl);
  const seconds = Math.floor(ms / 1000);
  void reply.header(
    'set-cookie',
    `${isTls ? SECURE : ''}${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${isTls ? '; Secure' : ''}`,
  );
}
