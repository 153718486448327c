import type { MediaType, OpenApi, Operation, Schema } from './document.ts';

const ID = '01980f6e-6f3a-7cc0-9d3e-0a6c2f1b7a10';
const TIME = '2026-01-05T10:00:00.000Z';
const MAX_DEPTH = 12;

/** Example values by field name, for schemas without an example. */
const BY_NAME: readonly (readonly [RegExp, string])[] = [
  [/(^|_)ids?$|^list_id$/, ID],
  [/^from_numbers$/, ID],
  [/_at$|_time$|^at$|^since$/, TIME],
  [/_date$|^date$/, '2026-01-05'],
  [/number$|^transfer_to$/, '+14155550123'],
  [/_csv_url$/, 'https://calls.example.com/campaign-rejects/Ab3.csv'],
  [/recording_url$/, 'https://calls.example.com/recordings/Ab3.wav'],
  [/url$|urls$/, 'https://example.com/prices'],
  [/domains$/, 'https://www.example.com'],
  [/timezone$/, 'America/New_York'],
  [/language$/, 'en-US'],
  [/^file$/, '(the file)'],
  [/question|^query$/, 'What does it cost?'],
  [/answer|static_message/, 'Nothing at all.'],
  [/agent_name|agent_display_name|^display_name$/, 'Appointment reminder'],
  [/callee_name|^name$/, 'Priya'],
];

/** Values where an example derived from the schema would mislead or contradict another field. */
const OVERRIDES: Readonly<Record<string, unknown>> = {
  agent_type: 'outbound',
  timezone: 'America/New_York',
  country_code: '+1',
  call_end_time: '21:00',
  max_call_length: 240,
  idle_timeout_warning: 5,
  idle_timeout_end: 10,
  noise_suppression_level: 80,
  retry_count: 2,
  retry_busy: 30,
  retry_not_picked: 30,
  retry_failed: 60,
  call_traffic: 50,
  path_params: { clinic: '{{clinic}}' },
  headers: { 'x-source': 'callwright' },
  params: { source: 'callwright' },
};

/** Optional fields that most requests send; an example of a request shows them and the required ones. */
const USUAL = new Set([
  'call_config',
  'call_time',
  'callback_url',
  'campaign_name',
  'country_code',
  'custom_args_values',
  'custom_variables',
  'event_subscriptions',
  'from_number_id',
  'from_numbers',
  'headers',
  'kb_name',
  'faqs',
  'urls',
  'variables_map',
]);

/** Alternative fields: an example shows the key and omits its alternatives. */
const ALTERNATIVES: Readonly<Record<string, readonly string[]>> = {
  from_number_id: ['from_number', 'number_pool_id'],
  from_numbers: ['number_pool_id'],
  call_start_time: ['slots'],
  // The example of an event is a regular one.
  event_type: ['test', 'erased'],
};
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  sendTestEvent: ['event_type', 'agent_id'],
  terminateCalls: ['campaign_id'],
};

/** Adds an example to every request body and response that has none. */
export function withExamples(document: OpenApi): OpenApi {
  const all = (paths: OpenApi['paths']): OpenApi['paths'] =>
    Object.fromEntries(
      Object.entries(paths).map(([path, methods]) => {
        const shown = Object.entries(methods).map(([method, operation]) => [method, exemplified(operation)]);
        return [path, Object.fromEntries(shown) as (typeof paths)[string]];
      }),
    );
  const { paths, webhooks } = document;
  return { ...document, paths: all(paths), ...(webhooks === undefined ? {} : { webhooks: all(webhooks) }) };
}

function exemplified(operation: Operation): Operation {
  const { requestBody, responses, operationId } = operation;
  const answers = Object.entries(responses).map(([status, response]) => {
    const isSuccess = response.content !== undefined && status.startsWith('2');
    return [status, isSuccess ? { ...response, content: contentWith(response.content, '') } : response];
  });
  return {
    ...operation,
    ...(requestBody === undefined
      ? {}
      : { requestBody: { ...requestBody, content: contentWith(requestBody.content, operationId) } }),
    responses: Object.fromEntries(answers) as Operation['responses'],
  };
}

