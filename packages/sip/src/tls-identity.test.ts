import type { PeerCertificate } from 'node:tls';
import { expect, it } from 'vitest';
import { identityError } from './tls-identity.ts';

const certificate = (subjectaltname: string | undefined, cn = 'nobody.example'): PeerCertificate =>
  ({ subject: { CN: cn }, subjectaltname }) as unknown as PeerCertificate;

it.each([
  ['URI:sip:carrier.example', 'carrier.example'],
  ['DNS:edge.example, URI:sip:carrier.example', 'Carrier.example'],
  ['DNS:carrier.example', 'carrier.example'],
  ['DNS:*.pstn.carrier.example', 'ours.pstn.carrier.example'],
  ['IP Address:192.0.2.4', '192.0.2.4'],
])('a certificate for %s speaks for %s', (names, domain) => {
  expect(identityError(domain, certificate(names))).toBeUndefined();
});

it.each([
  ['URI:sip:carrier.example', 'other.example'],
  ['URI:sip:someone@carrier.example', 'carrier.example'],
  ['URI:https://carrier.example', 'carrier.example'],
  ['URI:"sip:x, URI:sip:carrier.example"', 'carrier.example'],
  ['DNS:*.carrier.example', 'a.b.carrier.example'],
  ['DNS:carrier.example', '192.0.2.4'],
])('a certificate for %s does not speak for %s', (names, domain) => {
  expect(identityError(domain, certificate(names))?.message).toMatch(/altnames|IP/);
});

it('the common name counts only without other names', () => {
  expect(identityError('carrier.example', certificate(undefined, 'carrier.example'))).toBeUndefined();
  expect(identityError('carrier.example', certificate('DNS:x.example', 'carrier.example'))).toBeDefined();
});
