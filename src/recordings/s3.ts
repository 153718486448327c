import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, openAsBlob } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { AwsV4Signer } from 'aws4fetch';
import { errors } from '../errors.ts';
import type { Disk } from './disk.ts';
import type { Found, Place } from './place.ts';

export interface S3Settings {
  /** Without a trailing slash. Set by the operator, so it may be an internal address. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Prefix of every key; empty or ending in a slash. */
  readonly prefix: string;
}

const ANSWER_MS = 20_000;
/** A slower transfer times out and is retried. */
const SLOWEST_BYTES_PER_MS = 20;
/** A store may still complete an upload this long after the client closed the connection. */
const LATE_COMMIT_MS = 60_000;
const transferMs = (bytes: number): number => ANSWER_MS + bytes / SLOWEST_BYTES_PER_MS;
/** SHA-256 of an empty body. */
const EMPTY = createHash('sha256').digest('hex');

/** One bucket of an S3-compatible store: path-style URLs, requests signed with AWS Signature Version 4. */
export class S3 implements Place {
  readonly #settings: S3Settings;
  readonly #disk: Disk;

  /** `disk` holds temporary local copies. */
  constructor(settings: S3Settings, disk: Disk) {
    this.#settings = settings;
    this.#disk = disk;
  }

  async find(path: string): Promise<Found | null> {
    const answer = await this.#send('HEAD', path, {}, ANSWER_MS);
    if (answer.status === 404) return null;
    expectStatus(answer, 200);
    return {
      bytes: Number(answer.headers.get('content-length') ?? 0),
      modifiedAt: new Date(answer.headers.get('last-modified') ?? 0),
    };
  }

  stream(path: string, start: number, end: number): Readable {
    return Readable.from(this.#read(path, start, end), { objectMode: false });
  }

  async *#read(path: string, start: number, end: number): AsyncGenerator<Uint8Array, void, undefined> {
    const range = `bytes=${start}-${end}`;
    const answer = await this.#send('GET', path, { range }, transferMs(end - start));
    expectStatus(answer, 206);
    if (answer.body !== null) yield* Readable.fromWeb(answer.body as ReadableStream<Uint8Array>);
  }

  async put(path: string, from: string, type: string): Promise<void> {
    const { size } = await stat(from);
    const hash = createHash('sha256');
    await pipeline(createReadStream(from), hash);
    const blob = await openAsBlob(from);
    // The store rejects a body whose hash differs.
    const headers = { 'content-type': type, 'x-amz-content-sha256': hash.digest('hex') };
    expectStatus(await this.#send('PUT', path, headers, transferMs(size), blob), 200);
    const kept = await this.find(path);
    if (kept?.bytes !== size) throw new Error('the object store reports another size than was uploaded');
  }

  longestPutMs(bytes: number): number {
    return transferMs(bytes) + LATE_COMMIT_MS;
  }

  async remove(path: string): Promise<void> {
    const answer = await this.#send('DELETE', path, {}, ANSWER_MS);
    if (answer.status !== 404) expectStatus(answer, 204, 200);
  }

  async withLocal<T>(path: string, work: (local: string) => Promise<T>): Promise<T> {
    const found = await this.find(path);
    if (found === null) throw new Error('the object store has no such recording');
    const local = await this.#disk.part(randomUUID());
    try {
      await pipeline(
        this.stream(path, 0, found.bytes - 1),
        createWriteStream(local, { mode: 0o600, flags: 'wx' }),
      );
      return await work(local);
    } finally {
      await rm(local, { force: true });
    }
  }

  async #send(
    method: string,
    path: string,
    headers: Record<string, string>,
    limitMs: number,
    body?: Blob,
  ): Promise<Response> {
    const { endpoint, bucket, prefix, region, accessKeyId, secretAccessKey } = this.#settings;
    const key = `${prefix}${path}`.split('/').map(encodeURIComponent).join('/');
    const signed = await new AwsV4Signer({
      method,
      url: `${endpoint}/${encodeURIComponent(bucket)}/${key}`,
      headers: { 'x-amz-content-sha256': EMPTY, ...headers },
      accessKeyId,
      secretAccessKey,
      region,
      service: 's3',
    }).sign();
    try {
      return await fetch(signed.url, {
        method,
        headers: signed.headers,
        redirect: 'error',
        signal: AbortSignal.timeout(Math.round(limitMs)),
        ...(body === undefined ? {} : { body }),
      });
    } catch (error) {
      // The cause contains the store's address; the API response does not.
      throw Object.assign(errors.recordingStoreUnavailable(), { cause: error });
    }
  }
}

/** Throws for any other status, such as wrong credentials or an overloaded store. */
function expectStatus(answer: Response, ...expected: readonly number[]): void {
  if (expected.includes(answer.status)) return;
  void answer.body?.cancel();
  throw Object.assign(errors.recordingStoreUnavailable(), {
    cause: `the object store answered ${answer.status}`,
  });
}
