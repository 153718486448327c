import type { StoredApiTool, StoredSecret, ToolValue } from '../../store/json/tools.ts';
import { substitute } from './template.ts';
import { argumentsOf, isArgument } from './tool-arguments.ts';
import { isSecret } from './tool-types.ts';

export interface ToolRequest {
  readonly method: StoredApiTool['method'];
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string | null;
}
export interface RequestInput {
  readonly variables: Readonly<Record<string, string>>;
  /** Arguments from the model. */
  readonly args: Readonly<Record<string, unknown>>;
  /** Decrypts a stored text; null when another key sealed it. */
  readonly open: (value: string | StoredSecret) => string | null;
}
type Scalar = string | number | boolean;

/** A request that cannot be built; the message is for the model and the log. */
class Unfit extends Error {}

/** Builds the request of a tool, or returns the reason why it cannot be built. Pure. */
export function buildRequest(
  tool: StoredApiTool,
  input: RequestInput,
): { readonly request: ToolRequest } | { readonly error: string } {
  try {
    return { request: build(tool, input) };
  } catch (error) {
    if (error instanceof Unfit) return { error: error.message };
    throw error;
  }
}

function build(tool: StoredApiTool, input: RequestInput): ToolRequest {
  const given = argumentValues(tool, input.args);
  const valueOf = (key: string, value: ToolValue | StoredSecret): Scalar | undefined => {
    if (isArgument(value)) return given.get(value.name ?? key);
    if (typeof value === 'object' && !isSecret(value)) return input.variables[value.name];
    if (typeof value !== 'string' && !isSecret(value)) return value;
    return substitute(opened(value, input), input.variables);
  };
  const url = new URL(
    tool.url.replaceAll(/\{([^{}]+)\}/g, (_whole, name: string) =>
      pathSegment(name, valueOf(name, tool.pathParams?.[name] ?? '')),
    ),
  );
  // Defence in depth: the host was validated when the tool was stored.
  if (url.origin !== new URL(tool.url).origin) throw new Unfit('the URL has another host than the tool');
  for (const [key, value] of Object.entries(tool.query ?? {})) {
    const text = valueOf(key, value);
    if (text !== undefined) url.searchParams.append(key, String(text));
  }
  const headers = Object.fromEntries(
    Object.entries(tool.headers ?? {}).map(([name, value]) => [
      name.toLowerCase(),
      headerValue(substitute(opened(value, input), input.variables)),
    ]),
  );
  if (tool.body === undefined) return { method: tool.method, url: url.href, headers, body: null };
  const fields = Object.entries(tool.body).flatMap(([key, value]): [string, Scalar][] => {
    const field = valueOf(key, value);
    return field === undefined ? [] : [[key, field]];
  });
  const isForm = tool.bodyFormat === 'form';
  const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
  const body = isForm
    ? new URLSearchParams(fields.map(([key, value]): [string, string] => [key, String(value)])).toString()
    : JSON.stringify(nested(fields));
  return { method: tool.method, url: url.href, headers: { 'content-type': type, ...headers }, body };
}

function opened(value: string | StoredSecret, input: RequestInput): string {
  const text = input.open(value);
  if (text === null) throw new Unfit('a secret of this tool was encrypted with another key');
  return text;
}

/** One path segment, percent-encoded. */
function pathSegment(name: string, value: Scalar | undefined): string {
  const text = String(value ?? '').trim();
  if (text === '' || text === '.' || text === '..') throw new Unfit(`${name} is missing`);
  return encodeURIComponent(text);
}

/** Removes characters that end a header line or are not ASCII. */
const headerValue = (text: string): string => text.replaceAll(/[^\t\x20-\x7e]/g, '').trim();

/** The model's arguments by name, converted to their types. */
function argumentValues(
  tool: StoredApiTool,
  args: Readonly<Record<string, unknown>>,
): ReadonlyMap<string, Scalar> {
  const values = new Map<string, Scalar>();
  for (const { name, argument } of argumentsOf(tool)) {
    const raw = Object.hasOwn(args, name) ? args[name] : undefined;
    if (raw === undefined || raw === null || raw === '') {
      if (argument.required !== false) throw new Unfit(`${name} is required`);
      continue;
    }
    const value = ofType(argument.type, raw);
    if (value === null) throw new Unfit(`${name} must be ${argument.type}`);
    if (argument.enum !== undefined && !argument.enum.includes(String(value))) {
      throw new Unfit(`${name} must be one of ${argument.enum.join(', ')}`);
    }
    values.set(name, value);
  }
  return values;
}

const MAX_ARGUMENT_CHARS = 4000;

/** Converts between a number and its text, which models confuse; rejects other mismatches. */
function ofType(type: string, raw: unknown): Scalar | null {
  if (type === 'string') {
    const isPlain = typeof raw === 'string' || typeof raw === 'number' || typeof raw === 'boolean';
    return isPlain ? String(raw).slice(0, MAX_ARGUMENT_CHARS) : null;
  }
  if (type === 'boolean') {
    if (typeof raw === 'boolean') return raw;
    return raw === 'true' ? true : raw === 'false' ? false : null;
  }
  const number = typeof raw === 'number' ? raw : typeof raw === 'string' ? Number(raw) : Number.NaN;
  if (!Number.isFinite(number)) return null;
  return type === 'integer' && !Number.isInteger(number) ? null : number;
}

/** Builds nested objects from dotted keys such as `customer.phone`. */
function nested(fields: readonly (readonly [string, Scalar])[]): object {
  const body = newObject();
  for (const [key, value] of fields) {
    const parts = key.split('.');
    let at = body;
    for (const part of parts.slice(0, -1)) {
      const inner = at[part];
      at = at[part] = isObject(inner) ? inner : newObject();
    }
    at[parts.at(-1) ?? ''] = value;
  }
  return body;
}

// No prototype, so that a key such as `__proto__` is a plain property.
const newObject = (): Record<string, unknown> => Object.create(null) as Record<string, unknown>;
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
