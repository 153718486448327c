import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CallwrightError, createClient } from '../src/index.ts';
import { VERSION } from '../src/version.ts';
import { broken, json, scripted } from './scripted.ts';

/** Input that JavaScript callers may pass against the types. */
const loose = (value: unknown): never => value as never;

describe('the options of the client', () => {
  it('take the address with or without the path of the API', async () => {
    for (const baseUrl of [
      'http://callwright.test',
      'http://callwright.test/api/v0',
      'http://callwright.test/api/v0//',
    ]) {
      const { client, sent } = scripted([json(200, {})], { baseUrl });
      await client.getWorkspace();
      expect(sent[0]?.url).toBe('http://callwright.test/api/v0/workspace');
    }
  });

  it('must hold a key and an http address, which the environment may give', async () => {
    expect(() => createClient({ baseUrl: 'http://callwright.test' })).toThrow('CALLWRIGHT_API_KEY');
    expect(() => createClient({ baseUrl: 'callwright.test', apiKey: 'key' })).toThrow('CALLWRIGHT_URL');
    process.env['CALLWRIGHT_URL'] = 'http://environment.test';
    process.env['CALLWRIGHT_API_KEY'] = 'from the environment';
    try {
      const { client, sent } = scripted([json(200, {})], { baseUrl: undefined, apiKey: undefined });
      await client.getWorkspace();
      expect(sent[0]?.url).toBe('http://environment.test/api/v0/workspace');
      expect(sent[0]?.headers.get('x-api-key')).toBe('from the environment');
    } finally {
      delete process.env['CALLWRIGHT_URL'];
      delete process.env['CALLWRIGHT_API_KEY'];
    }
  });

  it('add headers to every request; the version of the package is the User-Agent', async () => {
    const { client, sent } = scripted([json(200, {})], { headers: { 'x-a': '1' } });
    await client.getWorkspace({}, { headers: { 'x-b': '2' } });
    const manifest = JSON.parse(readFileSync('packages/sdk/package.json', 'utf8')) as { version: string };
    expect(VERSION).toBe(manifest.version);
    expect(sent[0]?.headers.get('user-agent')).toBe(`callwright-sdk/${manifest.version}`);
    expect([sent[0]?.headers.get('x-a'), sent[0]?.headers.get('x-b')]).toEqual(['1', '2']);
  });

  it('report every response and every wait', async () => {
    const seen: unknown[] = [];
    const { client } = scripted(
      [json(503, { message: 'away' }, { 'retry-after': '1' }), json(200, {}, { 'x-request-id': 'r' })],
      {
        onResponse: ({ status, headers }) => seen.push([status, headers.get('x-request-id')]),
        onRetry: ({ attempt, waitMs, status }) => seen.push({ attempt, waitMs, status }),
      },
    );
    await client.getWorkspace();
    expect(seen).toEqual([[503, null], { attempt: 1, waitMs: 1000, status: 503 }, [200, 'r']]);
  });
});

describe('the query of a request', () => {
  it('carries dates as ISO 8601 and refuses a value that it would have to drop', async () => {
    const { client, sent } = scripted([json(200, {})]);
    await client.listCalls({ start_date: loose(new Date(Date.UTC(2026, 0, 5))), agent_id: loose(undefined) });
    expect(sent[0]?.url).toBe(
      'http://callwright.test/api/v0/calling/history?start_date=2026-01-05T00%3A00%3A00.000Z',
    );
    for (const status of [['failed'], null, { is: 'failed' }]) {
      await expect(client.listCalls({ status: loose(status) })).rejects.toThrow('status must be a text');
    }
    expect(sent).toHaveLength(1);
  });
});

