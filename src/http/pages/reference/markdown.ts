import { endpointsOf, type Endpoint, type OpenApi, type Operation, type Schema } from './document.ts';

/** The API as one Markdown page, generated from its OpenAPI document, for people and language models. */
export function apiMarkdown(document: OpenApi): string {
  const endpoints = endpointsOf(document);
  const { title, version, description = '' } = document.info;
  const out = [`# ${title} API ${version}`, description];
  for (const tag of document.tags ?? []) {
    const own = endpoints.filter((e) => e.tags?.includes(tag.name));
    if (own.length > 0) out.push(`## ${tag.name}`, tag.description ?? '', ...own.map(section));
  }
  const rest = endpoints.filter((e) => !document.tags?.some((tag) => e.tags?.includes(tag.name)));
  if (rest.length > 0) out.push('## Other', ...rest.map(section));
  const events = Object.entries(document.webhooks ?? {});
  if (events.length > 0)
    out.push('## Events', EVENTS, ...events.map(([name, { post }]) => event(name, post)));
  const error = document.components?.schemas?.['Error'];
  if (error !== undefined) out.push('## Errors', error.description ?? '', fieldTable(fieldsOf(error, '')));
  return `${out.filter((part) => part !== '').join('\n\n')}\n`;
}

/** A summary of the service for language models (llmstxt.org): description, endpoints, links. */
export function llmsText(document: OpenApi): string {
  const { title, description = '' } = document.info;
  const [first = '', ...more] = description.split('\n\n');
  return [
    `# ${title}`,
    `> ${first.replaceAll('\n', ' ')}`,
    ...more.map((part) => part.replaceAll('\n', ' ')),
    '## Docs',
    [
      '- [API reference](/api.md): every endpoint with its fields, responses and errors, as Markdown',
      '- [OpenAPI 3.1](/openapi.json): the same for machines',
      '- [Swagger UI](/docs): the same for browsers',
      '- MCP server: `POST /mcp` (streamable HTTP) with the same `X-API-KEY`; tools to build, test and explain agents',
    ].join('\n'),
    '## Endpoints',
    endpointsOf(document)
      .map((e) => `- \`${e.method} ${e.path}\`: ${e.summary}`)
      .join('\n'),
    '',
  ].join('\n\n');
}

const EVENTS =
  'Delivered to the subscriptions of an agent (PATCH /agent/v1, edit_event_subscriptions), to the callback_url of a call and to the callback_url of a campaign. Signed as Standard Webhooks: webhook-id, webhook-timestamp, webhook-signature.';

function event(name: string, operation: Operation | undefined): string {
  const schema = operation?.requestBody?.content['application/json']?.schema;
  const fields = schema === undefined ? [] : fieldsOf(schema, '');
  return [`### ${name}`, operation?.summary ?? '', fieldTable(fields, false)]
    .filter((part) => part !== '')
    .join('\n\n');
}

function section(endpoint: Endpoint): string {
  const { parameters = [], requestBody, responses } = endpoint;
  const parts = [
    `### ${endpoint.method} ${endpoint.path}`,
    `${endpoint.summary}.`,
    endpoint.description ?? '',
  ];
  for (const place of ['path', 'query', 'header'] as const) {
    const own = parameters.filter((p) => p.in === place);
    if (own.length === 0) continue;
    parts.push(
      `**${place[0]?.toUpperCase()}${place.slice(1)}**`,
      fieldTable(
        own.map((p) => ({
          name: p.name,
          schema: p.description === undefined ? p.schema : { ...p.schema, description: p.description },
          required: p.required === true,
        })),
      ),
    );
  }
  for (const [type, media] of Object.entries(requestBody?.content ?? {})) {
    const { schema } = media;
    if (schema === undefined) continue;
    for (const shape of schema.oneOf ?? [schema]) {
      parts.push(`**Body** (${type})${shape.title === undefined ? '' : `: ${shape.title}`}`);
      parts.push(fieldTable(fieldsOf(shape, '')));
      const example = media.example ?? media.examples?.[shape.title ?? '']?.value;
      if (example !== undefined) parts.push('```json\n' + JSON.stringify(example, null, 2) + '\n```');
    }
  }
  const ok = responses['200']?.content?.['application/json']?.schema;
  if (ok !== undefined) parts.push('**Response 200**', fieldTable(fieldsOf(ok, ''), false));
  const errors = Object.keys(responses).filter((status) => !status.startsWith('2'));
  if (errors.length > 0) parts.push(`**Errors**: ${errors.join(', ')}`);
  return parts.filter((part) => part !== '').join('\n\n');
}

