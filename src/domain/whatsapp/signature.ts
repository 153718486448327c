import { createHmac, timingSafeEqual } from 'node:crypto';

const PREFIX = 'sha256=';
const HEX = /^[0-9a-f]{64}$/;

/** Whether the header signs exactly these bytes: HMAC-SHA256 with the app secret. Call it before parsing. */
export function isSigned(raw: Buffer, header: string | undefined, appSecret: string): boolean {
  if (header === undefined || !header.startsWith(PREFIX)) return false;
  const sent = header.slice(PREFIX.length);
  if (!HEX.test(sent)) return false;
  const expected = createHmac('sha256', appSecret).update(raw).digest();
  return timingSafeEqual(Buffer.from(sent, 'hex'), expected);
}

/** Compares two secrets in constant time. */
export function isSameSecret(sent: string, known: string): boolean {
  const digest = (text: string): Buffer => createHmac('sha256', 'compare').update(text).digest();
  return timingSafeEqual(digest(sent), digest(known));
}
