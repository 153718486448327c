import { createSocket } from 'node:dgram';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LookupAddress } from 'node:dns';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hostLookup } from '../../../src/net/resolve-host.ts';
import { SafeFetcher, type SafeResponse } from '../../../src/net/safe-fetch.ts';
import { newId } from '../../../src/shared/ids.ts';
import { INSIDE, INSIDE_NAMES, namesTo, toPort, UNSAVABLE } from '../../helpers/api/hostile-addresses.ts';
import { startInnerServer, type InnerServer } from '../../helpers/api/inner-server.ts';
import { startNameServer } from '../../helpers/service/name-server.ts';
import { freeTcpPort } from '../../helpers/service/service.ts';

let server: InnerServer;
let port: number;
let hits = 0;
let redirectTo = '';

beforeAll(async () => {
  server = await startInnerServer((request, response) => {
    hits += 1;
    if (request.url === '/redirect') response.writeHead(302, { location: redirectTo });
    response.end('{"reached":true}');
  });
  port = server.port;
});
afterAll(() => server.close());

async function get(
  url: string,
  options: Omit<ConstructorParameters<typeof SafeFetcher>[0], 'purpose'>,
): Promise<SafeResponse> {
  const fetcher = new SafeFetcher({ ...options, purpose: 'webhooks' });
  try {
    return await fetcher.fetch({
      url,
      method: 'GET',
      headers: {},
      body: null,
      timeoutMs: 30_000,
      maxBytes: 1000,
    });
  } finally {
    await fetcher.close();
  }
}

