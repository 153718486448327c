import type { IncomingMessage } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { createTestDatabase } from '../helpers/database/database.ts';
import { throughEverySurface, type Endings } from '../helpers/api/send-to-every-operation.ts';
import { INSIDE_NAMES, namesTo, toPort } from '../helpers/api/hostile-addresses.ts';
import { startInnerServer, type InnerServer } from '../helpers/api/inner-server.ts';
import { NAME_SERVER } from '../helpers/service/name-server-preload.ts';
import { startNameServer } from '../helpers/service/name-server.ts';
import { provisionWith } from '../helpers/service/scenario.ts';
import { startService } from '../helpers/service/service.ts';
import { openToAll } from '../helpers/service/open-addresses.ts';

const cleanUp: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of cleanUp.splice(0).toReversed()) await close();
});

const PRELOAD = new URL('../helpers/service/name-server-preload.ts', import.meta.url);

/** Runs the unmodified program with a test name server; returns the outcome per address. */
async function endingsOf(
  urls: readonly string[],
  allow: string,
  answer: (name: string, nth: number) => readonly string[],
): Promise<ReadonlyMap<string, Endings>> {
  const names = await startNameServer(answer);
  cleanUp.push(() => names.close());
  const database = await createTestDatabase();
  cleanUp.push(() => database.close());
  const service = await startService({
    provision: provisionWith({}),
    readyTimeoutMs: 240_000,
    env: {
      DATABASE_URL: database.url,
      SAFE_FETCH_ALLOW: allow,
      NODE_OPTIONS: `--import ${PRELOAD.href}`,
      [NAME_SERVER]: names.address,
    },
  });
  cleanUp.push(() => service.dispose());
  return throughEverySurface(service, database.db, urls);
}

async function inside(...options: Parameters<typeof startInnerServer>): Promise<InnerServer> {
  const server = await startInnerServer(...options);
  cleanUp.push(() => server.close());
  return server;
}
const insideNames = (name: string, nth: number): readonly string[] => INSIDE_NAMES[name]?.(nth) ?? [];

const all = (endings: Readonly<Record<string, RegExp>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(endings).map(([name, ending]) => [name, [expect.stringMatching(ending)]]),
  );

/** Expected errors if the connection is refused or the name does not resolve. */
const UNREACHED = {
  'test event': /^(?:blocked|dns)$/,
  subscription: /^(?:blocked|dns)$/,
  call: /^(?:blocked|dns)$/,
  campaign: /^(?:blocked|dns)$/,
  'tool before a call': /^(?:blocked|dns)$/,
  'MCP server': /^not reached$/,
  'tool after a call': /^(?:blocked|PostCallToolFailed)$/,
  knowledge: /^(?:leads to an inner address that SAFE_FETCH_ALLOW does not list for knowledge|Unreachable)$/,
};

// Literal addresses are refused when they are saved: hostile-addresses-saved.test.ts.
it('no byte reaches an internal address behind a name that a workspace enters, through any operation', async () => {
  const server = await inside();
  const urls = namesTo(server.port);
  const endings = await endingsOf(urls, '', insideNames);
  for (const url of urls) expect([url, endings.get(url)]).toEqual([url, all(UNREACHED)]);
  expect(server.touched()).toBe(0);
});

/** Only knowledge pages follow redirects; for everything else a redirect is the response. */
const LED_INSIDE = {
  'test event': /^status 307$/,
  subscription: /^status 307$/,
  call: /^status 307$/,
  campaign: /^status 307$/,
  'tool before a call': /^status 302$/,
  'MCP server': /^not reached$/,
  'tool after a call': /^PostCallToolFailed/,
  knowledge:
    /^leads to an (?:inner address that SAFE_FETCH_ALLOW does not list for knowledge|address that is not an http or https URL)$/,
};

/** The operation that this request belongs to. */
function operationOf({ url = '', headers }: IncomingMessage): keyof typeof LED_INSIDE {
  const query = url.split('?')[1];
  if (query !== undefined) return query === 'called' ? 'call' : (query as 'subscription' | 'campaign');
  if (headers['idempotency-key'] !== undefined) return 'tool after a call';
  const agent = String(headers['user-agent']);
  if (agent.startsWith('Callwright-Webhooks')) return 'test event';
  if (agent.startsWith('Callwright-Knowledge')) return 'knowledge';
  return agent.startsWith('ai-sdk') ? 'MCP server' : 'tool before a call';
}

it('no byte reaches an internal address through a redirect of a public one, for any operation', async () => {
  const server = await inside();
  const addresses = ['http://127.1:PORT/', 'http://[::ffff:7f00:1]:PORT/', 'http://0:PORT/', '//[::1]:PORT/'];
  const elsewhere = ['http://169.254.169.254/latest/', 'file:///etc/passwd'];
  const targets = [...toPort(addresses, server.port), ...namesTo(server.port), ...elsewhere];
  const requested = new Map(targets.map((_, nth) => [`/${nth}`, new Set<string>()]));
  const outside = await inside((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://x/');
    requested.get(pathname)?.add(operationOf(request));
    const location = Buffer.from(targets[Number(pathname.slice(1))] ?? '').toString('latin1');
    response.writeHead(request.method === 'GET' ? 302 : 307, { location }).end();
  }, '127.0.0.9');
  const urls = targets.map((_, nth) => `http://127.0.0.9:${outside.port}/${nth}`);
  const endings = await endingsOf(urls, openToAll('127.0.0.9').join(','), insideNames);
  for (const url of urls) expect([url, endings.get(url)]).toEqual([url, all(LED_INSIDE)]);
  for (const [path, surfaces] of requested) {
    expect([path, [...surfaces].toSorted()]).toEqual([path, Object.keys(LED_INSIDE).toSorted()]);
  }
  expect(server.touched()).toBe(0);
});
