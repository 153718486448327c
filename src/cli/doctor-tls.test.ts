import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AUTHORITY, CERTIFICATES } from '../../test/helpers/sip/tls-certificates.ts';
import { sipCertificates } from './doctor-tls.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'doctor-tls-'));
  for (const [name, { certificate, key }] of Object.entries(CERTIFICATES)) {
    await writeFile(join(folder, `${name}.crt`), certificate);
    await writeFile(join(folder, `${name}.key`), key);
  }
  await writeFile(join(folder, 'ca.pem'), AUTHORITY);
});
afterAll(() => rm(folder, { recursive: true }));

const at = (file: string | null): string | null => (file === null ? null : join(folder, file));
const found = (certificate: string | null, key: string | null, authorities: string | null = null) =>
  sipCertificates(
    {
      sip: {
        port: 5060,
        hosts: ['127.0.0.1'],
        publicAddress: null,
        localNetworks: [],
        tlsPort: null,
        tls: {
          certificate: at(certificate),
          key: at(key),
          authorities: at(authorities),
          clientAuthorities: null,
        },
      },
    },
    Date.UTC(2030, 0, 1),
  );

it.each([
  ['carrier.crt', 'carrier.key', true, 'DNS:carrier.test, valid until 2118-07-26'],
  ['expired.crt', 'expired.key', false, 'DNS:carrier.test, valid until 2020-01-31'],
  ['carrier.crt', 'service.key', false, 'the key is not that of the certificate'],
])('judges %s with %s', async (certificate, key, ok, detail) => {
  expect(await found(certificate, key)).toMatchObject([{ name: 'SIP certificate', ok, detail }]);
});

it('names a missing file, and says nothing without files', async () => {
  expect(await found('nowhere', 'carrier.key')).toMatchObject([
    { ok: false, detail: expect.stringContaining('ENOENT') },
  ]);
  expect(await found(null, null, 'ca.pem')).toMatchObject([{ ok: true, detail: 'authorities only' }]);
  expect(await found(null, null)).toEqual([]);
});
