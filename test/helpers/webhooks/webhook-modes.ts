import { createServer, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** Behaviour of a receiver, and the expected log entry of an attempt. */
export interface ReceiverMode {
  readonly name: string;
  readonly status: number | null;
  readonly error: string | null;
  /** Approximate duration of an attempt, in ms. */
  readonly takesMs: number;
}

type Behave = (response: ServerResponse) => void;
const answer =
  (status: number): Behave =>
  (response) =>
    response.writeHead(status, { location: '/elsewhere' }).end(status === 204 ? undefined : '{}');
const later =
  (ms: number): Behave =>
  (response) => {
    setTimeout(() => response.destroyed || response.end('{}'), ms);
  };

const BEHAVIOUR: Readonly<Record<string, Behave>> = {
  '200': answer(200),
  '201': answer(201),
  '204': answer(204),
  '301': answer(301),
  '500': answer(500),
  'slow 29.9 s': later(29_900),
  'slow 31 s': later(31_000),
  drip: (response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('.'), 500);
    response.on('close', () => clearInterval(timer));
  },
  huge: (response) => {
    response.writeHead(200);
    const more = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536)));
    };
    response.on('drain', more);
    more();
  },
  'hangs up': (response) => response.destroy(),
};

export const MODES: readonly ReceiverMode[] = [
  { name: '200', status: 200, error: null, takesMs: 0 },
  { name: '201', status: 201, error: null, takesMs: 0 },
  { name: '204', status: 204, error: null, takesMs: 0 },
  { name: '301', status: 301, error: null, takesMs: 0 },
  { name: '500', status: 500, error: null, takesMs: 0 },
  { name: 'slow 29.9 s', status: 200, error: null, takesMs: 29_900 },
  { name: 'slow 31 s', status: null, error: 'timeout', takesMs: 30_000 },
  { name: 'drip', status: null, error: 'timeout', takesMs: 30_000 },
  { name: 'huge', status: 200, error: null, takesMs: 0 },
  { name: 'hangs up', status: null, error: 'network', takesMs: 0 },
  { name: 'closed', status: null, error: 'refused', takesMs: 0 },
  { name: 'bad TLS', status: null, error: 'tls', takesMs: 0 },
  { name: 'no name', status: null, error: 'dns', takesMs: 0 },
];

export interface ModeReceivers {
  urlOf(mode: ReceiverMode): string;
  /** Number of received requests; 0 in modes without a connection. */
  requests(mode: ReceiverMode): number;
  close(): Promise<void>;
}

/** Starts one receiver per mode, each on its own port. */
export async function startModeReceivers(tls: { cert: string; key: string }): Promise<ModeReceivers> {
  const urls = new Map([
    ['closed', 'http://127.0.0.1:1/hook'],
    ['no name', 'http://no-such-host.invalid/hook'],
  ]);
  const servers: Server[] = [];
  const requests = new Map<string, number>();
  for (const [name, behave] of Object.entries(BEHAVIOUR)) {
    const server = createServer({ requestTimeout: 0 }, (request, response) => {
      request.resume().on('end', () => {
        behave(response);
        requests.set(name, (requests.get(name) ?? 0) + 1);
      });
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    urls.set(name, `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`);
  }
  const secure = createTlsServer(tls, (_, response) => response.end());
  servers.push(secure);
  await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
  urls.set('bad TLS', `https://127.0.0.1:${(secure.address() as AddressInfo).port}/hook`);
  return {
    urlOf: ({ name }) => urls.get(name) ?? '',
    requests: ({ name }) => requests.get(name) ?? 0,
    async close() {
      for (const server of servers) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  };
}
