// The comparison depends on the schema and the response.
/* oxlint-disable vitest/no-conditional-expect, vitest/no-standalone-expect */
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Schema } from '../../src/http/pages/reference/document.ts';
import { voices } from '../../src/providers/voices.ts';
import { fieldName, fieldsOf, readShapes, type Field, type Shape } from '../helpers/api/api-surface.ts';
import { createTenant, createTestApi, type Answer, type Tenant, type TestApi } from '../helpers/api/api.ts';
import { createHoldings, type Holdings } from '../helpers/api/owned-objects.ts';
import { arbitraryOf } from '../helpers/api/schema-values.ts';
import { kindOf, send, wholeRequest } from '../helpers/api/full-request.ts';

/**
 * Checks that the route schemas hold: allowed values are accepted and returned, invalid values are rejected naming
 * the field.
 */
const shapes = await readShapes();
/** A key is refused before fields are read: trunk-settings.test.ts and number-settings.test.ts send as operators. */
const OPERATORS = new Set([
  'saveTrunk',
  'importTrunkNumbers',
  'saveNumber',
  'listNumberSettings',
  'removeNumber',
]);
const withBody = shapes.filter((shape) => shape.body !== null && !OPERATORS.has(shape.key));
const LONG = { timeout: 240_000 };

let api: TestApi;
let tenant: Tenant;
let own: Holdings;
beforeAll(async () => {
  api = await createTestApi();
  tenant = await createTenant(api, { unlimited: true });
  own = await createHoldings(api, tenant);
});
afterAll(() => api.close());

const ajv = new Ajv({ strict: false, allErrors: true });
addFormats.default(ajv, ['uuid', 'date-time', 'date', 'binary']);
const allows = (schema: Schema, value: unknown): boolean => ajv.validate(schema, value);

/** Values beyond a schema's bounds and of every other type. */
function broken(schema: Schema): unknown[] {
  const { minimum, maximum, maxLength, minLength, maxItems, enum: values } = schema;
  const entry =
    schema.items === undefined ? null : fc.sample(arbitraryOf(schema.items), { numRuns: 1, seed: 7 })[0];
  const edges: unknown[] = [
    ...(minimum === undefined ? [] : [minimum - 1]),
    ...(maximum === undefined ? [] : [maximum + 1]),
    ...(maxLength === undefined ? [] : ['x'.repeat(maxLength + 1), '👩'.repeat(maxLength + 1)]),
    ...(minLength === undefined ? [] : ['']),
    ...(maxItems === undefined ? [] : [Array.from({ length: maxItems + 1 }, () => entry)]),
    ...(schema.type === 'integer' ? [1.5] : []),
    ...(schema.type === 'integer' || schema.type === 'number' ? ['1', '1e3'] : []),
    ...(values === undefined ? [] : ['none of them', String(values[0]).toUpperCase()]),
    ...(schema.type === 'boolean' ? ['true', 0] : []),
  ];
  const others = ['\u{10FFFF}', 12_345.678, true, {}, [], null, [[]]];
  return [...edges, ...others].filter((value) => !allows(schema, value));
}

/** Union fields: no single alternative is at fault, so the message names the union, also for a nested violation. */
const CHOICES: readonly (readonly [field: string, why: string])[] = [
  ['event_subscriptions[].event_type', 'Event subscription object: an array of string, or a single string'],
  ['agent_prompt', 'open-points, version_details: edit_prompt takes a string or {prompt_sections}'],
  ['handoffs[].context', 'docs/flows.md, Handing over to another agent: all, none, or {"last": n}'],
  ['scenarios[].persona.answers[].says', 'docs/rehearsal.md, Scenarios: a text, or a list of texts'],
  ['scenarios[].persona.otherwise', 'docs/rehearsal.md, Scenarios: a text, or a list of texts'],
  ['open_destinations', 'docs/api.md, WorkspaceSettings: all, or a list of prefixes and countries'],
];

/** The paths of the violations, in the service's notation. */
function places(schema: Schema, value: unknown, field: string): Set<string> {
  ajv.validate(schema, value);
  const named = (ajv.errors ?? []).map(({ instancePath, keyword, params }) => {
    const path = instancePath
      .split('/')
      .slice(1)
      .reduce((all, part) => (/^\d+$/.test(part) ? `${all}[${part}]` : `${all}.${part}`), field);
    if (keyword === 'required') return `${path}.${String(params['missingProperty'])}`;
    return keyword === 'additionalProperties' ? `${path}.${String(params['additionalProperty'])}` : path;
  });
  return new Set(named);
}

