import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LookupAddress } from 'node:dns';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SafeFetcher, type SafeResponse } from '../../src/jobs/safe-fetch.ts';

let server: Server;
let port: number;
let hits = 0;
let redirectTo = '';

beforeAll(async () => {
  server = createServer((request, response) => {
    hits += 1;
    if (request.url === '/redirect') response.writeHead(302, { location: redirectTo });
    response.end('{"reached":true}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

async function get(
  url: string,
  options: ConstructorParameters<typeof SafeFetcher>[0],
): Promise<SafeResponse> {
  const fetcher = new SafeFetcher(options);
  try {
    return await fetcher.fetch({
      url,
      method: 'GET',
      headers: {},
      body: null,
      timeoutMs: 3000,
      maxBytes: 1000,
    });
  } finally {
    await fetcher.close();
  }
}

/** A name server that gives these answers in turn. */
function names(...answers: string[][]): NonNullable<ConstructorParameters<typeof SafeFetcher>[0]['lookup']> {
  let asked = 0;
  return (_host, _options, done) => {
    const addresses = answers[Math.min(asked, answers.length - 1)] ?? [];
    asked += 1;
    done(
      null,
      addresses.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
}

describe('safe fetch', () => {
  it.each([
    'http://127.0.0.1:PORT/',
    'http://127.1:PORT/',
    'http://2130706433:PORT/',
    'http://0x7f000001:PORT/',
    'http://0x7f.0.0.1:PORT/',
    'http://0177.0.0.1:PORT/',
    'http://127.0.0.1.:PORT/',
    'http://127.000.000.001:PORT/',
    'http://0:PORT/',
    'http://0.0.0.0:PORT/',
    'http://[::1]:PORT/',
    'http://[::]:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://[::ffff:7f00:1]:PORT/',
    'http://[0:0:0:0:0:ffff:127.0.0.1]:PORT/',
    'http://[::127.0.0.1]:PORT/',
    'http://[64:ff9b::7f00:1]:PORT/',
    'http://localhost:PORT/',
    'http://LOCALHOST:PORT/',
    'http://localhost.:PORT/',
    'http://①②⑦.⓪.⓪.①:PORT/',
    'http://127。0。0。1:PORT/',
    'http://user:pass@127.0.0.1:PORT/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[fd00:ec2::254]/',
    'http://100.100.100.200/',
    'http://10.0.0.1:5432/',
    'http://192.168.0.1/',
    'http://[fe80::1]/',
    'https://127.0.0.1:PORT/',
    'file:///etc/passwd',
    'gopher://127.0.0.1:PORT/_x',
    'ftp://127.0.0.1:PORT/',
    'data:text/plain,hello',
    'javascript:alert(1)',
    '//127.0.0.1:PORT/',
    '',
  ])('reaches nothing behind %s', async (template) => {
    const before = hits;
    const answer = await get(template.replace('PORT', String(port)), { allow: [] });
    expect(answer).toMatchObject({ ok: false });
    expect(answer.ok ? '' : answer.failure).toMatch(/^(?:blocked|invalid_url|dns)$/);
    expect(hits).toBe(before);
  });

  it('checks what a name resolves to, every time it connects', async () => {
    const before = hits;
    const fetcher = new SafeFetcher({ allow: [], lookup: names(['127.0.0.1']) });
    const request = { method: 'GET', headers: {}, body: null, timeoutMs: 3000, maxBytes: 1000 } as const;
    for (let n = 0; n < 2; n += 1) {
      expect(await fetcher.fetch({ ...request, url: `http://rebinding.example:${port}/` })).toMatchObject({
        failure: 'blocked',
      });
    }
    await fetcher.close();
    expect(
      await get(`http://mixed.example:${port}/`, { allow: [], lookup: names(['8.8.8.8', '127.0.0.1']) }),
    ).toMatchObject({
      failure: 'blocked',
    });
    expect(await get(`http://none.example:${port}/`, { allow: [], lookup: names([]) })).toMatchObject({
      failure: 'blocked',
    });
    expect(hits).toBe(before);
  });

  it('connects to the very address that was checked', async () => {
    // The second answer would be an allowed one too, but nobody asks a second time.
    const lookup = names(['127.0.0.1'], ['127.0.0.2']);
    expect(await get(`http://once.example:${port}/`, { allow: ['127.0.0.1'], lookup })).toMatchObject({
      ok: true,
    });
  });

  it('reaches an inner address that SAFE_FETCH_ALLOW names by address, range or host', async () => {
    const url = `http://127.0.0.1:${port}/`;
    for (const allow of [['127.0.0.1'], ['127.0.0.0/8'], ['other', '127.0.0.1/32']]) {
      expect(await get(url, { allow })).toMatchObject({ ok: true, status: 200 });
    }
    const named = { allow: ['hooks.internal'], lookup: names(['127.0.0.1']) };
    expect(await get(`http://hooks.internal:${port}/`, named)).toMatchObject({ ok: true });
  });

  it('follows no redirect', async () => {
    redirectTo = `http://127.0.0.1:${port}/secret`;
    const before = hits;
    expect(await get(`http://127.0.0.1:${port}/redirect`, { allow: ['127.0.0.1'] })).toMatchObject({
      ok: true,
      status: 302,
    });
    expect(hits).toBe(before + 1);
  });
});
