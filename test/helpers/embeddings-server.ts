import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { wordVector } from './word-vectors.ts';

/**
 * A loopback server for the embeddings protocol, with hashed word vectors (word-vectors.ts) and scripted faults: tests
 * and benches run the real adapter without a model.
 */
export interface EmbeddingsBehaviour {
  /** Delay between request and response. */
  delayMs?: number;
  fault?: EmbeddingsFault | null;
  /** Vector length for requests without `dimensions`. */
  dimensions?: number;
  /** A request with a text that contains this is refused, as if it were too long. */
  refuses?: string;
}
/**
 * `status`: an HTTP error; `hang`: accepts and never answers; `garbage`: bytes that are no JSON; `reset`: the socket
 * is closed; `fewer`: a vector is missing; `longer`: vectors longer than requested; `null`: no numbers.
 */
export type EmbeddingsFault =
  | { type: 'status'; status: number }
  | { type: 'hang' | 'garbage' | 'reset' | 'fewer' | 'longer' | 'null' };

export interface EmbeddingsRequest {
  readonly authorization: string | null;
  readonly model: unknown;
  readonly texts: readonly string[];
  readonly dimensions: unknown;
}
export interface FakeEmbeddingsServer {
  readonly baseUrl: string;
  readonly requests: readonly EmbeddingsRequest[];
  /** Mutable; changes apply to later requests. */
  readonly behaviour: EmbeddingsBehaviour;
  close(): Promise<void>;
}

const DIMENSIONS = 512;
const MAX_BODY = 8 * 1024 * 1024;
const MAX_TEXTS = 2048;

/** Starts on an ephemeral loopback port. */
export async function startFakeEmbeddingsServer(
  behaviour: EmbeddingsBehaviour = {},
): Promise<FakeEmbeddingsServer> {
  const requests: EmbeddingsRequest[] = [];
  const timers = new Set<NodeJS.Timeout>();
  const server = createServer((request, response) => {
    answer(request, response, requests, behaviour, timers).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve());
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    behaviour,
    close: () =>
      new Promise((resolve) => {
        for (const timer of timers) clearTimeout(timer);
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  requests: EmbeddingsRequest[],
  behaviour: EmbeddingsBehaviour,
  timers: Set<NodeJS.Timeout>,
): Promise<void> {
  if (request.method !== 'POST' || request.url !== '/v1/embeddings') {
    return send(response, 404, { error: { message: 'not found', type: 'invalid_request_error' } });
  }
  const body = await readBody(request);
  const texts = typeof body?.['input'] === 'string' ? [body['input']] : body?.['input'];
  if (!isTexts(texts)) {
    return send(response, 400, { error: { message: 'unusable input', type: 'invalid_request_error' } });
  }
  requests.push({
    authorization: request.headers.authorization ?? null,
    model: body?.['model'],
    texts,
    dimensions: body?.['dimensions'],
  });
  const { delayMs = 0, fault = null, dimensions = DIMENSIONS, refuses } = { ...behaviour };
  if (delayMs > 0) {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        timers.delete(timer);
        resolve();
      }, delayMs);
      timers.add(timer);
    });
  }
  if (response.destroyed) return undefined;
  if (refuses !== undefined && texts.some((text) => text.includes(refuses))) {
    return send(response, 400, { error: { message: 'input is too long', type: 'invalid_request_error' } });
  }
  const length = typeof body?.['dimensions'] === 'number' ? body['dimensions'] : dimensions;
  return respond(response, fault, texts, length);
}

function respond(
  response: ServerResponse,
  fault: EmbeddingsFault | null,
  texts: readonly string[],
  dimensions: number,
): void {
  if (fault?.type === 'hang') return;
  if (fault?.type === 'reset') {
    response.destroy();
    return;
  }
  if (fault?.type === 'status') {
    send(response, fault.status, { error: { message: `scripted ${fault.status}`, type: 'server_error' } });
    return;
  }
  if (fault?.type === 'garbage') {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"data": [nonsense');
    return;
  }
  const length = fault?.type === 'longer' ? dimensions + 1 : dimensions;
  const data = texts.map((text, index) => ({
    object: 'embedding',
    index,
    embedding: fault?.type === 'null' ? null : wordVector(text, length),
  }));
  // Real servers may return vectors out of order.
  const sent = (fault?.type === 'fewer' ? data.slice(1) : data).toReversed();
  send(response, 200, {
    object: 'list',
    model: 'fake',
    data: sent,
    usage: { prompt_tokens: 0, total_tokens: 0 },
  });
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.length <= MAX_TEXTS &&
  value.every((text) => typeof text === 'string' && text !== '');

async function readBody(request: IncomingMessage): Promise<Record<string, unknown> | null> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_BODY) return null;
    parts.push(part);
  }
  try {
    const value: unknown = JSON.parse(Buffer.concat(parts).toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function send(response: ServerResponse, status: number, body: Record<string, unknown>): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
