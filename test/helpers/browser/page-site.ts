import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

type Page = readonly [status: number, headers: Record<string, string>, body: string];

const PAGES: Readonly<Record<string, Page>> = {
  '/prices': [
    200,
    { 'content-type': 'text/html; charset=utf-8' },
    '<h1>Prices</h1><p>A cleaning costs 80 dollars.</p>',
  ],
  '/moved': [302, { location: '/moved-again' }, ''],
  '/moved-again': [301, { location: '/prices' }, ''],
  '/loop': [302, { location: '/loop' }, ''],
  '/inner': [302, { location: 'http://10.0.0.1/secret' }, ''],
  '/file-scheme': [302, { location: 'file:///etc/passwd' }, ''],
  '/image': [200, { 'content-type': 'image/png' }, 'x'],
  '/huge': [200, { 'content-type': 'text/plain' }, 'word '.repeat(2_200_000)],
  '/large': [200, { 'content-type': 'text/plain' }, 'This is a sentence of the handbook. '.repeat(290_000)],
  '/gone': [404, {}, ''],
};

export interface PageSite {
  readonly url: string;
  /** Requested paths, in order. */
  readonly seen: string[];
  close(): Promise<void>;
}

/** A web site on loopback: a page with text, redirects, and unreadable pages. */
export async function startPageSite(): Promise<PageSite> {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(request.url ?? '');
    // Never answered.
    if (request.url?.startsWith('/hangs') === true) return;
    const [status, headers, body] = PAGES[request.url ?? ''] ?? [404, {}, ''];
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
