import type { KeyObject } from 'node:crypto';
import { mayBeSet } from '../domain/webhooks/delivery-rules.ts';
import { openHeaders } from '../domain/webhooks/sealed-headers.ts';
import { signingKey } from '../domain/webhooks/signature.ts';
import type { Seal } from '../shared/seal.ts';

/** Secrets and headers of so many receivers are kept opened. */
const REMEMBERED = 1000;

/** What is sent beside an event, out of its seals. */
export interface Opened {
  readonly own: Readonly<Record<string, string>>;
  readonly keys: readonly KeyObject[];
}

/** Keeps what deliveries are signed and sent with, opened. */
export class DeliverySecrets {
  readonly #seal: Seal;
  readonly #keys = new Map<string, KeyObject>();
  readonly #headers = new Map<string, Readonly<Record<string, string>> | null>();

  constructor(seal: Seal) {
    this.#seal = seal;
  }

  /** What a receiver's requests carry beside the signature; null when another key sealed it. */
  headersOf(stored: string): Readonly<Record<string, string>> | null {
    const known = this.#headers.get(stored);
    if (known !== undefined) return known;
    const own = openHeaders(this.#seal, JSON.parse(stored) as Record<string, string>);
    const headers = own === null ? null : headersWith(own);
    if (this.#headers.size >= REMEMBERED) this.#headers.clear();
    this.#headers.set(stored, headers);
    return headers;
  }

  keysOf(secrets: readonly { readonly secret: string }[]): KeyObject[] {
    if (this.#keys.size >= REMEMBERED) this.#keys.clear();
    return secrets.map(({ secret }) => {
      const key = this.#keys.get(secret) ?? signingKey(secret);
      this.#keys.set(secret, key);
      return key;
    });
  }
}

/** The receiver's own headers as set, under ours: what frames the request cannot be replaced. */
function headersWith(own: Readonly<Record<string, string>>): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'user-agent': 'Callwright-Webhooks/1',
  };
  for (const [name, value] of Object.entries(own)) if (mayBeSet(name)) headers[name.toLowerCase()] = value;
  return headers;
}
