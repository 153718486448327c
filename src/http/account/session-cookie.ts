import type { FastifyReply, FastifyRequest } from 'fastify';
import { SESSION_MS } from '../../domain/users/sessions.ts';

/** `__Host-` makes browsers refuse the cookie from subdomains and without TLS. */
const SECURE_NAME = '__Host-cw_session';
const PLAIN_NAME = 'cw_session';

/** Whether the browser reached the service over TLS, directly or through a proxy in front of PUBLIC_URL. */
function isSecure(request: FastifyRequest, publicUrl: string): boolean {
  if (request.protocol === 'https') return true;
  const url = URL.canParse(publicUrl) ? new URL(publicUrl) : null;
  return url?.protocol === 'https:' && url.host === request.host;
}

/** The session token that the browser sent; null: none. */
export function sessionToken(request: FastifyRequest, publicUrl: string): string | null {
  const header = request.headers.cookie;
  if (header === undefined) return null;
  const name = isSecure(request, publicUrl) ? SECURE_NAME : PLAIN_NAME;
  for (const pair of header.split(';')) {
    const [key = '', value = ''] = pair.split('=', 2);
    if (key.trim() === name) return value.trim() === '' ? null : value.trim();
  }
  return null;
}

/** Sets the session cookie; null deletes it. */
export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  publicUrl: string,
  token: string | null,
): void {
  const isTls = isSecure(request, publicUrl);
  const seconds = token === null ? 0 : Math.floor(SESSION_MS / 1000);
  void reply.header(
    'set-cookie',
    `${isTls ? SECURE_NAME : PLAIN_NAME}=${token ?? ''}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${isTls ? '; Secure' : ''}`,
  );
}
