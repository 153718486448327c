import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readWebFiles } from '../../../src/http/pages/web-files.ts';
import { createTestApi, type TestApi } from '../../helpers/api/api.ts';

const SHELL = '<!doctype html><title>Callwright</title>';
const REFERENCE = '<!doctype html><title>API reference</title>';
const SCRIPT = 'export const x = 1;';
let folder: string;
let api: TestApi;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callwright-web-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), SHELL);
  await writeFile(join(folder, 'reference.html'), REFERENCE);
  await writeFile(join(folder, 'assets/index-abc.js'), SCRIPT);
  await writeFile(join(folder, 'assets/index-abc.js.br'), brotliCompressSync(SCRIPT));
  await writeFile(join(folder, 'assets/geist-abc.woff2'), 'wOF2');
  await writeFile(join(folder, 'licences.txt'), 'OFL');
  await writeFile(join(folder, 'manifest.json'), '{}');
  api = await createTestApi({ web: await readWebFiles(folder) });
});
afterAll(async () => {
  await api?.close();
  await rm(folder, { recursive: true, force: true });
});

const page = { accept: 'text/html,application/xhtml+xml' };

describe('the files of the dashboard', () => {
  it('are the shell at every address of a page, with a policy that allows nothing inline', async () => {
    for (const path of ['/', '/calls', '/calls/x?t=3', '/settings/api-key']) {
      const answer = await api.request('GET', path, { headers: page });
      expect([answer.status, answer.text]).toEqual([200, SHELL]);
      const policy = String(answer.headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
      expect(policy).not.toContain('unsafe');
      expect(answer.headers['cache-control']).toBe('no-cache');
    }
  });

  it('have names with digests, so browsers keep them forever', async () => {
    const plain = await api.request('GET', '/assets/index-abc.js');
    expect([plain.text, plain.headers['content-type']]).toEqual([SCRIPT, 'text/javascript; charset=utf-8']);
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const brotli = await api.request('GET', '/assets/index-abc.js', {
      headers: { 'accept-encoding': 'gzip, br' },
    });
    expect([brotli.headers['content-encoding'], brotli.headers['vary']]).toEqual(['br', 'accept-encoding']);
    const known = { 'if-none-match': String(plain.headers['etag']) };
    expect((await api.request('GET', '/assets/index-abc.js', { headers: known })).status).toBe(304);
  });

  it('are faces and their licences, too, which the policy allows from here only', async () => {
    const face = await api.request('GET', '/assets/geist-abc.woff2');
    expect([face.status, face.headers['content-type']]).toEqual([200, 'font/woff2']);
    const licences = await api.request('GET', '/licences.txt');
    expect([licences.text, licences.headers['content-type']]).toEqual(['OFL', 'text/plain; charset=utf-8']);
    const { headers } = await api.request('GET', '/', { headers: page });
    expect(String(headers['content-security-policy'])).toContain("font-src 'self'");
  });

  it('have the page of the API reference at /docs only, where it may connect to this service only', async () => {
    for (const path of ['/docs', '/docs/']) {
      const answer = await api.request('GET', path, { headers: page });
      expect([path, answer.status, answer.text]).toEqual([path, 200, REFERENCE]);
      const policy = String(answer.headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'; script-src 'self'; ");
      expect(policy).toContain("connect-src 'self'");
      const known = { ...page, 'if-none-match': String(answer.headers['etag']) };
      expect((await api.request('GET', path, { headers: known })).status).toBe(304);
    }
    expect((await api.request('GET', '/reference.html')).status).toBe(404);
    expect((await api.request('GET', '/docs/static/swagger-ui-bundle.js')).status).toBe(200);
    expect((await api.request('GET', '/docs/json')).body['openapi']).toBe('3.1.0');
  });

  it('answer 404 as JSON for missing files, endpoints and programs', async () => {
    const paths = [
      '/assets/missing.js',
      '/manifest.json',
      '/../package.json',
      '/%2e%2e/package.json',
      '/assets/..%2findex.html',
      '/unknown',
    ];
    for (const path of paths) {
      const answer = await api.request('GET', path);
      expect([path, answer.status, answer.body['code']]).toEqual([path, 404, 'ROUTE_NOT_FOUND']);
    }
    for (const path of ['/api/v0/unknown', '/dashboard-api/unknown']) {
      const answer = await api.request('GET', path, { headers: page });
      expect([path, answer.body['code']]).toEqual([path, 'ROUTE_NOT_FOUND']);
    }
    expect((await api.request('POST', '/calls', { headers: page, body: {} })).status).toBe(404);
  });

  it('are absent from a service whose dashboard is not built', async () => {
    expect(await readWebFiles(join(folder, 'nothing'))).toBeNull();
    const plain = await createTestApi();
    try {
      expect((await plain.request('GET', '/', { headers: page })).text).toContain('not built');
      expect((await plain.request('GET', '/calls', { headers: page })).status).toBe(404);
    } finally {
      await plain.close();
    }
  });
});
