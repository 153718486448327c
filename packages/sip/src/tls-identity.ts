import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import { splitOutside } from './grammar.ts';
import { parseUri } from './uri.ts';

const URI = 'URI:';

/**
 * Why a certificate does not speak for a SIP domain (RFC 5922 section 7); undefined: it does. The domain is a
 * `URI:sip:domain` without user or a DNS name of it; unlike the RFC we take a wildcard, which carriers use. An IP address
 * must be named as such.
 */
export function identityError(domain: string, certificate: PeerCertificate): Error | undefined {
  // Node quotes a name that has a comma.
  for (const name of splitOutside(certificate.subjectaltname ?? '', ',') ?? []) {
    const uri = name.trim().startsWith(URI) ? parseUri(name.trim().slice(URI.length)) : null;
    if (uri !== null && uri.scheme !== 'tel' && uri.user === null && uri.host === domain.toLowerCase())
      return undefined;
  }
  return checkServerIdentity(domain, certificate);
}