/** A name server that returns these answers in turn. */
function names(...answers: string[][]): NonNullable<ConstructorParameters<typeof SafeFetcher>[0]['lookup']> {
  let queries = 0;
  return (_host, _options, done) => {
    const addresses = answers[Math.min(queries, answers.length - 1)] ?? [];
    queries += 1;
    done(
      null,
      addresses.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
}

describe('safe fetch', () => {
  it.each([...INSIDE, ...UNSAVABLE])('refuses %s', async (template) => {
    const before = server.touched();
    const [url = ''] = toPort([template], port);
    const answer = await get(url, { allow: [] });
    expect(answer).toMatchObject({ ok: false });
    expect(answer.ok ? '' : answer.failure).toMatch(/^(?:blocked|invalid_url|dns)$/);
    expect(server.touched()).toBe(before);
  });

  it('checks the resolved addresses on every connection', async () => {
    const before = hits;
    const fetcher = new SafeFetcher({ allow: [], purpose: 'webhooks', lookup: names(['127.0.0.1']) });
    const request = { method: 'GET', headers: {}, body: null, timeoutMs: 30_000, maxBytes: 1000 } as const;
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

  it('refuses a name that later resolves to an internal address', async () => {
    const nameServer = await startNameServer((name, nth) => INSIDE_NAMES[name]?.(nth) ?? []);
    const lookup = hostLookup([nameServer.address]);
    const fetcher = new SafeFetcher({ allow: [], purpose: 'webhooks', lookup });
    const before = server.touched();
    for (const url of namesTo(port).flatMap((each) =>
      each.includes('rebind') ? [each, each, each] : each,
    )) {
      const answer = await fetcher.fetch({
        url,
        method: 'POST',
        headers: {},
        body: '{"secret":true}',
        timeoutMs: 30_000,
        maxBytes: 1000,
      });
      expect([url, answer]).toMatchObject([url, { ok: false, failure: 'blocked' }]);
    }
    await fetcher.close();
    expect(server.touched()).toBe(before);
    expect(nameServer.queries.filter((name) => name === 'rebind.test').length).toBe(3);
    const allowed = await get(`http://inner.test:${port}/`, { allow: ['webhooks=127.0.0.0/8'], lookup });
    expect(allowed).toMatchObject({ ok: true, status: 200 });
    await nameServer.close();
  });

  it('refuses a name that resolves to a public address first and an internal one at connect time', async () => {
    // Free at both addresses.
    const port = await freeTcpPort();
    const refuse: RequestListener = (_, response) =>
      void response.writeHead(500, { connection: 'close' }).end();
    const outside = await startInnerServer(refuse, '127.0.0.9', port);
    const inside = createServer();
    let reached = 0;
    inside.on('connection', () => (reached += 1));
    await new Promise<void>((resolve) => inside.listen(port, '127.0.0.1', resolve));
    const lookup = names(['127.0.0.9'], ['127.0.0.1']);
    const fetcher = new SafeFetcher({ allow: ['webhooks=127.0.0.9'], purpose: 'webhooks', lookup });
    const url = `http://turning.example:${port}/`;
    const request = {
      url,
      method: 'POST',
      headers: {},
      body: '{}',
      timeoutMs: 30_000,
      maxBytes: 1000,
    } as const;
    expect(await fetcher.fetch(request)).toMatchObject({ ok: true, status: 500 });
    expect(await fetcher.fetch(request)).toMatchObject({ ok: false, failure: 'blocked' });
    await fetcher.close();
    expect(reached).toBe(0);
    await outside.close();
    await new Promise((resolve) => inside.close(resolve));
  });

  it('checks the address of every redirect', async () => {
    const inside = createServer((_, response) => response.end('inner'));
    let reached = 0;
    inside.on('connection', () => (reached += 1));
    await new Promise<void>((resolve) => inside.listen(0, '127.0.0.2', resolve));
    const innerPort = (inside.address() as AddressInfo).port;
    for (const target of [
      `http://127.0.0.2:${innerPort}/`,
      `http://[::ffff:127.0.0.2]:${innerPort}/`,
      `http://0:${innerPort}/`,
      'http://169.254.169.254/latest/meta-data/',
      'file:///etc/passwd',
      `//127.0.0.2:${innerPort}/`,
    ]) {
      redirectTo = target;
      const fetcher = new SafeFetcher({ allow: ['webhooks=127.0.0.1'], purpose: 'webhooks' });
      const answer = await fetcher.fetch({
        url: `http://127.0.0.1:${port}/redirect`,
        method: 'GET',
        headers: {},
        body: null,
        timeoutMs: 30_000,
        maxBytes: 1000,
        redirects: 3,
      });
      await fetcher.close();
      expect([target, answer]).toMatchObject([target, { ok: false }]);
      expect(answer.ok ? '' : answer.failure).toMatch(/^(?:blocked|invalid_url)$/);
    }
    expect(reached).toBe(0);
    await new Promise((resolve) => inside.close(resolve));
  });

  it('times out during name resolution and connection setup', async () => {
    const silent = createSocket('udp4');
    await new Promise<void>((resolve) => silent.bind(0, '127.0.0.1', resolve));
    const lookup = hostLookup([`127.0.0.1:${silent.address().port}`]);
    const fetcher = new SafeFetcher({ allow: [], purpose: 'webhooks', lookup });
    const answer = await fetcher.fetch({
      url: 'http://unknown.test/',
      method: 'POST',
      headers: {},
      body: '{}',
      timeoutMs: 100,
      maxBytes: 1000,
    });
    expect(answer).toMatchObject({ ok: false, failure: 'timeout' });
    await fetcher.close();
    await new Promise<void>((resolve) => silent.close(() => resolve()));
  });

  it('accepts a response that arrived in time although the process was busy past the deadline', async () => {
    const slow = createServer((_request, response) => {
      setTimeout(() => response.end('in time'), 150);
      setTimeout(() => {
        const until = performance.now() + 3_000;
        while (performance.now() < until);
      }, 100);
    });
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
    const fetcher = new SafeFetcher({ allow: ['webhooks=127.0.0.1'], purpose: 'webhooks' });
    const answer = await fetcher.fetch({
      url: `http://127.0.0.1:${(slow.address() as AddressInfo).port}/`,
      method: 'GET',
      headers: {},
      body: null,
      timeoutMs: 3_000,
      maxBytes: 1000,
    });
    expect(answer).toMatchObject({ ok: true, status: 200 });
    await fetcher.close();
    await new Promise((resolve) => slow.close(resolve));
  });

  it('connects to the address that was checked', async () => {
    // A second lookup would return another allowed address; there is no second lookup.
    const lookup = names(['127.0.0.1'], ['127.0.0.2']);
    expect(
      await get(`http://once.example:${port}/`, { allow: ['webhooks=127.0.0.1'], lookup }),
    ).toMatchObject({
      ok: true,
    });
  });

  it('reaches an internal address that SAFE_FETCH_ALLOW lists by address, range or host', async () => {
    const url = `http://127.0.0.1:${port}/`;
    const entries = [['127.0.0.1'], ['127.0.0.0/8'], ['other', '127.0.0.1/32']];
    for (const allow of entries.map((each) => each.map((entry) => `webhooks=${entry}`))) {
      expect(await get(url, { allow })).toMatchObject({ ok: true, status: 200 });
    }
    const named = { allow: ['webhooks=hooks.internal'], lookup: names(['127.0.0.1']) };
    expect(await get(`http://hooks.internal:${port}/`, named)).toMatchObject({ ok: true });
  });

  it('lends an open connection to a name of one workspace to no other', async () => {
    const [mine, other] = [newId(), newId()];
    const fetcher = new SafeFetcher({
      allow: [`tools@${mine}=crm.internal:${port}`],
      purpose: 'tools',
      lookup: names(['127.0.0.1']),
    });
    const url = `http://crm.internal:${port}/`;
    const request = { method: 'GET', headers: {}, body: null, timeoutMs: 30_000, maxBytes: 1000 } as const;
    expect(await fetcher.of(mine).fetch({ ...request, url })).toMatchObject({ ok: true, status: 200 });
    const before = hits;
    for (const from of [fetcher.of(other), fetcher]) {
      expect(await from.fetch({ ...request, url })).toMatchObject({
        failure: 'blocked',
        detail: 'an inner address that SAFE_FETCH_ALLOW does not list for tools',
      });
    }
    await expect(fetcher.of(other).stream(url)).rejects.toThrow('fetch failed');
    expect(hits).toBe(before);
    await fetcher.close();
  });

  it('follows no redirect by default', async () => {
    redirectTo = `http://127.0.0.1:${port}/secret`;
    const before = hits;
    expect(await get(`http://127.0.0.1:${port}/redirect`, { allow: ['webhooks=127.0.0.1'] })).toMatchObject({
      ok: true,
      status: 302,
    });
    expect(hits).toBe(before + 1);
  });
});
