import { createServer } from 'node:http';

/** What the newcomer's backend received. */
export interface Received {
  readonly path: string;
  readonly headers: Headers;
  readonly raw: string;
}

/** The newcomer's own backend: a tool, a receiver of events, and a language model of one's own (OpenAI-compatible). */
export interface Backend {
  readonly url: string;
  readonly received: Received[];
  /** Whether the language model answers; otherwise it answers 500. */
  modelWorks: boolean;
  close(): void;
}

export async function startBackend(): Promise<Backend> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const raw = Buffer.concat(chunks).toString();
      const path = request.url ?? '';
      received.push({ path, headers: new Headers(request.headers as Record<string, string>), raw });
      if (!path.endsWith('/chat/completions')) {
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"slot":"ten"}');
      } else if (backend.modelWorks) {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).end(completion(raw));
      } else response.writeHead(500).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const backend: Backend = {
    url: `http://127.0.0.1:${port}`,
    received,
    modelWorks: true,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return backend;
}

interface Asked {
  readonly model?: string;
  readonly messages: readonly { readonly role: string }[];
  readonly response_format?: unknown;
}
const PLACE = { id: 'x', object: 'chat.completion.chunk', created: 0, model: 'own' };
const USAGE = { prompt_tokens: 9, completion_tokens: 9, total_tokens: 18 };
const GOODBYE = { index: 0, id: 'c1', type: 'function', function: { name: 'end_call', arguments: '{}' } };

/** A streamed answer: two questions, then a goodbye that ends the call; for a schema an object. */
function completion(raw: string): string {
  const { messages, response_format: schema } = JSON.parse(raw) as Asked;
  const isLast = messages.filter(({ role }) => role === 'user').length > 2;
  const piece = (delta: object, reason: string | null) =>
    `data: ${JSON.stringify({
      ...PLACE,
      choices: [{ index: 0, delta, finish_reason: reason }],
      ...(reason === null ? {} : { usage: USAGE }),
    })}\n\n`;
  const say = (content: string, more: object = {}) => piece({ role: 'assistant', content, ...more }, null);
  const pieces =
    schema !== undefined
      ? say('{"suits":true}') + piece({}, 'stop')
      : isLast
        ? say('Thank you, goodbye.') + piece({ tool_calls: [GOODBYE] }, null) + piece({}, 'tool_calls')
        : say('Monday at ten is free. Shall I book it?') + piece({}, 'stop');
  return `${pieces}data: [DONE]\n\n`;
}
