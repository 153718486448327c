import { X509Certificate } from 'node:crypto';
import type { Config } from '../config.ts';
import { readMaterial } from '../telephony/tls-files.ts';
import { failed, type Finding, messageOf, passed } from './finding.ts';

/** Reads the certificates of SIP as a start does. Empty: no file is set. */
export async function sipCertificates(
  { sip: { tls } }: Pick<Config, 'sip'>,
  now: number,
): Promise<Finding[]> {
  if (Object.values(tls).every((path) => path === null)) return [];
  const name = 'SIP certificate';
  try {
    const { own } = await readMaterial(tls);
    if (own === null) return [passed(name, 'authorities only')];
    const { subjectAltName = 'no names', validTo } = new X509Certificate(own.certificate);
    const until = new Date(validTo);
    const detail = `${subjectAltName}, valid until ${until.toISOString().slice(0, 10)}`;
    return [until.getTime() > now ? passed(name, detail) : failed(name, detail, 'renew SIP_TLS_CERT_FILE')];
  } catch (error) {
    return [failed(name, messageOf(error), 'check the SIP_TLS_… files: PEM, readable, and a key that fits')];
  }
}
