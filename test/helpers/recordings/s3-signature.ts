import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, data: string): Buffer => createHmac('sha256', key).update(data).digest();

/**
 * Verifies the AWS Signature Version 4 of a request, body included, implemented from the
 * specification because the test server skips the check.
 */
export function isSigned(request: IncomingMessage, body: Buffer, secret: string): boolean {
  const { authorization = '' } = request.headers;
  const parts =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([\w-]+)\/s3\/aws4_request, ?SignedHeaders=([\w;-]+), ?Signature=([0-9a-f]{64})$/.exec(
      authorization,
    );
  if (parts === null) return false;
  const [, , day = '', region = '', signed = '', signature] = parts;
  const header = (name: string): string => String(request.headers[name] ?? '');
  const payload = header('x-amz-content-sha256');
  if (payload !== sha256(body) || !signed.split(';').includes('host')) return false;
  const url = new URL(request.url ?? '/', 'http://x');
  const query = [...url.searchParams].map(([name, value]) => `${name}=${value}`).sort();
  const canonical = [
    request.method,
    url.pathname,
    query.join('&'),
    ...signed.split(';').map((name) => `${name}:${header(name).trim().replaceAll(/ +/g, ' ')}`),
    '',
    signed,
    payload,
  ].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', header('x-amz-date'), scope, sha256(canonical)].join('\n');
  const key = hmac(hmac(hmac(hmac(`AWS4${secret}`, day), region), 's3'), 'aws4_request');
  return hmac(key, text).toString('hex') === signature;
}
