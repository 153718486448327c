import { createClient, type Client, type ClientOptions } from '../src/index.ts';

export interface Sent {
  url: string;
  method: string;
  headers: Headers;
  body: unknown;
}
/** A client with scripted responses; the last one repeats. */
export function scripted(
  answers: readonly (() => Response)[],
  options: ClientOptions = {},
): { client: Client; sent: Sent[]; waits: number[] } {
  const sent: Sent[] = [];
  const waits: number[] = [];
  const client = createClient({
    baseUrl: 'http://callwright.test/',
    apiKey: 'key',
    fetch: (url, init) => {
      sent.push({
        url: url as string,
        method: init?.method ?? 'GET',
        headers: new Headers(init?.headers),
        body: init?.body ?? null,
      });
      return new Promise((resolve) =>
        resolve((answers[sent.length - 1] ?? answers.at(-1) ?? (() => new Response()))()),
      );
    },
    sleep: (ms) => {
      waits.push(ms);
      return Promise.resolve();
    },
    ...options,
  });
  return { client, sent, waits };
}
export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  (): Response =>
    Response.json(body, { status, headers });
export const broken = (): Response => {
  throw new TypeError('connection refused');
};
export const call = { name: 'Priya', mobile_number: '+14155550123', agent_id: 'a', from_number_id: 'n' };
