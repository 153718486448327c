import { createHash } from 'node:crypto';

/** The vendor's addresses of files live five minutes. */
const URL_SECONDS = 300;

interface Medium {
  readonly bytes: Buffer;
  readonly mimeType: string;
  /** What the stand-in says about the file; wrong on demand. */
  readonly sha256: string;
}

export interface MediaAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: Buffer | string;
}

/** Files that customers sent: their addresses by id, then their bytes, for a few minutes. */
export class FakeMedia {
  readonly #now: () => number;
  readonly #media = new Map<string, Medium>();
  readonly #urls = new Map<string, { readonly id: string; readonly until: number }>();
  /** Ids whose bytes were fetched, in order. */
  readonly fetched: string[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  add(id: string, bytes: Buffer, mimeType: string, sha256?: string): void {
    const digest = sha256 ?? createHash('sha256').update(bytes).digest('hex');
    this.#media.set(id, { bytes, mimeType, sha256: digest });
  }

  /** The answer to `GET /<version>/<id>`; null: the id is unknown. */
  describe(id: string, origin: string): MediaAnswer | null {
    const medium = this.#media.get(id);
    if (medium === undefined) return null;
    const secret = `${id}-${this.#urls.size}`;
    this.#urls.set(secret, { id, until: this.#now() + URL_SECONDS * 1_000 });
    const meta = {
      messaging_product: 'whatsapp',
      url: `${origin}/media/${secret}`,
      mime_type: medium.mimeType,
      sha256: medium.sha256,
      file_size: medium.bytes.length,
      id,
    };
    return { status: 200, type: 'application/json', body: JSON.stringify(meta) };
  }

  /** The answer to `GET /media/<secret>`. */
  read(secret: string): MediaAnswer {
    const url = this.#urls.get(secret);
    const medium = url === undefined ? undefined : this.#media.get(url.id);
    if (url === undefined || medium === undefined || url.until < this.#now())
      return { status: 404, type: 'text/plain', body: 'URL signature expired' };
    this.fetched.push(url.id);
    return { status: 200, type: medium.mimeType, body: medium.bytes };
  }
}
