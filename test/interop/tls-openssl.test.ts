import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { TlsMaterial } from '@callwright/sip';
import { silentLog } from '../../src/shared/log.ts';
import {
  closeLater,
  closePlanes,
  portOf,
  sipRequest,
  startPlane,
  trunkTo,
} from '../helpers/sip/sip-plane.ts';
import { AUTHORITY, CERTIFICATES } from '../helpers/sip/tls-certificates.ts';

let folder = '';
/** `code` of each refused handshake, as the service logs it. */
let refusals: unknown[] = [];
beforeEach(() => {
  refusals = [];
  folder = mkdtempSync(join(tmpdir(), 'tls-openssl-'));
  closeLater(() => rmSync(folder, { recursive: true, force: true }));
});
afterEach(closePlanes);

const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

/** A listener of SIP over TLS for `service.test`; returns its port. */
async function listener(patch: Partial<TlsMaterial> = {}): Promise<number> {
  const material = { own: CERTIFICATES.service, authorities: AUTHORITY, clientAuthorities: null, ...patch };
  const log = {
    ...silentLog,
    debug: (fields: { err?: { code?: unknown } }) => void refusals.push(fields.err?.code),
  };
  const signalling = await startPlane([trunkTo(5060)], {
    tls: { port: 0, material: () => material },
    log: log as never,
  });
  return portOf(signalling, 'tls');
}

/** Sends OPTIONS through `openssl s_client`; resolves with what it says and receives, until it has a response or has ended. */
async function optionsThrough(
  port: number,
  args: readonly string[],
  authority = AUTHORITY,
): Promise<{ output: string; isAnswered: boolean }> {
  const fixed = ['-connect', `127.0.0.1:${port}`, '-CAfile', file('authority.pem', authority), '-nocommands'];
  const child = spawn('openssl', ['s_client', ...fixed, '-showcerts', ...args], { cwd: folder });
  closeLater(() => child.kill('SIGKILL'));
  let output = '';
  // Not always at the beginning of a line: openssl prints the session at the same time.
  const isAnswered = (): boolean => output.includes('SIP/2.0 200 OK');
  child.stdin.on('error', () => {});
  child.stdin.write(sipRequest('OPTIONS', 9, 'openssl', { transport: 'TLS' }));
  await new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString('latin1');
        if (isAnswered()) resolve();
      });
  });
  child.stdin.destroy();
  return { output, isAnswered: isAnswered() };
}

describe('openssl as the client of the TLS listener', () => {
  test.each([
    ['-tls1_2', 'TLSv1.2'],
    ['-tls1_3', 'TLSv1.3'],
  ])('speaks SIP with %s, and trusts the certificate', async (option, version) => {
    const args = [option, '-servername', 'service.test', '-verify_hostname', 'service.test'];
    const { output, isAnswered } = await optionsThrough(await listener(), [...args, '-verify_return_error']);
    expect(isAnswered).toBe(true);
    expect(output).toContain(`New, ${version}`);
    expect(output).toContain('Verification: OK');
    expect(output).toContain('Verified peername: service.test');
  });

  test.each([['-tls1'], ['-tls1_1']])('is refused with %s', async (option) => {
    // At its usual level of security openssl itself would not offer them.
    const { output, isAnswered } = await optionsThrough(await listener(), [
      option,
      '-cipher',
      'ALL:@SECLEVEL=0',
    ]);
    expect(isAnswered).toBe(false);
    expect(output).toContain('alert protocol version');
    expect(refusals).toContain('ERR_SSL_UNSUPPORTED_PROTOCOL');
  });

  test('gets the certificates between the authority and ours, without which it trusts none', async () => {
    const openssl = (...args: string[]) => promisify(execFile)('openssl', args, { cwd: folder });
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '30'];
    const signer = ['-addext', 'basicConstraints=critical,CA:TRUE'];
    await openssl(
      'req',
      '-x509',
      ...key,
      ...signer,
      '-subj',
      '/CN=root',
      '-keyout',
      'r.key',
      '-out',
      'r.pem',
    );
    const byRoot = ['-CA', 'r.pem', '-CAkey', 'r.key'];
    await openssl(
      'req',
      '-x509',
      ...key,
      ...byRoot,
      ...signer,
      '-subj',
      '/CN=middle',
      '-keyout',
      'm.key',
      '-out',
      'm.pem',
    );
    const byMiddle = ['-CA', 'm.pem', '-CAkey', 'm.key', '-addext', 'subjectAltName=DNS:service.test'];
    await openssl(
      'req',
      '-x509',
      ...key,
      ...byMiddle,
      '-subj',
      '/CN=leaf',
      '-keyout',
      'l.key',
      '-out',
      'l.pem',
    );
    const [root, middle, leaf, leafKey] = ['r.pem', 'm.pem', 'l.pem', 'l.key'].map((name) =>
      readFileSync(join(folder, name), 'utf8'),
    );
    const verdict = async (certificate: string): Promise<string | undefined> => {
      const port = await listener({ own: { certificate, key: leafKey ?? '' } });
      const { output, isAnswered } = await optionsThrough(port, [], root);
      expect(isAnswered).toBe(true);
      return /^Verif\w+(?: error)?: (.+)$/m.exec(output)?.[1];
    };
    expect(await verdict(`${leaf}${middle}`)).toBe('OK');
    expect(await verdict(leaf ?? '')).toBe('unable to verify the first certificate');
  });
});

describe('a listener that takes only clients with a certificate', () => {
  const own = ({ certificate, key }: { certificate: string; key: string }): string[] => [
    '-cert',
    file('own.pem', certificate),
    '-key',
    file('own.key', key),
  ];
  const strict = (): Promise<number> => listener({ clientAuthorities: AUTHORITY });

  test.each([['-tls1_2'], ['-tls1_3']])('serves openssl with one of its authority (%s)', async (option) => {
    const { output, isAnswered } = await optionsThrough(await strict(), [
      option,
      ...own(CERTIFICATES.carrier),
    ]);
    expect(isAnswered).toBe(true);
    expect(output).toContain('Callwright test authority');
    expect(refusals).toEqual([]);
  });

  test.each([
    ['no certificate', null, 'UNABLE_TO_GET_ISSUER_CERT'],
    ['one of another authority', CERTIFICATES.stranger, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
    ['one that has expired', CERTIFICATES.expired, 'CERT_HAS_EXPIRED'],
  ])('refuses openssl with %s, and logs the reason', async (_name, certificate, reason) => {
    for (const option of ['-tls1_2', '-tls1_3']) {
      refusals = [];
      const { isAnswered } = await optionsThrough(await strict(), [
        option,
        ...(certificate === null ? [] : own(certificate)),
      ]);
      expect(isAnswered).toBe(false);
      expect(refusals).toEqual([reason]);
    }
  });
});
