import { createHash, timingSafeEqual } from 'node:crypto';
import type { SafeFetcher } from '../../net/safe-fetch.ts';

export interface MediaDeps {
  /** WHATSAPP_BASE_URL, with the version. */
  readonly baseUrl: string;
  /** HTTP client for files, which the vendor hosts under other addresses. */
  readonly fetcher: Pick<SafeFetcher, 'fetch'>;
}

export type Media =
  | { readonly ok: true; readonly bytes: Buffer; readonly mimeType: string }
  | { readonly ok: false; readonly reason: 'refused' | 'unreached' | 'too large' | 'damaged' };

const META_BYTES = 16_384;
const META_MS = 5_000;
const FILE_MS = 10_000;
/** Hosts of the vendor's files. The base address may name another one, such as a proxy of the operator. */
const HOSTS = /(?:^|\.)(?:fbsbx\.com|fbcdn\.net|facebook\.com|whatsapp\.net)$/;

/**
 * Downloads a file that a customer sent, at most `mostBytes`: its address by its id, then its bytes, both with the token.
 * The token leaves only for the vendor's hosts. Never rejects.
 */
export async function downloadMedia(
  { baseUrl, fetcher }: MediaDeps,
  id: string,
  token: string,
  mostBytes: number,
  signal: AbortSignal,
): Promise<Media> {
  const meta = await readMeta(`${baseUrl}/${encodeURIComponent(id)}`, token, signal);
  if (!meta.ok) return meta;
  const { url, mimeType, sha256, size } = meta;
  if (size > mostBytes) return { ok: false, reason: 'too large' };
  const isBase = URL.canParse(url) && new URL(url).origin === new URL(baseUrl).origin;
  if (!isBase && !isOfVendor(url)) return { ok: false, reason: 'refused' };
  const read = isBase
    ? await readBytes(url, token, mostBytes, AbortSignal.any([signal, AbortSignal.timeout(FILE_MS)]))
    : await fetchBytes(fetcher, url, token, mostBytes);
  if (read === null) return { ok: false, reason: 'unreached' };
  if (read.length > mostBytes) return { ok: false, reason: 'too large' };
  return isIntact(read, sha256) ? { ok: true, bytes: read, mimeType } : { ok: false, reason: 'damaged' };
}

const isOfVendor = (url: string): boolean => {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' && HOSTS.test(hostname);
};

async function readMeta(url: string, token: string, signal: AbortSignal) {
  const bytes = await readBytes(
    url,
    token,
    META_BYTES,
    AbortSignal.any([signal, AbortSignal.timeout(META_MS)]),
  );
  if (bytes === null) return { ok: false, reason: 'unreached' } as const;
  const meta = fieldsOf(bytes);
  const { url: address, mime_type: mimeType, sha256, file_size: size } = meta;
  if (typeof address !== 'string' || address.length > 4_096) return { ok: false, reason: 'refused' } as const;
  return {
    ok: true,
    url: address,
    mimeType: typeof mimeType === 'string' ? mimeType.slice(0, 100) : '',
    sha256: typeof sha256 === 'string' ? sha256 : null,
    size: typeof size === 'number' ? size : Number(size ?? 0),
  } as const;
}

function fieldsOf(bytes: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Null: no answer, or another status than 200. At most one byte more than `most` is kept. */
async function readBytes(
  url: string,
  token: string,
  most: number,
  signal: AbortSignal,
): Promise<Buffer | null> {
  try {
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(url, { headers, redirect: 'error', signal });
    const parts: Uint8Array[] = [];
    let bytes = 0;
    for await (const part of response.body ?? []) {
      parts.push(part);
      bytes += part.length;
      if (bytes > most) break;
    }
    return response.status === 200 ? Buffer.concat(parts) : null;
  } catch {
    return null;
  }
}

async function fetchBytes(
  fetcher: Pick<SafeFetcher, 'fetch'>,
  url: string,
  token: string,
  most: number,
): Promise<Buffer | null> {
  const headers = { authorization: `Bearer ${token}` };
  const request = {
    url,
    method: 'GET',
    headers,
    body: null,
    timeoutMs: FILE_MS,
    maxBytes: most + 1,
  } as const;
  const answer = await fetcher.fetch(request);
  return answer.ok && answer.status === 200 ? answer.body : null;
}

/** The vendor gives the digest in hex or base64. */
function isIntact(bytes: Buffer, sha256: string | null): boolean {
  if (sha256 === null) return true;
  const digest = createHash('sha256').update(bytes).digest();
  const given = Buffer.from(sha256, /^[0-9a-f]{64}$/.test(sha256) ? 'hex' : 'base64');
  return given.length === digest.length && timingSafeEqual(given, digest);
}
