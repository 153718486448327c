import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import type { FakeReply } from './model-reply.ts';

/** Delays and faults of a fake vendor; a change applies to the next message. */
export interface FakeSettings {
  /** The only key that is accepted; null: any key but none. */
  key: string | null;
  /** Delay of every message, of the first one of a connection, and of the first audio of a text. */
  resultMs: number;
  firstByteMs: number;
  speechMs: number;
  /** Speech comes this many times faster than it plays, in pieces of `chunkMs`; 0: all at once. */
  speed: number;
  chunkMs: number;
  /** Silence after which a turn may be over, and is over. */
  eagerMs: number;
  endMs: number;
  /** The same where the words have no mark of an end; null: no difference. Deepgram's Flux has it. */
  openEndMs: number | null;
  /** Words that Flux recognises before they end, once they have sounded for `guessMs`; the first that fits counts. */
  lexicon: readonly string[];
  guessMs: number;
  /** Status with which requests and upgrades are refused; 0: none are. */
  refuse: number;
  /** Accepts connections, reads, and never answers. */
  hang: boolean;
  /** Answers with messages that are not of the protocol. */
  garbage: boolean;
  /** Drops the connection without a closing handshake after this much of its audio, once; null: never. */
  cutAtMs: number | null;
  /** Sends no more speech after this much of it, once, and keeps the connection; null: never. */
  stallAtMs: number | null;
  /** Status in whose words the next text is refused on an open connection, once; 0: none is. */
  failNext: number;
  /** Speech that still arrives after it was cancelled, ms. */
  lateMs: number;
  /** Every second piece of speech is an odd number of bytes. */
  oddBytes: boolean;
  /** Names in the vendor's other spelling, where it has two. */
  otherSpelling: boolean;
  /** Language models: delay between words, and scripted replies; without any the agent repeats the caller. */
  wordMs: number;
  replies: readonly FakeReply[];
  /** Drops the next reply of a language model before this word, counted from 0, once; null: never. */
  cutAtWord: number | null;
  /** `retry-after` of refusals, in seconds; null: none. */
  retryAfterS: number | null;
  /** Speech to speech: the caller is understood, but not transcribed. */
  isUntranscribed: boolean;
  /** Speech to speech: a connection ends after this much audio (null: never), and Gemini says so `noticeMs` before. */
  sessionMs: number | null;
  noticeMs: number;
  /** Gemini does not take up the session of an earlier connection. */
  forgetsSessions: boolean;
}

export const FAKE_SETTINGS: FakeSettings = {
  key: null,
  resultMs: 0,
  firstByteMs: 0,
  speechMs: 0,
  speed: 8,
  chunkMs: 200,
  eagerMs: 150,
  endMs: 400,
  openEndMs: null,
  lexicon: [],
  guessMs: 80,
  refuse: 0,
  hang: false,
  garbage: false,
  cutAtMs: null,
  stallAtMs: null,
  failNext: 0,
  lateMs: 0,
  oddBytes: false,
  otherSpelling: false,
  wordMs: 0,
  replies: [],
  cutAtWord: null,
  retryAfterS: null,
  isUntranscribed: false,
  sessionMs: null,
  noticeMs: 2_000,
  forgetsSessions: false,
};

/** A status with the vendor's own words. */
export interface Refusal {
  readonly status: number;
  readonly body: unknown;
}

/** A body that is sent as it is spoken; `start` returns what stops it when the client leaves. */
export interface FakeStream {
  readonly status: 200;
  readonly contentType: string;
  readonly start: (body: FakeBody) => () => void;
}
export interface FakeBody {
  send(data: Buffer): void;
  end(): void;
  /** Drops the connection in the middle of the body. */
  cut(): void;
}