function contentWith(
  content: Readonly<Record<string, MediaType>> = {},
  operationId: string,
): Record<string, MediaType> {
  return Object.fromEntries(
    Object.entries(content).map(([type, media]) => {
      const { schema } = media;
      const isShown = media.example !== undefined || media.examples !== undefined;
      if (schema === undefined || isShown || !/json|form-data/.test(type)) return [type, media];
      if (operationId === '' || schema.oneOf === undefined) {
        return [type, { ...media, example: exampleOf(schema, '', operationId) }];
      }
      const shapes = schema.oneOf.map((shape) => [
        shape.title ?? '',
        { value: exampleOf(shape, '', operationId) },
      ]);
      return [type, { ...media, examples: Object.fromEntries(shapes) as MediaType['examples'] }];
    }),
  );
}

/** An example value of a schema. In requests, alternatives of shown fields are omitted. */
export function exampleOf(schema: Schema, name = '', operationId = '', depth = 0): unknown {
  if (name in OVERRIDES && schema.const === undefined && accepts(schema, OVERRIDES[name]))
    return OVERRIDES[name];
  if (schema.example !== undefined) return schema.example;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.type === 'null') return null;
  const variant = (schema.oneOf ?? schema.anyOf ?? schema.allOf)?.find((v) => v.type !== 'null');
  if (variant !== undefined) return exampleOf(variant, name, operationId, depth);
  const type = typeof schema.type === 'string' ? schema.type : (schema.type ?? []).find((t) => t !== 'null');
  switch (type ?? (schema.properties === undefined ? 'string' : 'object')) {
    case 'object':
      return depth > MAX_DEPTH ? {} : objectOf(schema, operationId, depth);
    case 'array': {
      const entry = schema.items === undefined ? null : exampleOf(schema.items, name, operationId, depth + 1);
      return Array.from({ length: Math.max(1, schema.minItems ?? 0) }, () => entry);
    }
    case 'integer':
    case 'number':
      return Number(schema.default ?? Math.max(schema.minimum ?? 1, Math.min(1, schema.maximum ?? 1)));
    case 'boolean':
      return schema.default ?? true;
    default:
      return textOf(schema, name);
  }
}

function objectOf(schema: Schema, operationId: string, depth: number): Record<string, unknown> {
  const choice = depth === 0 ? CHOICES[operationId] : undefined;
  const fields = Object.entries(schema.properties ?? {}).filter(([key]) => choice?.includes(key) ?? true);
  const isRequest = operationId !== '';
  const required = new Set(schema.required);
  const isUsual = (key: string): boolean => required.has(key) || USUAL.has(key);
  // A body whose fields are all optional and none usual shows them all.
  const isLean = isRequest && choice === undefined && fields.some(([key]) => isUsual(key));
  const left = new Set(fields.flatMap(([key]) => (isRequest ? (ALTERNATIVES[key] ?? []) : [])));
  for (const key of schema.required ?? []) left.delete(key);
  const shown = fields
    .filter(([key]) => !left.has(key) && (!isLean || isUsual(key)))
    .map(([key, inner]) => [key, exampleOf(inner, key, operationId, depth + 1)] as const);
  const { additionalProperties: more } = schema;
  if (shown.length === 0 && typeof more === 'object' && more.type !== undefined) {
    return { name: exampleOf(more, 'name', operationId, depth + 1) };
  }
  return Object.fromEntries(shown);
}

/** Whether the schema allows the value's type, and lists it if it lists values. */
function accepts(schema: Schema, value: unknown): boolean {
  if (schema.enum !== undefined && !schema.enum.includes(value)) return false;
  const types = [schema, ...(schema.anyOf ?? schema.oneOf ?? [])].flatMap((s) => s.type ?? []);
  return types.includes(typeof value) || (Number.isInteger(value) && types.includes('integer'));
}

function textOf(schema: Schema, name: string): unknown {
  if (schema.default !== undefined) return schema.default;
  if (schema.format === 'uuid') return ID;
  if (schema.format === 'date-time') return TIME;
  if (schema.format === 'date') return TIME.slice(0, 10);
  if (schema.pattern !== undefined && schema.pattern.startsWith('^$|')) return '';
  return (
    BY_NAME.find(([pattern]) => pattern.test(name))?.[1] ?? (name === '' ? 'text' : name.replaceAll('_', ' '))
  );
}
