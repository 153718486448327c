import { OPERATIONS, type Operations } from './operations.ts';
import { requestOf, type Operation } from './request.ts';
import { send } from './send.ts';
import { settingsOf, type ClientOptions, type RequestOptions } from './options.ts';

export type OperationName = keyof Operations;
type Input<O extends OperationName> = Operations[O]['input'];
type Call<O extends OperationName> =
  object extends Input<O>
    ? (input?: Input<O>, options?: RequestOptions) => Promise<Operations[O]['answer']>
    : (input: Input<O>, options?: RequestOptions) => Promise<Operations[O]['answer']>;

/** One function per operation. Path, query and body fields are passed in one object; endpoints that take files also accept `{ form }`. */
export type Client = { readonly [O in OperationName]: Call<O> };

/**
 * A client of one workspace. Throws TypeError without an address or a key. Its functions throw CallwrightError. Idempotent
 * requests are retried after 429, 5xx and broken connections, with exponential backoff.
 */
export function createClient(options: ClientOptions = {}): Client {
  const settings = settingsOf(options);
  const operations = Object.entries(OPERATIONS) as [string, Operation][];
  return Object.fromEntries(
    operations.map(([name, operation]) => [
      name,
      // async, so that an input that cannot be sent rejects instead of throwing.
      async (input: Record<string, unknown> = {}, request: RequestOptions = {}) =>
        send(settings, request, requestOf(operation, input)),
    ]),
  ) as unknown as Client;
}