export interface FakeRequest {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** The fake's end of a connection. */
export interface FakeConnection {
  readonly settings: FakeSettings;
  /** Sends after the delays of the settings, in order; bytes as they are, a text as text, anything else as JSON. */
  send(message: unknown): void;
  /** Closes after everything that was sent; without a code: no status. */
  close(code?: number, reason?: string): void;
  /** Reports the audio received or sent so far: the connection is cut at its limit. */
  carried(audioMs: number): void;
}

export interface FakeHandler {
  text(message: string): void;
  binary(data: Buffer): void;
  /** Called every 100 ms. */
  tick?(): void;
  closed?(): void;
}

/** A request as it arrived, also one that was refused. */
export interface FakeHttpRequest extends FakeRequest {
  readonly method: string;
  readonly body: Buffer;
  /** The client closed the connection before the whole answer was sent. */
  isAbandoned: boolean;
}

/** One vendor's protocol. */
export interface FakeProtocol {
  readonly name: string;
  /** The faulty status in the vendor's words. */
  refusal(status: number): Refusal;
  /** Answers a request that is not an upgrade; null: it does not exist. */
  http?(
    request: FakeRequest & { readonly method: string; readonly body: Buffer },
    settings: FakeSettings,
  ): Refusal | FakeStream | null;
  socket(
    request: FakeRequest,
    settings: Readonly<FakeSettings>,
  ): Refusal | ((connection: FakeConnection) => FakeHandler);
}

export interface FakeVendor {
  readonly name: string;
  readonly baseUrl: string;
  readonly settings: FakeSettings;
  /** Upgrades that were accepted, with their query. */
  readonly connections: FakeRequest[];
  /** Text messages and JSON bodies received, the newest last. */
  readonly received: string[];
  /** Requests that were no upgrades, refused ones included, the newest last. */
  readonly requests: FakeHttpRequest[];
  /** Connections that are open now. */
  open(): number;
  /** Drops every open connection without a closing handshake. */
  cut(): void;
  close(): Promise<void>;
}

const MOST_KEPT = 1_000;

/** Starts a fake on loopback. `PUT /fake/settings` changes its settings, `GET` shows them. */
export async function startFakeVendor(
  protocol: FakeProtocol,
  { port = 0, settings: given = {} }: { port?: number; settings?: Partial<FakeSettings> } = {},
): Promise<FakeVendor> {
  const settings: FakeSettings = { ...FAKE_SETTINGS, ...given };
  const connections: FakeRequest[] = [];
  const requests: FakeVendor['requests'] = [];
  const received: string[] = [];
  const record = (message: string): void => {
    received.push(message);
    if (received.length > MOST_KEPT) received.shift();
  };
  const server = createServer((request, response) => {
    void answer(request, response, protocol, settings, (asked) => {
      requests.push(asked);
      if (requests.length > MOST_KEPT) requests.shift();
      if (asked.headers['content-type']?.startsWith('application/json') === true)
        record(asked.body.toString('utf8'));
    });
  });
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 16_777_216 });
  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    stream.on('error', () => undefined);
    const asked = requestOf(request);
    const accepted =
      settings.refuse === 0 ? protocol.socket(asked, settings) : protocol.refusal(settings.refuse);
    if (typeof accepted !== 'function') return refuse(stream, accepted);
    sockets.handleUpgrade(request, stream, head, (socket) => {
      connections.push(asked);
      serve(socket, accepted, settings, record);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const { port: bound } = server.address() as AddressInfo;
  return {
    name: protocol.name,
    baseUrl: `http://127.0.0.1:${bound}`,
    settings,
    connections,
    requests,
    received,
    open: () => sockets.clients.size,
    cut: () => drop(server, sockets),
    close: () => stop(server, sockets),
  };
}

function drop(server: Server, sockets: WebSocketServer): void {
  for (const socket of sockets.clients) socket.terminate();
  server.closeAllConnections();
}

function stop(server: Server, sockets: WebSocketServer): Promise<void> {
  drop(server, sockets);
  return new Promise((resolve) => server.close(() => resolve()));
}

function requestOf(request: IncomingMessage): FakeRequest {
  const url = new URL(request.url ?? '/', 'http://fake');
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
  );
  return { path: url.pathname, query: url.searchParams, headers };
}

function refuse(stream: Duplex, { status, body }: Refusal): void {
  const text = JSON.stringify(body);
  stream.end(
    `HTTP/1.1 ${status} Refused\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n\r\n${text}`,
  );
}

