import { endpointsOf, type Endpoint, type OpenApi, type Schema } from '../src/http/reference/document.ts';

/** The SDK's types and table of operations, made of the OpenAPI document. */
export function clientTypes(document: OpenApi): string {
  const endpoints = endpointsOf(document).filter((e) => e.path.startsWith('/api/'));
  const models = Object.entries(document.components?.schemas ?? {}).map(
    ([name, schema]) => `${doc(schema, '')}export type ${name}Body = ${typeText(schema, 0)};`,
  );
  return [
    '// Made by `npm run openapi` of the service: not for editing.\n/* oxlint-disable max-lines */\n',
    ...models,
    '',
    '/** What each operation takes and answers. */',
    'export interface Operations {',
    ...endpoints.map(operation),
    '}',
    '',
    '/** Where each operation lives. `form`: takes multipart; `idempotent`: takes an Idempotency-Key. */',
    'export const OPERATIONS = {',
    ...endpoints.map(entry),
    '} as const;',
    '',
  ].join('\n');
}

function operation(endpoint: Endpoint): string {
  const { parameters = [], requestBody, responses, operationId } = endpoint;
  const params = parameters.filter((p) => p.in !== 'header');
  const input = params.map((p) => ({
    key: p.name,
    schema: p.description === undefined ? p.schema : { ...p.schema, description: p.description },
    required: p.required === true || p.in === 'path',
  }));
  const body = requestBody?.content['application/json']?.schema;
  const isForm = requestBody?.content['multipart/form-data'] !== undefined;
  const parts = [
    ...(input.length > 0 ? [object(input, 2)] : []),
    ...(body === undefined ? [] : [parenthesised(typeText(body, 2))]),
    ...(isForm ? ['{ form: FormData }'] : []),
  ];
  const ok = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
  const answer = ok?.content?.['application/json']?.schema;
  const text = [endpoint.summary, endpoint.description].filter((t) => t !== undefined).join('. ');
  return [
    `  /** ${comment(text)} */`,
    `  ${operationId}: {`,
    `    input: ${parts.length === 0 ? 'object' : parts.join(' & ')};`,
    `    answer: ${answer === undefined ? 'Response' : typeText(answer, 2)};`,
    '  };',
  ].join('\n');
}

function entry(endpoint: Endpoint): string {
  const { parameters = [], requestBody, responses } = endpoint;
  const names = (place: string): string =>
    JSON.stringify(parameters.filter((p) => p.in === place).map((p) => p.name)).replaceAll('"', "'");
  const ok = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
  const facts = [
    `method: '${endpoint.method}'`,
    `path: '${endpoint.path}'`,
    `query: ${names('query').replaceAll(',', ', ')}`,
    `hasBody: ${requestBody?.content['application/json'] !== undefined}`,
    `isForm: ${requestBody?.content['multipart/form-data'] !== undefined}`,
    `isJson: ${ok?.content?.['application/json'] !== undefined}`,
    `isIdempotent: ${parameters.some((p) => p.name === 'idempotency-key')}`,
  ];
  return `  ${endpoint.operationId}: {\n${facts.map((fact) => `    ${fact},\n`).join('')}  },`;
}

const isName = (key: string): boolean => /^[A-Za-z_$][\w$]*$/.test(key);
const comment = (text: string): string => text.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ');
const parenthesised = (type: string): string => (/^\{|^\w+$/.test(type) ? type : `(${type})`);

function doc(schema: Schema, indent: string): string {
  return schema.description === undefined ? '' : `${indent}/** ${comment(schema.description)} */\n`;
}

function object(
  fields: readonly { key: string; schema: Schema; required: boolean }[],
  depth: number,
  rest = '',
): string {
  const indent = '  '.repeat(depth + 1);
  const lines = fields.map(({ key, schema, required }) => {
    const name = isName(key) ? key : JSON.stringify(key);
    return `${doc(schema, indent)}${indent}${name}${required ? '' : '?'}: ${typeText(schema, depth + 1)};\n`;
  });
  return `{\n${lines.join('')}${rest}${'  '.repeat(depth)}}`;
}

function typeText(schema: Schema, depth: number): string {
  if (schema.$ref !== undefined) return `${schema.$ref.split('/').at(-1)}Body`;
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants !== undefined) return [...new Set(variants.map((v) => typeText(v, depth)))].join(' | ');
  if (schema.allOf !== undefined) {
    return schema.allOf.map((v) => parenthesised(typeText(v, depth))).join(' & ');
  }
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((v) => JSON.stringify(v)).join(' | ');
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  if (types.length === 0) return schema.properties === undefined ? 'unknown' : named({ ...schema }, depth);
  return types.map((type) => simple(type, schema, depth)).join(' | ');
}

function simple(type: string, schema: Schema, depth: number): string {
  if (type === 'integer') return 'number';
  if (type === 'array') {
    return `Array<${schema.items === undefined ? 'unknown' : typeText(schema.items, depth)}>`;
  }
  return type === 'object' ? named(schema, depth) : type;
}

function named(schema: Schema, depth: number): string {
  const fields = Object.entries(schema.properties ?? {}).map(([key, inner]) => ({
    key,
    schema: inner,
    required: schema.required?.includes(key) === true,
  }));
  const { additionalProperties: more } = schema;
  if (fields.length === 0) {
    return typeof more === 'object' ? `Record<string, ${typeText(more, depth)}>` : 'Record<string, unknown>';
  }
  return object(fields, depth);
}