describe('an endpoint that takes files', () => {
  it('gets plain fields as a form: lists as JSON, each file as a part', async () => {
    const { client, sent } = scripted([json(200, {})]);
    const files = [new Blob(['one']), new Blob(['two'])];
    await client.createKnowledgeBase({ kb_name: 'Prices', faqs: [{ question: 'q', answer: 'a' }], files });
    const form = sent[0]?.body as FormData;
    expect(form.get('kb_name')).toBe('Prices');
    expect(JSON.parse(form.get('faqs') as string)).toEqual([{ question: 'q', answer: 'a' }]);
    expect(form.getAll('files')).toHaveLength(2);
    expect(sent[0]?.headers.has('content-type')).toBe(false);
  });
});

describe('the time limit of a request', () => {
  /** A response whose body yields the chunks and then breaks off or stays open. */
  const partial = (text: string, end: 'break' | 'open') => (): Response =>
    new Response(
      new ReadableStream({
        pull(controller) {
          if (text !== '') controller.enqueue(new TextEncoder().encode(text));
          text = '';
          if (end === 'break') controller.error(new TypeError('terminated'));
          return end === 'open' ? new Promise(() => {}) : undefined;
        },
      }),
      { headers: { 'content-type': 'application/json' } },
    );

  it('ends with the headers of a stream, which may then stay open', async () => {
    const { client } = scripted([partial('a', 'open')], { timeoutMs: 20 });
    const response = await client.watchCall({ call_id: 'c' });
    const reader = response.body!.getReader();
    expect((await reader.read()).value).toEqual(new TextEncoder().encode('a'));
    const next = reader.read().then(
      () => 'ended',
      () => 'failed',
    );
    const later = new Promise((resolve) => setTimeout(() => resolve('open'), 80));
    expect(await Promise.race([next, later])).toBe('open');
    await reader.cancel();
  });

  it('counts again for a JSON body', async () => {
    const tries: string[] = [];
    const client = createClient({
      baseUrl: 'http://callwright.test',
      apiKey: 'key',
      timeoutMs: 20,
      maxRetries: 0,
      // As the real fetch: the signal ends the body.
      fetch: (_url, init) => {
        tries.push('sent');
        const body = new ReadableStream({
          start: (controller) =>
            init?.signal?.addEventListener('abort', () => controller.error(init.signal?.reason)),
        });
        return Promise.resolve(new Response(body));
      },
    });
    await expect(client.getWorkspace()).rejects.toThrow('no answer within 20 ms');
    expect(tries).toEqual(['sent']);
  });

  it('is a retry after a JSON body that breaks off, and a CallwrightError after the last', async () => {
    const { client, sent } = scripted([partial('{"a"', 'break'), json(200, { workspace_info: {} })]);
    expect(await client.getWorkspace()).toEqual({ workspace_info: {} });
    expect(sent).toHaveLength(2);
    const last = scripted([partial('{"a"', 'break')], { maxRetries: 0 });
    await expect(last.client.getWorkspace()).rejects.toMatchObject({ name: 'CallwrightError', status: 0 });
  });
});

describe('a request that fails', () => {
  it('names the address and the code of the system', async () => {
    const client = createClient({ baseUrl: 'http://127.0.0.1:1', apiKey: 'key', maxRetries: 0 });
    await expect(client.listCalls({ to_number: '+14155550123' })).rejects.toThrow(
      /^No complete answer from http:\/\/127\.0\.0\.1:1\/api\/v0\/calling\/history: (ECONNREFUSED|bad port)$/,
    );
  });

  it('fails at once when the service asks for a longer wait than the limit', async () => {
    const { client, sent, waits } = scripted([json(429, { error: 'slow down' }, { 'retry-after': '61' })]);
    const error: unknown = await client.getWorkspace().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(CallwrightError);
    expect((error as CallwrightError).headers?.get('retry-after')).toBe('61');
    expect([sent.length, waits]).toEqual([1, []]);
  });

  it('stops to wait for a retry when its signal aborts', async () => {
    const controller = new AbortController();
    const { client, sent } = scripted([broken], { sleep: undefined, onRetry: () => controller.abort() });
    await expect(client.getWorkspace({}, { signal: controller.signal })).rejects.toMatchObject({ status: 0 });
    expect(sent).toHaveLength(1);
  });
});
