import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

/**
 * A loopback server for the streamed chat-completions protocol, with scripted replies and faults: tests, benches and demos
 * run the real adapter without a model.
 */
export interface ScriptedReply {
  /** Used for a conversation that contains this text (the last such reply wins), so an aborted request consumes none. */
  after?: string;
  /** Sent word by word. */
  text?: string;
  tools?: readonly { name: string; args: Record<string, unknown> }[];
  /** Delay between request and first byte. */
  delayMs?: number;
  betweenWordsMs?: number;
  fault?: ReplyFault;
}
/**
 * `status`: an HTTP error; `hang`: accepts and never answers; `stall`: stops after the first word; `garbage`:
 * malformed bytes; `half_chunk`: the connection closes inside a chunk; `reset`: the socket is closed;
 * `empty`: a proper stream without content.
 */
export type ReplyFault =
  | { type: 'status'; status: number }
  | { type: 'hang' | 'stall' | 'garbage' | 'half_chunk' | 'reset' | 'empty' };

export interface ReceivedRequest {
  authorization: string | null;
  body: Record<string, unknown>;
  /** The client closed the connection before the reply was complete. */
  aborted: boolean;
}

export interface FakeOpenAiServer {
  readonly baseUrl: string;
  readonly requests: readonly ReceivedRequest[];
  close(): Promise<void>;
}

const MAX_BODY = 4 * 1024 * 1024;

/**
 * Starts on an ephemeral loopback port. Request n gets reply n, and the last reply repeats. When replies have `after`, the
 * conversation alone selects the reply; the first one opens it.
 */
export async function startFakeOpenAiServer(replies: readonly ScriptedReply[]): Promise<FakeOpenAiServer> {
  const requests: ReceivedRequest[] = [];
  const timers = new Set<NodeJS.Timeout>();
  const wait = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => {
        timers.delete(timer);
        resolve();
      }, ms);
      timers.add(timer);
    });
  const server = createServer((request, response) => {
    handle(request, response, replies, requests, wait).catch(() => response.destroy());
  });
  await listen(server);
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    close: () =>
      new Promise((resolve) => {
        for (const timer of timers) clearTimeout(timer);
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const listen = (server: Server): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve());
  });

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  replies: readonly ScriptedReply[],
  requests: ReceivedRequest[],
  wait: (ms: number) => Promise<void>,
): Promise<void> {
  if (request.method !== 'POST' || request.url !== '/v1/chat/completions') {
    json(response, 404, { error: { message: 'not found', type: 'invalid_request_error' } });
    return;
  }
  const body = await readBody(request);
  if (body === null) {
    json(response, 400, { error: { message: 'unreadable body', type: 'invalid_request_error' } });
    return;
  }
  const received: ReceivedRequest = {
    authorization: request.headers.authorization ?? null,
    body,
    aborted: false,
  };
  const reply = scripted(replies, requests.length, JSON.stringify(body['messages'] ?? null));
  requests.push(received);
  response.on('close', () => {
    received.aborted = !response.writableFinished;
  });
  if (reply.delayMs !== undefined) await wait(reply.delayMs);
  if (response.destroyed) return;
  if (body['stream'] === true)
    await sendStream(response, reply, typeof body['model'] === 'string' ? body['model'] : 'fake', wait);
  else sendWhole(response, reply);
}

function scripted(replies: readonly ScriptedReply[], request: number, messages: string): ScriptedReply {
  const byText = replies.some(({ after }) => after !== undefined);
  if (!byText) return replies[Math.min(request, replies.length - 1)] ?? {};
  return replies.findLast(({ after }) => after !== undefined && messages.includes(after)) ?? replies[0] ?? {};
}

function sendWhole(response: ServerResponse, reply: ScriptedReply): void {
  const { fault } = reply;
  if (fault?.type === 'hang' || fault?.type === 'stall') return;
  if (fault?.type === 'reset' || fault?.type === 'half_chunk') response.destroy();
  else if (fault?.type === 'status') {
    json(response, fault.status, { error: { message: `scripted ${fault.status}`, type: 'server_error' } });
  } else if (fault?.type === 'garbage') {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end('{"choices": [nonsense');
  } else {
    const content = fault?.type === 'empty' ? {} : reply;
    json(response, 200, { ...envelope('chat.completion', 'fake'), choices: [whole(content)] });
  }
}

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

async function sendStream(
  response: ServerResponse,
  reply: ScriptedReply,
  model: string,
  wait: (ms: number) => Promise<void>,
): Promise<void> {
  const fault = reply.fault;
  if (fault?.type === 'hang') return;
  if (fault?.type === 'reset') {
    response.destroy();
    return;
  }
  if (fault?.type === 'status') {
    json(response, fault.status, { error: { message: `scripted ${fault.status}`, type: 'server_error' } });
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  if (fault?.type === 'garbage') {
    response.end('data: {"choices": [{"delta": nonsense\n\n\u0000\u0001 not an event\n\ndata: [1,2,3]\n\n');
    return;
  }
  const send = (delta: Record<string, unknown>, finish: string | null = null): void => {
    const chunk = {
      ...envelope('chat.completion.chunk', model),
      choices: [{ index: 0, delta, finish_reason: finish }],
    };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  send({ role: 'assistant', content: '' });
  const words = fault?.type === 'empty' ? [] : ((reply.text ?? '').match(/\S+\s*/g) ?? []);
  for (const word of words) {
    send({ content: word });
    if (fault?.type === 'stall') return;
    if (fault?.type === 'half_chunk') {
      response.write('data: {"id":"fake","object":"chat.completion.chunk","choices":[{"index":0,"del');
      await wait(200);
      response.destroy();
      return;
    }
    if (reply.betweenWordsMs !== undefined) await wait(reply.betweenWordsMs);
    if (response.destroyed) return;
  }
  const tools = fault?.type === 'empty' ? [] : (reply.tools ?? []);
  for (const [index, call] of tools.entries()) {
    const text = JSON.stringify(call.args);
    send({
      tool_calls: [
        { index, id: `call_${index}`, type: 'function', function: { name: call.name, arguments: '' } },
      ],
    });
    // Real servers stream arguments in pieces.
    for (const piece of [text.slice(0, 3), text.slice(3)].filter((part) => part !== '')) {
      send({ tool_calls: [{ index, function: { arguments: piece } }] });
    }
  }
  send({}, tools.length > 0 ? 'tool_calls' : 'stop');
  response.end('data: [DONE]\n\n');
}

const envelope = (object: string, model: string): Record<string, unknown> => ({
  id: 'fake',
  object,
  created: 0,
  model,
});

const whole = (reply: ScriptedReply): Record<string, unknown> => ({
  index: 0,
  message: {
    role: 'assistant',
    content: reply.text ?? '',
    tool_calls: (reply.tools ?? []).map((call, index) => ({
      id: `call_${index}`,
      type: 'function',
      function: { name: call.name, arguments: JSON.stringify(call.args) },
    })),
  },
  finish_reason: 'stop',
});

function json(response: ServerResponse, status: number, body: Record<string, unknown>): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