/** The path of the violation or of a part of the value. */
function namesIt(answer: Answer, field: Field, schema: Schema, value: unknown): boolean {
  const name = fieldName(field);
  const path = name.replaceAll('[]', '[0]');
  const errors = (answer.body['errors'] ?? []) as { field: string }[];
  const choice = CHOICES.find(
    ([union]) => name === union || name.startsWith(`${union}.`) || name.startsWith(`${union}[`),
  );
  if (choice !== undefined) {
    const union = choice[0].replaceAll('[]', '[0]');
    return errors.some(({ field: named }) => named === union);
  }
  // Files exist in forms only; in JSON the whole list is invalid.
  if (schema.items?.format === 'binary') return errors.some(({ field: named }) => named === path);
  const broken = places(schema, value, path);
  return errors.some(({ field: named }) => broken.has(named));
}

describe('an invalid field', () => {
  it('is rejected with its full path for every violation', LONG, async () => {
    const wrong: unknown[] = [];
    let requests = 0;
    for (const shape of withBody) {
      const fields = fieldsOf(shape).filter(
        ({ place, path, schema }) => place === 'body' && !path.includes('{}') && schema.format !== 'binary',
      );
      for (const field of fields) {
        // Forms carry strings only, so their lists are tested as JSON.
        const request = wholeRequest(shape, own, field);
        const union = fields.find(
          (f) => f.choices.length < field.choices.length && fieldName(f) === fieldName(field),
        );
        const values = broken(field.schema).filter(
          (value) =>
            (!request.isList || typeof value === 'object') &&
            (union === undefined || !allows(union.schema, value)),
        );
        for (const value of request.isList && field.path.length === 1 ? [] : values) {
          const answer = await send(api, tenant.key, wholeRequest(shape, own, field, value));
          requests += 1;
          // The check of a flow answers its faults.
          if (shape.key === 'checkFlow' && answer.status === 200 && answer.body['valid'] === false) continue;
          if (answer.status !== 422 || !namesIt(answer, field, union?.schema ?? field.schema, value)) {
            wrong.push([shape.key, fieldName(field), shown(value), answer.status, answer.body['message']]);
          }
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(requests).toBeGreaterThan(1500);
  });

  it('is named as required when it is absent', LONG, async () => {
    const wrong: unknown[] = [];
    for (const shape of withBody) {
      for (const name of shape.body?.required ?? []) {
        if (name === 'file') continue;
        const request = wholeRequest(shape, own);
        const { [name]: _left, ...body } = request.body ?? {};
        const answer = await send(api, tenant.key, { ...request, body });
        const errors = (answer.body['errors'] ?? []) as { field: string; message: string }[];
        const isNamed = errors.some((e) => e.field === name && /required|one of/.test(e.message));
        if (answer.status !== 422 || !isNamed)
          wrong.push([shape.key, name, answer.status, answer.body['message']]);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('is named when it is unknown, on endpoints where a typo would be harmful', LONG, async () => {
    const wrong: unknown[] = [];
    let requests = 0;
    for (const shape of withBody.filter((s) => s.body?.additionalProperties === false)) {
      const request = wholeRequest(shape, own);
      const answer = await send(api, tenant.key, { ...request, body: { ...request.body, retry_cuont: 5 } });
      requests += 1;
      if (answer.status !== 422 || !String(answer.body['message']).includes('retry_cuont'))
        wrong.push(shape.key);
    }
    expect(wrong).toEqual([]);
    expect(requests).toBeGreaterThan(5);
  });

  it('of a query is rejected naming it', LONG, async () => {
    const wrong: unknown[] = [];
    for (const shape of shapes.filter(({ key }) => !OPERATORS.has(key))) {
      for (const field of fieldsOf(shape).filter(({ place }) => place === 'query')) {
        const { type, enum: values, maxLength, minimum } = field.schema;
        const isNumber = type === 'integer' || type === 'number';
        const bad = [
          ...(isNumber ? ['x', '1.5', '1e400', '', String((minimum ?? 0) - 1)] : []),
          ...(type === 'boolean' ? ['maybe', '2'] : []),
          ...(values === undefined ? [] : ['none of them']),
          ...(maxLength === undefined ? [] : ['x'.repeat(maxLength + 1)]),
        ];
        for (const value of bad) {
          const answer = await send(api, tenant.key, wholeRequest(shape, own, field, value));
          const isNamed = String(answer.body['message']).startsWith(fieldName(field));
          if (answer.status !== 422 || !isNamed) {
            wrong.push([
              shape.key,
              fieldName(field),
              value.slice(0, 20),
              answer.status,
              answer.body['message'],
            ]);
          }
        }
      }
    }
    expect(wrong).toEqual([]);
  });
});

const shown = (value: unknown): string => JSON.stringify(value).slice(0, 60);

/** Rules that no schema expresses, with the document that states them. */
const RULES: readonly (readonly [rule: RegExp, said: string])[] = [
  [/^callback_args requires callback_url$/, 'open-points, Envelopes: callback_args go with callback_url'],
  [
    /^body must have exactly one of campaign_id,/,
    'open-points, Envelopes: PATCH /campaign/terminate, one of',
  ],
  [/\.name is also the name of another tool$/, 'docs/tools.md: names are of one tool each'],
  [
    / must be another key than dtmf_settings\.dtmf_input\.end$/,
    'open-points, version_details: end and reset',
  ],
  [/ must not be an argument: no model is involved here$/, 'docs/tools.md: arguments, during a call only'],
  [/^chat_id cannot be sent beside call_id$/, 'docs/test-cases.md: a case is saved from one conversation'],
  [/^scenario_file cannot be sent beside scenarios$/, 'docs/rehearsal.md: scenarios come in one form'],
  [
    /^mode must be text where a model words the lines of a caller$/,
    'docs/rehearsal.md: a model words callers by text alone',
  ],
  [/^calls must be at most \d+ by sound$/, 'docs/rehearsal.md: calls by sound take real time'],
  [/^expectations\[\d+\]\.turn must be at most \d+, the number of lines$/, 'docs/test-cases.md: turn'],
  [/^vendor has no account for this part that can be used$/, 'docs/providers.md: an account is tested'],
  [/^messages cannot be sent beside message$/, 'docs/chats.md: one message, or several'],
  [/^callback_success requires callback_url$/, 'docs/webhooks.md: the statuses of a receiver'],
  [
    /^origin must be a web address without a path, such as https:\/\/www\.example\.com$/,
    'docs/widget.md: an origin is scheme, host and port',
  ],
  [
    /^notice_addresses(?: need a mail server, which the operator sets by SMTP_URL|\[\d+\] must be an address such as ops@example\.com)$/,
    'docs/webhooks.md: notices by mail',
  ],
  [/^body must have at least one setting$/, 'docs/variables-and-times.md: a change names the setting'],
  [/^body must have at least one number, call or chat$/, 'docs/records.md: an export names the person'],
  [/^flow(?:[.[].*)? is refused: /, 'docs/flows.md: what the check refuses'],
  [
    /^handoffs\[\d+\]\.agent_id must (?:be an agent|speak a language) /,
    'docs/flows.md: whom a conversation may be handed over to',
  ],
  [
    /^(?:text is (?:required for (?:whisper|say)|for whisper, say, transfer and invite, not for \w+)|(?:transfer_to is required for transfer|invite_to is required for invite)|(?:transfer_to|mode) is for transfer, not for \w+|invite_(?:to|name) is for invite, not for \w+)$/,
    'docs/api.md, controlCall: each operation has its fields',
  ],
  [
    /^document must be (?:a map of settings, in YAML or JSON|YAML or JSON: .*)$/s,
    'docs/agents-as-code.md: a document',
  ],
  [/\.body must be left out for GET$/, 'docs/tools.md: a GET has no body'],
];
/**
 * No made-up body succeeds. The workspace has no account with a vendor (vendor-tests.test.ts has some, with stand-ins), and
 * a flow is a graph whose nodes name each other (flow-edit.test.ts), as an exported agent is a document (agent-document.test.ts).
 * Each operation of controlCall has fields that the others refuse (control.test.ts).
 */
const NEVER_VALID = new Set(['testVendor', 'editAgent:edit_flow', 'importAgent', 'controlCall']);
const isRule = (message: unknown): boolean =>
  String(message)
    .split('; ')
    .every((problem) => RULES.some(([rule]) => rule.test(problem)));

describe('a valid body', () => {
  it.each(withBody.filter((shape) => !shape.isForm).map((shape) => [shape.key, shape] as const))(
    '%s is accepted and returned, or rejected by a documented rule',
    LONG,
    async (_key, shape) => {
      const tally = new Map<number, number>();
      await fc.assert(
        fc.asyncProperty(
          arbitraryOf(shape.body ?? {}, '', { ...RICH, ...RICH_OF[shape.key] }),
          async (value) => {
            const body = withOwnIds(shape, value as Record<string, unknown>);
            const request = { ...wholeRequest(shape, own), body };
            const answer = await send(api, tenant.key, request);
            tally.set(answer.status, (tally.get(answer.status) ?? 0) + 1);
            const documented = Object.keys(shape.endpoint.responses).map(Number);
            expect([answer.status, answer.text.slice(0, 300), documented.includes(answer.status)]).toEqual([
              answer.status,
              answer.text.slice(0, 300),
              true,
            ]);
            expect(answer.status).toBeLessThan(500);
            if (answer.status === 422)
              expect([answer.body['message'], isRule(answer.body['message'])]).toEqual([
                answer.body['message'],
                true,
              ]);
            if (answer.status === 200) await readsBack(shape, body, answer);
          },
        ),
        { numRuns: 12, seed: 20_260_105, endOnFailure: true },
      );
      if (!NEVER_VALID.has(shape.key)) expect([...tally.keys()]).not.toEqual([422]);
      // Later requests may name values that no agent declares.
      if (shape.key === 'setWorkspaceSettings')
        await send(api, tenant.key, { ...wholeRequest(shape, own), body: { strict_variables: false } });
    },
  );
});

const english = voices().filter((voice) => voice.languages.includes('en-US'));
/** Valid values for fields with a meaning beyond their schema. */
const RICH: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  voice_id: fc.constantFrom(...english.map((voice) => voice.id)),
  secondary_voice_id: fc.constantFrom('', ...english.map((voice) => voice.id)),
  primary_language: fc.constant('en-US'),
  secondary_language: fc.constantFrom('en-US', 'en-GB'),
  language: fc.constant('en-US'),
  timezone: fc.constantFrom('Asia/Kolkata', 'America/New_York', 'Europe/Berlin', 'Etc/UTC', 'EST'),
  mobile_number: fc.constantFrom('+14155550123', '+919876543210', '+442079460123'),
  mobile_numbers: fc.constantFrom(['+14155550123'], ['+14155550124', '+442079460123']),
  callback_url: fc.constantFrom('https://example.com/hook', 'http://example.com:8080/a?b=c'),
  base_url: fc.constant('https://llm.example.com/v1'),
  url: fc.constant('https://api.example.com/v1/slots'),
  transfer_to: fc.constant('+14155550111'),
  turn: fc.constantFrom(0, 0, 0, 2),
  // No worker runs here, so waiting would take as long as asked for.
  wait_seconds: fc.constant(0),
  since: fc.constantFrom('2026-01-01', '2026-01-05T10:00:00Z'),
  start_date: fc.constantFrom('2026-01-01', '2026-01-05T10:00:00+05:30'),
  end_date: fc.constantFrom('2026-02-01', '2026-02-05T10:00:00Z'),
  idle_timeout_warning: fc.integer({ min: 0, max: 299 }),
  idle_timeout_end: fc.integer({ min: 300, max: 600 }),
  static_message: fc.constantFrom('Call us back.', 'Bye.'),
  whitelisted_domains: fc.constant(['http://callwright.test', 'https://www.example.com']),
  custom_variables: fc.constantFrom(
    ['callee_name', 'mobile_number'],
    ['callee_name', 'mobile_number', 'slot'],
  ),
  vocab: fc.constantFrom([], ['Riverside Dental'], ['a', 'b c']),
  headers: fc.constantFrom({}, { 'x-source': 'test' }),
  path_params: fc.constant({}),
  keys: fc.constantFrom(
    { slot: { type: 'string' } },
    { slot: { type: 'enum', values: ['a', 'b'], default: 'a' }, count: { type: 'number', default: 0 } },
  ),
  goal_key: fc.constant('slot'),
  llm: fc.constantFrom(
    { provider: 'default' },
    { provider: 'openai_compatible', model: 'm', base_url: 'https://llm.example.com/v1', temperature: 1 },
  ),
};

/** The same for the fields of one request: vendors that are configured. */
const RICH_OF: Readonly<Record<string, Readonly<Record<string, fc.Arbitrary<unknown>>>>> = {
  'editAgent:edit_stt': { stt: fc.constantFrom(null, { providers: ['offline'] }) },
  startRehearsal: {
    scenario_file: fc.constant('{ name: n, persona: { goal: g }, expect: [{ type: no_overlap }] }'),
  },
  'editAgent:edit_s2s': { s2s: fc.constantFrom(null, { provider: 'pipeline' }) },
  setProviders: {
    s2s: fc.constantFrom(null, 'pipeline'),
    stt: fc.constantFrom(null, ['offline']),
    llm: fc.constantFrom(null, ['offline']),
    tts: fc.constantFrom(null, ['offline']),
    vendors: fc.constantFrom({}, { deepgram: { api_key: 'dg-0123456789' } }),
  },
};

/** The body with the workspace's own ids, and one of mutually exclusive fields. */
function withOwnIds(shape: Shape, value: Record<string, unknown>): Record<string, unknown> {
  const whole = wholeRequest(shape, own).body ?? {};
  const body: Record<string, unknown> = { ...value };
  for (const field of fieldsOf(shape).filter(({ place }) => place === 'body')) {
    const [first = ''] = field.path;
    if (kindOf(shape, field) === undefined) continue;
    if (first in whole) body[first] = whole[first];
    else delete body[first];
  }
  // method_type and headers need callback_url, which excludes agent_id.
  if (shape.key === 'sendTestEvent') return { event_type: body['event_type'], agent_id: own.agent };
  return { ...body, ...('from_number_id' in whole ? { from_number_id: own.number } : {}) };
}

/** Fields that are returned in another form: parsed, merged, masked or sorted. */
const KEPT_OTHERWISE = new Set([
  'operation',
  'agent_id',
  'version_id',
  'agent_prompt',
  'event_subscriptions',
  'pre_call_tools',
  'on_call_tools',
  'post_call_tools',
  'llm',
  'stt',
  'voice_id',
  'secondary_voice_id',
  'description',
  'versions',
  'kb_id',
  'number_id',
  'chat_settings',
  'context',
  'goal_key',
  'keys',
  'classification_labels',
  'language',
]);

async function readsBack(shape: Shape, body: Record<string, unknown>, answer: Answer): Promise<void> {
  const get = async (path: string): Promise<any> =>
    (await api.request('GET', `/api/v0${path}`, { key: tenant.key })).body;
  const { operationId } = shape.endpoint;
  const data = answer.body['data'] as { id?: string; call_id?: string } | undefined;
  if (operationId === 'editAgent') {
    const { agents } = await get(`/agent/${own.agent}`);
    const details = agents.version_details[agents.active_agent_version_id];
    const kept = Object.entries(body).filter(([key]) => !KEPT_OTHERWISE.has(key));
    const all = { ...agents, ...details, ...details.agent_config };
    if (kept.length > 0) expect(all).toMatchObject(plain(Object.fromEntries(kept)));
  } else if (operationId === 'createAgent') {
    const { agents } = await get(`/agent/${data?.id}`);
    const details = agents.version_details[agents.active_agent_version_id];
    expect(agents.agent_display_name).toBe(body['agent_name']);
    expect(details.agent_config.intro_message).toBe(body['intro_message']);
    expect(details.language).toBe(body['primary_language']);
    expect(details.voice.id).toBe(body['voice_id']);
    expect(details.call_config).toMatchObject(plain(body['call_config'] ?? {}));
  } else if (operationId.startsWith('placeCall')) {
    const call = (await get(`/calling/call-details?id=${data?.call_id}`)).data;
    expect(call).toMatchObject({ agent_id: body['agent_id'], to_number: body['mobile_number'] });
    expect(call.custom_args_values).toMatchObject(plain(body['custom_args_values'] ?? {}));
  } else if (operationId === 'setRetention') {
    expect(await get('/workspace/retention')).toMatchObject(plain(body));
  } else if (/^(create|change)TestCase$/.test(operationId)) {
    const { call_id: _call, chat_id: _chat, ...parts } = body;
    const made = answer.body['test_case'] as { id: string };
    expect(await get(`/agent/${own.agent}/test-cases/${made.id}`)).toMatchObject({ test_case: plain(parts) });
  } else if (operationId === 'createNumberPool') {
    expect((answer.body['number_pool'] as { name: string }).name).toBe(body['name']);
  }
}
/** The value after a JSON round trip: without negative zero and absent keys. */
const plain = (value: unknown): object => JSON.parse(JSON.stringify(value)) as object;
