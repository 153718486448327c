import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redactedJson } from './redacted-json.ts';
import { withoutSecrets } from './secrets.ts';

const LIMIT = 8_000;
const redacted = (value: unknown, limit = LIMIT): unknown => JSON.parse(redactedJson(value, limit).text);

/** Fields of the API and of tools that hold secrets. */
const SECRET_FIELDS = [
  'api_key',
  'access_token',
  'app_secret',
  'verify_token',
  'password',
  'client_secret',
  'Authorization',
  'X-API-KEY',
  'x-auth-token',
  'cookie',
  'signature',
  'pin',
  'api-key',
  'apiKey',
  'privateKey',
];

describe('a secret in a body', () => {
  const secret = fc.stringMatching(/^[A-Za-z0-9]{12,40}$/).map((text) => `S3${text}`);
  const around = fc.object({ maxDepth: 3, key: fc.constantFrom('name', 'items', 'llm', 'v', 'url') });
  /** The value at a random place of a body: in objects, lists, and JSON inside a text. */
  const bodyWith = (value: unknown): fc.Arbitrary<unknown> =>
    fc
      .tuple(around, fc.array(fc.constantFrom('object', 'list', 'text'), { maxLength: 8 }))
      .map(([beside, steps]) => {
        let texts = 0;
        return steps.reduce<unknown>((inner, step) => {
          if (step === 'list') return [beside, inner];
          if (step === 'object') return { ...beside, inner };
          // Each JSON text inside a JSON text doubles its escapes.
          return (texts += 1) > 2 ? { inner } : { note: JSON.stringify({ inner }) };
        }, value);
      });

  it('is never kept under a name that says so', () => {
    fc.assert(
      fc.property(
        fc
          .constantFrom(...SECRET_FIELDS)
          .chain((name) =>
            secret.chain((text) =>
              bodyWith(
                fc.sample(
                  fc.constantFrom({ [name]: text }, { [name]: [text] }, { [name]: { v: text } }),
                  1,
                )[0],
              ).map((body) => ({ text, body })),
            ),
          ),
        ({ text, body }) => {
          expect(redactedJson(body, LIMIT).text).not.toContain(text);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('is never kept as the value of a header, of a named pair, or in an address', () => {
    fc.assert(
      fc.property(
        secret.chain((text) =>
          fc
            .constantFrom<unknown>(
              { headers: { 'X-Any': text } },
              { headers: [{ name: 'X-Any', value: text }] },
              { name: 'Authorization', value: text },
              { callback_url: `https://user:${text}@example.com/hook` },
              { callback_url: `https://example.com/hook?a=1&api_key=${text}` },
              { callback_url: `https://example.com/hook?api%5Fkey=${text}#x` },
              { note: `send Bearer ${text} with it` },
              { note: `the key is cw_live_${text}` },
            )
            .chain(bodyWith)
            .map((body) => ({ text, body })),
        ),
        ({ text, body }) => {
          expect(redactedJson(body, LIMIT).text).not.toContain(text);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('leaves a placeholder that says what it was', () => {
    expect(
      redacted({
        llm: { api_key: 'abcdef', model: 'small', max_tokens: 200 },
        headers: { 'X-Shop': 'north', Authorization: '' },
        pin: 1234,
      }),
    ).toEqual({
      llm: { api_key: '<api_key>', model: 'small', max_tokens: 200 },
      headers: { 'X-Shop': '<X-Shop>', Authorization: '' },
      pin: '<pin>',
    });
  });
});

describe('other values', () => {
  it('are kept as they were sent', () => {
    const body = {
      name: 'Priya',
      mobile_number: '+14155550123',
      custom_args_values: { day: 'Tuesday', author: 'B. Basic information' },
      goal_key: 'agreed',
      limits: [1, 2.5, true, null, [], {}],
      template: '[{ "spaced": 1 }]',
      url: 'https://example.com/x?page=2&size=3',
    };
    expect(redacted(body)).toEqual(body);
    expect(redactedJson(body, LIMIT).isCut).toBe(false);
  });

  it('are any JSON, and the text is valid JSON within its limit, whatever the limit', () => {
    const plain = fc.object({
      key: fc.constantFrom('name', 'items', 'v', 'url', ''),
      values: [fc.string(), fc.integer(), fc.double(), fc.boolean(), fc.constant(null)],
      maxDepth: 5,
    });
    fc.assert(
      fc.property(plain, fc.integer({ min: 40, max: 400 }), (value, limit) => {
        const { text, isCut } = redactedJson(value, limit);
        expect(() => JSON.parse(text === '' ? 'null' : text)).not.toThrow();
        expect(text.length).toBeLessThanOrEqual(limit + 64);
        expect(isCut).toBe(text.length < (JSON.stringify(value) ?? '').length);
      }),
      { numRuns: 500 },
    );
  });
});

describe('a long body', () => {
  it('is cut between values', () => {
    const { text, isCut } = redactedJson({ rows: Array.from({ length: 500 }, (_, i) => `row ${i}`) }, 100);
    expect(isCut).toBe(true);
    const { rows } = JSON.parse(text) as { rows: string[] };
    expect(rows.length).toBeGreaterThan(5);
    expect(rows).toEqual(rows.map((_, i) => `row ${i}`));
  });

  it('has no part of a number or word at the end of a text', () => {
    for (let lead = 1_970; lead < 2_000; lead += 1) {
      const body = { prompt: `${'x'.repeat(lead - 10)} call them +1 (415) 555-01 23 ${'y'.repeat(3_000)}` };
      const { prompt } = redacted(body) as { prompt: string };
      expect(prompt.replace('+1 (415) 555-01 23', '')).not.toMatch(/\d/);
      expect(prompt).not.toContain('y');
      expect(prompt.endsWith('…')).toBe(true);
    }
  });

  it('is cut at a nesting deeper than any request may have', () => {
    let value: unknown = 'deep';
    for (let depth = 0; depth < 50_000; depth += 1) value = [value];
    const { text, isCut } = redactedJson(value, LIMIT);
    expect([isCut, text.includes('deep')]).toEqual([true, false]);
    JSON.parse(text);
  });
});

it('removes secrets from the address of a request', () => {
  expect(withoutSecrets('/api/v0/workspace?api_key=abcdefgh&limit=5&q=1')).toBe(
    '/api/v0/workspace?api_key=<api_key>&limit=5&q=1',
  );
});