function serve(
  socket: WebSocket,
  open: (connection: FakeConnection) => FakeHandler,
  settings: FakeSettings,
  record: (message: string) => void,
): void {
  let sent = 0;
  /** Runs after the delays, in order. */
  let queue: Promise<void> = Promise.resolve();
  const later = (work: () => void): void => {
    const ms = settings.resultMs + (sent++ === 0 ? settings.firstByteMs : 0);
    const due = performance.now() + ms;
    queue = queue.then(async () => {
      const wait = due - performance.now();
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
      work();
    });
  };
  const handler = open({
    settings,
    send(message) {
      if (settings.hang) return;
      const isBytes = Buffer.isBuffer(message);
      const text = isBytes || typeof message === 'string' ? message : JSON.stringify(message);
      const garbage = (): string => `\u0000${text.toString().slice(3, 20)}`;
      later(() => socket.send(settings.garbage ? garbage() : text, () => undefined));
    },
    close(code, reason) {
      if (!settings.hang) later(() => (code === undefined ? socket.close() : socket.close(code, reason)));
    },
    carried(audioMs) {
      if (settings.cutAtMs === null || audioMs < settings.cutAtMs) return;
      settings.cutAtMs = null;
      later(() => socket.terminate());
    },
  });
  const timer = setInterval(() => handler.tick?.(), 100);
  socket.on('error', () => undefined);
  socket.on('close', () => {
    clearInterval(timer);
    handler.closed?.();
  });
  socket.on('message', (data: Buffer, isBinary) => {
    if (socket.readyState !== socket.OPEN) return;
    try {
      if (isBinary) return handler.binary(data);
      const text = data.toString('utf8');
      record(text);
      handler.text(text);
    } catch {
      socket.close(1007, 'not of the protocol');
    }
  });
}

/** Requests of the vendor's clients, and the control requests of the fake itself. */
async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  protocol: FakeProtocol,
  settings: FakeSettings,
  record: (request: FakeHttpRequest) => void,
): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const body = Buffer.concat(parts);
  const isControl = new URL(request.url ?? '/', 'http://fake').pathname === '/fake/settings';
  const reply = (status: number, body: unknown): void => {
    const { retryAfterS } = settings;
    const again = retryAfterS === null || status < 400 ? {} : { 'retry-after': String(retryAfterS) };
    response.writeHead(status, { 'content-type': 'application/json', ...again }).end(JSON.stringify(body));
  };
  if (!isControl) {
    const asked = { ...requestOf(request), method: request.method ?? 'GET', body, isAbandoned: false };
    record(asked);
    response.on('close', () => {
      asked.isAbandoned = !response.writableFinished;
    });
    if (settings.hang) return;
    await new Promise((resolve) => setTimeout(resolve, settings.resultMs + settings.firstByteMs));
    if (response.destroyed) return;
    const answered =
      settings.refuse === 0 ? protocol.http?.(asked, settings) : protocol.refusal(settings.refuse);
    if (settings.garbage) return void response.end('\u0000<html>');
    if (answered == null) return reply(404, { message: 'not found' });
    return 'start' in answered ? stream(response, answered) : reply(answered.status, answered.body);
  }
  if (request.method === 'GET') return reply(200, settings);
  if (request.method !== 'PUT') return reply(405, { message: 'GET or PUT' });
  const problem = change(settings, body.toString('utf8'));
  return problem === null ? reply(200, settings) : reply(422, { message: problem });
}

function stream(response: ServerResponse, { contentType, start }: FakeStream): void {
  response.on('error', () => undefined);
  response.writeHead(200, { 'content-type': contentType });
  response.flushHeaders();
  const stopSpeech = start({
    send: (data) => void response.write(data),
    end: () => void response.end(),
    cut: () => void response.destroy(),
  });
  response.on('close', stopSpeech);
}

/** Changes the given settings; returns what is wrong with them. */
function change(settings: FakeSettings, body: string): string | null {
  let given: unknown;
  try {
    given = JSON.parse(body);
  } catch {
    return 'the body must be JSON';
  }
  if (typeof given !== 'object' || given === null) return 'the body must be a JSON object';
  for (const [name, value] of Object.entries(given)) {
    if (!(name in FAKE_SETTINGS)) return `${name.slice(0, 40)} is not a setting`;
    const sample = FAKE_SETTINGS[name as keyof FakeSettings];
    if (Array.isArray(sample)) {
      if (!Array.isArray(value)) return `${name} must be a list`;
      continue;
    }
    const fits =
      sample === null
        ? value === null || ['string', 'number'].includes(typeof value)
        : typeof value === typeof sample;
    if (!fits) return `${name} must be ${sample === null ? 'a value or null' : `a ${typeof sample}`}`;
  }
  Object.assign(settings, given);
  return null;
}