interface Field {
  readonly name: string;
  readonly schema: Schema;
  readonly required: boolean;
}

const MAX_DEPTH = 6;

/** A schema's fields by full path; `[]` marks list items, `{}` map values. */
function fieldsOf(schema: Schema, path: string, depth = 0): Field[] {
  if (depth > MAX_DEPTH) return [];
  const variants = (schema.anyOf ?? schema.oneOf ?? []).filter((v) => v.type !== 'null');
  const only = onlyVariant(schema);
  if (only !== undefined) return fieldsOf(only, path, depth);
  const own = Object.entries(schema.properties ?? {}).flatMap(([key, inner]) => {
    const name = path === '' ? key : `${path}.${key}`;
    const field = { name, schema: inner, required: schema.required?.includes(key) === true };
    return [field, ...fieldsOf(inner, name, depth + 1)];
  });
  const items = schema.items === undefined ? [] : fieldsOf(schema.items, `${path}[]`, depth + 1);
  const entries =
    typeof schema.additionalProperties === 'object'
      ? fieldsOf(schema.additionalProperties, `${path}{}`, depth + 1)
      : [];
  return [...own, ...items, ...entries, ...variants.flatMap((v) => fieldsOf(v, path, depth + 1))];
}

function fieldTable(fields: readonly Field[], isInput = true): string {
  if (fields.length === 0) return 'No fields are described.';
  const rows = fields.map((f) =>
    [
      `\`${f.name}\``,
      typeOf(f.schema),
      ...(isInput ? [f.required ? 'yes' : 'no'] : []),
      noteOf(f.schema, isInput),
    ]
      .map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' '))
      .join(' | '),
  );
  const head = isInput ? 'Field | Type | Required | Note' : 'Field | Type | Note';
  return [head, head.replaceAll(/[^|]+/g, ' - ').trim(), ...rows].map((row) => `| ${row} |`).join('\n');
}

function typeOf(schema: Schema): string {
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants !== undefined) return [...new Set(variants.map(typeOf))].join(' or ');
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? 'object';
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.type === 'array') return `array of ${schema.items === undefined ? 'any' : typeOf(schema.items)}`;
  if (schema.type === undefined) return 'any';
  const type = typeof schema.type === 'string' ? schema.type : schema.type.join(' or ');
  return schema.format === undefined ? type : `${type} (${schema.format})`;
}

/** The schema of a nullable field without its null. */
function onlyVariant(schema: Schema): Schema | undefined {
  const variants = (schema.anyOf ?? schema.oneOf ?? []).filter((v) => v.type !== 'null');
  return variants.length === 1 ? variants[0] : undefined;
}

function noteOf(schema: Schema, isInput: boolean): string {
  const only = onlyVariant(schema);
  const description = schema.description ?? only?.description;
  const notes = description === undefined ? [] : [description];
  const values = schema.enum ?? only?.enum ?? schema.items?.enum ?? only?.items?.enum;
  if (values !== undefined) notes.push(`One of ${values.map((v) => `\`${String(v)}\``).join(', ')}.`);
  if (isInput) notes.push(...limits({ ...only, ...schema }));
  const example = schema.example ?? only?.example;
  if (example !== undefined) notes.push(`Example: \`${JSON.stringify(example)}\`.`);
  return notes.join(' ');
}

function limits(schema: Schema): string[] {
  const { minimum, maximum, maxLength, maxItems } = schema;
  const out: string[] = [];
  if (minimum !== undefined && maximum !== undefined) out.push(`${minimum} to ${maximum}.`);
  else if (minimum !== undefined) out.push(`At least ${minimum}.`);
  else if (maximum !== undefined) out.push(`At most ${maximum}.`);
  if (maxLength !== undefined) out.push(`At most ${maxLength} characters.`);
  if (maxItems !== undefined) out.push(`At most ${maxItems} entries.`);
  if (schema.default !== undefined) out.push(`Default \`${JSON.stringify(schema.default)}\`.`);
  return out;
}
