import { unreachable } from '../shared/own-command.ts';

/** API client of the command line. Its errors carry the service's own message. */
export interface ApiClient {
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body: unknown): Promise<T>;
  /** Posts a body; resolves with the answer, unread. */
  download(path: string, body: unknown): Promise<Response>;
  /** Yields server-sent events as parsed JSON until the service closes the stream. */
  events<T>(path: string): AsyncGenerator<T>;
}

export class ServiceError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export function createApiClient(baseUrl: string, apiKey: string): ApiClient {
  const request = async (method: string, path: string, body?: unknown): Promise<Response> => {
    let response: Response;
    try {
      response = await fetch(`${baseUrl}/api/v0${path}`, {
        method,
        headers: {
          'x-api-key': apiKey,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    } catch {
      throw new ServiceError(0, unreachable(baseUrl));
    }
    if (response.ok) return response;
    const answer = (await response.json().catch(() => null)) as { message?: string } | null;
    throw new ServiceError(
      response.status,
      answer?.message ?? `the service responded with status ${response.status}`,
    );
  };
  return {
    get: async <T>(path: string) => (await (await request('GET', path)).json()) as T,
    post: async <T>(path: string, body: unknown) => (await (await request('POST', path, body)).json()) as T,
    download: (path, body) => request('POST', path, body),
    async *events<T>(path: string) {
      const response = await request('GET', path);
      if (response.body === null) return;
      let buffered = '';
      for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
        buffered += chunk;
        let end = buffered.indexOf('\n\n');
        while (end >= 0) {
          const block = buffered.slice(0, end);
          buffered = buffered.slice(end + 2);
          end = buffered.indexOf('\n\n');
          const data = block
            .split('\n')
            .filter((line) => line.startsWith('data:'))
            .map((line) => line.slice(5).trimStart())
            .join('\n');
          if (data !== '') yield JSON.parse(data) as T;
        }
      }
    },
  };
}
