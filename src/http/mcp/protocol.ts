/** Newest first. A client that asks for another one is offered the newest. */
const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26'] as const;

const INSTRUCTIONS =
  'Callwright runs AI agents that talk on the phone. To build an agent: list_voices, create_agent, create_test_case, run_test_cases, place_test_call, explain_call. Changes of the active version reach callers at once: change a copy (edit_agent with create_version), test it, then publish it with activate_version.';

/** Codes of JSON-RPC 2.0. */
export const CODES = { invalidRequest: -32_600, methodNotFound: -32_601, invalidParams: -32_602 } as const;

type Id = string | number;

/** A message of the client: a request expects an answer; a notification or an answer of the client expects none. */
export type Message =
  | { readonly kind: 'request'; readonly id: Id; readonly method: string; readonly params: Params }
  | { readonly kind: 'other' }
  | { readonly kind: 'invalid'; readonly reason: string };

export type Params = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Params =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads one JSON-RPC message. The protocol has no batches since 2025-06-18. */
export function readMessage(body: unknown): Message {
  if (!isObject(body)) return { kind: 'invalid', reason: 'the body must be one JSON-RPC message' };
  const { jsonrpc, id, method, params = {} } = body;
  if (jsonrpc !== '2.0') return { kind: 'invalid', reason: 'jsonrpc must be "2.0"' };
  if (method === undefined && ('result' in body || 'error' in body)) return { kind: 'other' };
  if (typeof method !== 'string') return { kind: 'invalid', reason: 'method must be text' };
  if (!isObject(params)) return { kind: 'invalid', reason: 'params must be an object' };
  if (id === undefined) return { kind: 'other' };
  if (typeof id !== 'string' && typeof id !== 'number')
    return { kind: 'invalid', reason: 'id must be text or a number' };
  return { kind: 'request', id, method, params };
}

/** The arguments of tools/call; null: they are not of the shape. */
export function readToolCall(params: Params): { readonly name: string; readonly given: Params } | null {
  const { name, arguments: given = {} } = params;
  return typeof name === 'string' && isObject(given) ? { name, given } : null;
}

/** Whether the version of a header `MCP-Protocol-Version` is spoken here; without one it is 2025-03-26. */
export const speaks = (version: unknown): boolean =>
  version === undefined || VERSIONS.some((known) => known === version);

/** The result of initialize. `version`: of the service. */
export const initialized = (params: Params, version: string): object => ({
  protocolVersion: VERSIONS.find((known) => known === params['protocolVersion']) ?? VERSIONS[0],
  capabilities: { tools: {} },
  serverInfo: { name: 'callwright', title: 'Callwright', version },
  instructions: INSTRUCTIONS,
});

export const resultOf = (id: Id, result: object): object => ({ jsonrpc: '2.0', id, result });

/** `id` null: the message has none that could be read. */
export const failureOf = (id: Id | null, code: number, message: string): object => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
});
