import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errors } from '../../errors.ts';
import type { Server } from '../server/type-provider.ts';

/** One built file of the dashboard, in memory. */
interface WebFile {
  readonly bytes: Buffer;
  /** The Brotli copy that the build made; null: the file is sent as it is. */
  readonly brotli: Buffer | null;
  readonly type: string;
  readonly etag: string;
}
/** The built dashboard by path, such as `/assets/index-1a2b3c.js`. */
export type WebFiles = ReadonlyMap<string, WebFile>;

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};
const SHELL = '/index.html';
/** The API reference, which `/docs` serves. */
export const REFERENCE = '/reference.html';
/** Pages of any origin may load the widget: it is public, and says nothing about a workspace. */
const WIDGET = '/widget/';
const WIDGET_LATEST = `${WIDGET}latest.json`;

/** Nothing inline and nothing from elsewhere: text that reaches the page cannot run or load anything. */
const CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "media-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Reads the built dashboard; null: it is not built. `earlier` has versions of the widget that other builds made, for the
 * pages whose snippets still name them.
 */
export async function readWebFiles(folder: string, earlier?: string): Promise<WebFiles | null> {
  const files = await readFiles(folder);
  if (!files.has(SHELL)) return null;
  if (earlier === undefined) return files;
  const kept = [...(await readFiles(earlier))].map(([path, file]) => [`/widget${path}`, file] as const);
  return new Map([...kept.filter(([path]) => path !== WIDGET_LATEST), ...files]);
}

async function readFiles(folder: string): Promise<Map<string, WebFile>> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const files = new Map<string, WebFile>();
  for (const name of names) {
    const isLatest = `/${name.split(sep).join('/')}` === WIDGET_LATEST;
    const type = isLatest ? 'application/json; charset=utf-8' : TYPES[extname(name)];
    if (type === undefined) continue;
    const path = join(folder, name);
    const bytes = await readFile(path);
    files.set(`/${name.split(sep).join('/')}`, {
      bytes,
      brotli: await readFile(`${path}.br`).catch(() => null),
      type,
      etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
    });
  }
  return files;
}

/** Serves the dashboard: its files, and the shell for every address that a browser opens as a page. */
export function webRoutes(app: Server, files: WebFiles): void {
  const hidden = { schema: { hide: true } };
  const shell = files.get(SHELL);
  app.get('/*', hidden, (request, reply) => {
    const [path = ''] = request.url.split('?', 1);
    // A page goes out at its own address only, with its policy.
    const file = path.endsWith('.html') ? undefined : files.get(path);
    if (file !== undefined) {
      const isWidget = path.startsWith(WIDGET);
      if (isWidget) {
        void reply.headers({
          'access-control-allow-origin': '*',
          'cross-origin-resource-policy': 'cross-origin',
        });
      }
      const isVersioned = path.startsWith('/assets/') || (isWidget && path !== WIDGET_LATEST);
      return sendFile(request, reply, file, isVersioned);
    }
    const isPage = request.headers.accept?.includes('text/html') === true && !/^\/[\w-]*api\//.test(path);
    if (!isPage || shell === undefined) throw errors.routeNotFound();
    void reply.headers({
      'content-security-policy': CSP,
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': 'camera=(), geolocation=(), microphone=(self)',
    });
    return sendFile(request, reply, shell, false);
  });
}

/** A file under /assets or /widget has a digest of its content in its path, so browsers may keep it forever. */
export function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: WebFile,
  isHashed: boolean,
): FastifyReply {
  void reply.headers({
    etag: file.etag,
    vary: 'accept-encoding',
    'cache-control': isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
  });
  const known = request.headers['if-none-match'];
  if (known === file.etag || known === `W/${file.etag}`) return reply.code(304).send();
  const takesBrotli = /\bbr\b/.test(request.headers['accept-encoding']?.toString() ?? '');
  if (file.brotli === null || !takesBrotli) return reply.type(file.type).send(file.bytes);
  return reply.type(file.type).header('content-encoding', 'br').send(file.brotli);
}
