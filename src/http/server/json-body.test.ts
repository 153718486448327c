import * as fc from 'fast-check';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readJsonBodies } from './json-body.ts';
import { findUnstorable } from './validation.ts';

let app: FastifyInstance;
beforeAll(async () => {
  app = Fastify();
  readJsonBodies(app);
  app.post('/', async ({ body, isBodyStorable }) => ({
    isBodyStorable,
    unstorable: findUnstorable(body, 'body'),
  }));
  await app.ready();
});
afterAll(async () => {
  await app?.close();
});

async function read(payload: string): Promise<{ isBodyStorable: boolean; unstorable: string | null }> {
  const answer = await app.inject({
    method: 'POST',
    url: '/',
    headers: { 'content-type': 'application/json' },
    payload,
  });
  expect([answer.statusCode, payload]).toEqual([200, payload]);
  return answer.json();
}
/** Every character as an escape, in either case. */
const escaped = (text: string, isUpper: boolean): string =>
  `"${Array.from({ length: text.length }, (_, at) => {
    const hex = text.charCodeAt(at).toString(16).padStart(4, '0');
    return `\\u${isUpper ? hex.toUpperCase() : hex}`;
  }).join('')}"`;

describe('a body that is known to be storable from its text', () => {
  it('has no value and no key that cannot be stored, however it is written', async () => {
    const text = fc.string({
      unit: fc.constantFrom('a', '\\', '"', '\0', '\uD83D', '\uDE00', 'é', '😀', 'u', '0', 'd'),
    });
    await fc.assert(
      fc.asyncProperty(text, text, fc.boolean(), async (key, value, isUpper) => {
        const bodies = [
          JSON.stringify({ [key]: [value] }),
          `{${escaped(key, isUpper)}:[${escaped(value, isUpper)}]}`,
        ];
        for (const body of bodies) {
          const { isBodyStorable, unstorable } = await read(body);
          expect([body, isBodyStorable && unstorable !== null]).toEqual([body, false]);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('is that of a request in any language, and of 45,000 keys', async () => {
    expect(await read('{"name":"प्रिया 😀","note":"é\\n"}')).toMatchObject({ isBodyStorable: true });
    const many = JSON.stringify(
      Object.fromEntries(Array.from({ length: 45_000 }, (_, n) => [`unknown${n}`, 0])),
    );
    expect(await read(many)).toMatchObject({ isBodyStorable: true });
  });
});
