import { createHash } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import { keyFor } from './owner-key.ts';

/** One request to the API. */
export interface Question {
  /** Method and path: `GET /api/v0/agent/all`. */
  readonly ask: string;
  /** Set for a request with the key of the second workspace. */
  readonly of?: 'clinic';
  readonly body?: unknown;
}

/** A request with its response: JSON parsed, CSV as rows, other files as length and SHA-256. */
export interface Answered extends Question {
  readonly status: number;
  readonly answer: unknown;
}

/** PUBLIC_URL of the installation: the base of every URL in its responses. */
export const PUBLIC_URL = 'http://callwright.test';

/** Sends the request to the service at `url`. */
export async function ask(url: string, key: string, question: Question): Promise<Answered> {
  const [method = '', path = ''] = question.ask.split(' ');
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      'x-api-key': keyFor(method, path, key),
      ...(question.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(question.body === undefined ? {} : { body: JSON.stringify(question.body) }),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const type = response.headers.get('content-type') ?? '';
  return { ...question, status: response.status, answer: read(type, bytes) };
}

function read(type: string, bytes: Buffer): unknown {
  if (type.startsWith('application/json')) return JSON.parse(bytes.toString());
  // Rows by column name: a later version may add columns.
  if (type.startsWith('text/csv'))
    return parse(bytes, { columns: true, bom: true, relax_column_count: true });
  return { type, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

/** The same text or value without the signed part of links, which changes every day. */
export const withoutTokens = <T>(value: T): T =>
  JSON.parse(
    JSON.stringify(value).replaceAll(/(recordings|campaign-rejects)\/[\w-]{64,72}\./g, '$1/signed.'),
  ) as T;

/** The path of a URL of the service. */
export const pathOf = (address: string): string => address.slice(PUBLIC_URL.length);
