import { mkdtemp, readdir, rm } from 'node:fs/promises';
import {
  createServer,
  request as send,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import S3rver from 's3rver';
import type { S3Settings } from '../../../src/recordings/s3.ts';
import { freeTcpPort } from '../service/service.ts';
import { isSigned } from './s3-signature.ts';

/**
 * A third-party S3 server on loopback behind a proxy that rejects wrong signatures. It can be stopped
 * and started again with its data.
 */
export interface S3Server {
  readonly settings: S3Settings;
  /** Keys of all objects. */
  keys(): Promise<string[]>;
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  close(): Promise<void>;
}

export async function startS3Server(prefix = ''): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), 'callwright-s3-'));
  const port = await freeTcpPort();
  const bucket = 'recordings';
  const secret = 'S3RVER';
  const inner = await freeTcpPort();
  let server: S3rver | null = null;
  let door: Server | null = null;
  const comeBack = async (): Promise<void> => {
    const next = new S3rver({
      port: inner,
      address: '127.0.0.1',
      silent: true,
      directory,
      configureBuckets: [{ name: bucket }],
    });
    await next.run();
    server = next;
    const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const body = await buffer(request);
      if (!isSigned(request, body, secret)) {
        response.writeHead(403).end('<Error><Code>SignatureDoesNotMatch</Code></Error>');
        return;
      }
      const { method, url: path, headers } = request;
      const on = send({ host: '127.0.0.1', port: inner, method, path, headers }, (inside) => {
        response.writeHead(inside.statusCode ?? 500, inside.headers);
        inside.pipe(response);
      });
      on.once('error', () => response.destroy());
      on.end(body);
    };
    door = createServer((request, response) => void answer(request, response));
    await new Promise<void>((resolve) => door?.listen(port, '127.0.0.1', resolve));
  };
  const goAway = async (): Promise<void> => {
    const [gone, shut] = [server, door];
    server = null;
    door = null;
    shut?.closeAllConnections();
    await new Promise<void>((resolve) => (shut === null ? resolve() : shut.close(() => resolve())));
    gone?.httpServer.closeAllConnections();
    await gone?.close();
  };
  await comeBack();
  return {
    settings: {
      endpoint: `http://127.0.0.1:${port}`,
      bucket,
      region: 'us-east-1',
      accessKeyId: 'S3RVER',
      secretAccessKey: secret,
      prefix,
    },
    async keys() {
      const files = await readdir(join(directory, bucket), { recursive: true });
      return files
        .filter((name) => name.endsWith('._S3rver_object'))
        .map((name) => name.slice(0, -'._S3rver_object'.length))
        .sort();
    },
    goAway,
    comeBack,
    async close() {
      await goAway();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
