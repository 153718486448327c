import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CERTIFICATES, AUTHORITY } from '../../test/helpers/sip/tls-certificates.ts';
import { systemClock } from '../shared/clock.ts';
import { silentLog } from '../shared/log.ts';
import { TlsFiles } from './tls-files.ts';

let folder = '';
const logged: string[] = [];
const note = (_fields: object, message: string): void => void logged.push(message);
const log = { ...silentLog, info: note, warn: note, error: note } as never;
const at = (name: string): string => join(folder, name);
const paths = { certificate: '', key: '', authorities: null as string | null, clientAuthorities: null };

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tls-files-'));
  Object.assign(paths, { certificate: at('cert.pem'), key: at('key.pem'), authorities: null });
  logged.length = 0;
});
afterEach(() => rm(folder, { recursive: true }));

const write = async ({ certificate, key }: { certificate: string; key: string }): Promise<void> => {
  await writeFile(at('cert.pem'), certificate);
  await writeFile(at('key.pem'), key);
};
const open = (reloadMs = 10): Promise<TlsFiles> =>
  TlsFiles.open(paths, { log, clock: systemClock, reloadMs });
const logs = async (part: string): Promise<void> => {
  while (!logged.some((message) => message.includes(part))) await new Promise((done) => setTimeout(done, 5));
};

it('follows changed files, and keeps the certificate in use while they are faulty', async () => {
  await write(CERTIFICATES.carrier);
  const files = await open();
  const first = files.current;
  expect(first.own).toEqual(CERTIFICATES.carrier);
  files.start();
  await writeFile(at('key.pem'), CERTIFICATES.renewed.key);
  await logs('could not be read');
  expect(files.current).toBe(first);
  await writeFile(at('cert.pem'), CERTIFICATES.renewed.certificate);
  await logs('the SIP certificates changed');
  expect(files.current.own).toEqual(CERTIFICATES.renewed);
  await files.stop();
});

it('rejects a missing file, a key of another certificate, and authorities that are none', async () => {
  await expect(open()).rejects.toThrow('ENOENT');
  await write({ ...CERTIFICATES.carrier, key: CERTIFICATES.renewed.key });
  await expect(open()).rejects.toThrow('the key is not that of the certificate');
  await write(CERTIFICATES.carrier);
  paths.authorities = at('key.pem');
  await expect(open()).rejects.toThrow('PEM routines');
  await writeFile(at('ca.pem'), AUTHORITY);
  paths.authorities = at('ca.pem');
  expect((await open()).current.authorities).toBe(AUTHORITY);
});

it('warns of a certificate that ends within two weeks', async () => {
  await write(CERTIFICATES.carrier);
  await open();
  expect(logged).toEqual([]);
  await write(CERTIFICATES.expired);
  await open();
  expect(logged).toEqual(['the SIP certificate ends soon: renew its files']);
});
