import { setTimeout as sleep } from 'node:timers/promises';
import { unreachable } from '../../shared/own-command.ts';
import { ServiceError } from '../api-client.ts';
import type { JsonObject } from '../../http/agents/document/document.ts';

export type Method = 'POST' | 'PATCH' | 'DELETE';

/** The API of the service, by a key. Each call throws ServiceError. */
export interface Service {
  get<T>(path: string): Promise<T>;
  /** With the ETag of the answer. */
  tagged(path: string): Promise<{ body: JsonObject; tag: string }>;
  /** `ifMatch`: only if the agent is still as that tag names it. */
  send<T = JsonObject>(method: Method, path: string, body?: JsonObject, ifMatch?: string): Promise<T>;
}

/** A refusal with the body of its answer, which names what moved. */
export class RefusedRequest extends ServiceError {
  readonly body: JsonObject;
  constructor(status: number, message: string, body: JsonObject) {
    super(status, message);
    this.body = body;
  }
}

/** Waits for the rate limit of the workspace so often, each time as long as the answer says. */
const MOST_WAITS = 10;
const WAIT_SECONDS = 1;

export function createService(baseUrl: string, apiKey: string): Service {
  const request = async (
    method: string,
    path: string,
    body?: JsonObject,
    ifMatch?: string,
  ): Promise<Response> => {
    for (let waits = 0; ; waits += 1) {
      const response = await fetch(`${baseUrl}/api/v0${path}`, {
        method,
        headers: {
          'x-api-key': apiKey,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }).catch(() => {
        throw new ServiceError(0, unreachable(baseUrl));
      });
      if (response.ok) return response;
      const answer = (await response.json().catch(() => ({}))) as JsonObject;
      if (response.status === 429 && waits < MOST_WAITS) {
        await sleep(Number(response.headers.get('retry-after') ?? WAIT_SECONDS) * 1000);
        continue;
      }
      const said = answer['message'];
      const message =
        typeof said === 'string' ? said : `the service responded with status ${response.status}`;
      throw new RefusedRequest(response.status, message, answer);
    }
  };
  return {
    get: async <T>(path: string) => (await (await request('GET', path)).json()) as T,
    async tagged(path: string) {
      const response = await request('GET', path);
      return { body: (await response.json()) as JsonObject, tag: response.headers.get('etag') ?? '' };
    },
    send: async <T>(method: Method, path: string, body?: JsonObject, ifMatch?: string) =>
      (await (await request(method, path, body, ifMatch)).json()) as T,
  };
}
