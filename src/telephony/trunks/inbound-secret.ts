import { createHash, timingSafeEqual } from 'node:crypto';
import { header, type SipRequest } from '@callwright/sip';

/** What tells the carrier's calls for us from those of its other customers, which come from the same addresses. */
export interface InboundSecret {
  readonly header: string;
  /** SHA-256 of the value, hexadecimal. */
  readonly hash: string;
}

/** Whether a request has the secret; without a secret every request does. */
export function hasSecret(secret: InboundSecret | null | undefined, request: SipRequest): boolean {
  if (secret == null) return true;
  const value = header(request, secret.header.toLowerCase());
  if (value === null) return false;
  const hash = createHash('sha256').update(value.trim()).digest();
  const wanted = Buffer.from(secret.hash, 'hex');
  return hash.length === wanted.length && timingSafeEqual(hash, wanted);
}
