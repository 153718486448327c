import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FileServer {
  readonly url: string;
  set(path: string, content: string | Uint8Array): void;
  setVersion(path: string, etag: string): void;
  /** Cuts every open connection; later answers are whole again. */
  hangUp(): void;
  /** Answers for the path stop after so many bytes and stay open; null: no longer. */
  stallAfter(path: string, bytes: number | null): void;
  /** Requests after the next `count` are closed without an answer. */
  refuseAfter(count: number): void;
  /** The Range header of each request for the path that was answered. */
  ranges(path: string): readonly (string | null)[];
  close(): Promise<void>;
}

/** A web server on loopback that serves files with ranges, and fails as it is told. */
export async function startFileServer(files: Readonly<Record<string, string>>): Promise<FileServer> {
  const contents = new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)]));
  const versions = new Map<string, string>();
  const stalls = new Map<string, number>();
  const asked: { path: string; range: string | null }[] = [];
  let left = Infinity;
  const server = createServer((request, response) => {
    const path = (request.url ?? '').slice(1);
    if (left-- <= 0) {
      request.socket.destroy();
      return;
    }
    const content = contents.get(path);
    if (content === undefined) {
      response.writeHead(404).end();
      return;
    }
    const etag = versions.get(path) ?? '"1"';
    const range = request.headers.range ?? null;
    asked.push({ path, range });
    const isRest = range !== null && request.headers['if-range'] === etag;
    const from = isRest ? Number(/\d+/.exec(range)?.[0]) : 0;
    response.writeHead(isRest ? 206 : 200, {
      etag,
      'content-length': content.length - from,
      ...(isRest ? { 'content-range': `bytes ${from}-${content.length - 1}/${content.length}` } : {}),
    });
    const stall = stalls.get(path);
    if (stall !== undefined) response.write(content.subarray(from, from + stall));
    else response.end(content.subarray(from));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    set: (path, content) => void contents.set(path, Buffer.from(content)),
    setVersion: (path, etag) => void versions.set(path, etag),
    hangUp: () => {
      stalls.clear();
      server.closeAllConnections();
    },
    stallAfter: (path, bytes) => {
      if (bytes === null) stalls.delete(path);
      else stalls.set(path, bytes);
    },
    refuseAfter: (count) => {
      left = count;
    },
    ranges: (path) => asked.filter((one) => one.path === path).map(({ range }) => range),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
