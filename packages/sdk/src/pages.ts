import type { Client, OperationName } from './client.ts';
import { OPERATIONS, type Operations } from './operations.ts';
import type { RequestOptions } from './options.ts';

/** The operations that answer page by page. */
export type ListName = {
  [O in OperationName]: Operations[O] extends { item: unknown } ? O : never;
}[OperationName];
export type ItemOf<O extends ListName> = Operations[O] extends { item: infer Item } ? Item : never;

/** The input may be left out where no field of it is required. */
type Arguments<Input> = object extends Input
  ? [input?: Input, options?: RequestOptions]
  : [input: Input, options?: RequestOptions];

interface Paged {
  /** Where the answer has the items: `calls`, `data.agents`. */
  readonly items: string;
  readonly by: 'cursor' | 'offset';
}

const PAGE = 100;

/** Every item of a list, over all pages: `for await (const call of each(client, 'listCalls', { agent_id }))`. */
export async function* each<O extends ListName>(
  client: Client,
  name: O,
  ...[input, options = {}]: Arguments<Operations[O]['input']>
): AsyncGenerator<ItemOf<O>, void, undefined> {
  const { paged } = OPERATIONS[name] as unknown as { paged: Paged };
  const list = client[name] as unknown as (input: object, options: RequestOptions) => Promise<object>;
  const given = (input ?? {}) as { limit?: number; offset?: number };
  const limit = given.limit ?? PAGE;
  let offset = given.offset ?? 0;
  let cursor: unknown;
  for (;;) {
    const from = paged.by === 'offset' ? { offset } : cursor === undefined ? {} : { cursor };
    const answer = await list({ ...given, limit, ...from }, options);
    const items = valueAt(answer, paged.items.split('.')) as ItemOf<O>[];
    yield* items;
    offset += items.length;
    cursor = (answer as { next_cursor?: unknown }).next_cursor ?? null;
    const isLast = paged.by === 'cursor' ? cursor === null : items.length < limit;
    if (isLast) return;
  }
}

const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, key) => (inner as Record<string, unknown>)[key], value);
