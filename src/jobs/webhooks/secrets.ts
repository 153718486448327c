import type { KeyObject } from 'node:crypto';
import { mayBeSet } from '../../domain/webhooks/delivery-rules.ts';
import { openHeaders } from '../../domain/webhooks/sealed-headers.ts';
import { signingKey } from '../../domain/webhooks/signature.ts';
import type { Seal } from '../../shared/seal.ts';
import {
  signingSecrets,
  type SigningDeps,
  type SigningSecret,
} from '../../domain/webhooks/signing-secrets.ts';
import type { Log } from '../../shared/log.ts';
import type { TakenAttempt } from '../../store/webhooks/deliveries.ts';
import { holdDeliveries, releaseDeliveries } from '../../store/webhooks/delivery-schedule.ts';

/** Cache size, in receivers. */
const CACHED = 1000;

/** Decrypted headers and signing keys of one request. */
export interface Opened {
  readonly own: Readonly<Record<string, string>>;
  readonly keys: readonly KeyObject[];
}

/** Caches decrypted headers and signing keys, so that a delivery does not decrypt them again. */
export class DeliverySecrets {
  readonly #seal: Seal;
  readonly #keys = new Map<string, KeyObject>();
  readonly #headers = new Map<string, Readonly<Record<string, string>> | null>();

  constructor(seal: Seal) {
    this.#seal = seal;
  }

  /** Headers of a receiver's requests without the signature; null if another SECRET_KEY encrypted them. */
  headersOf(stored: string): Readonly<Record<string, string>> | null {
    const known = this.#headers.get(stored);
    if (known !== undefined) return known;
    const own = openHeaders(this.#seal, JSON.parse(stored) as Record<string, string>);
    const headers = own === null ? null : headersWith(own);
    if (this.#headers.size >= CACHED) this.#headers.clear();
    this.#headers.set(stored, headers);
    return headers;
  }

  keysOf(secrets: readonly { readonly secret: string }[]): KeyObject[] {
    if (this.#keys.size >= CACHED) this.#keys.clear();
    return secrets.map(({ secret }) => {
      const key = this.#keys.get(secret) ?? signingKey(secret);
      this.#keys.set(secret, key);
      return key;
    });
  }
}

/** Our default headers, overridden by the receiver's own; framing and hop-by-hop headers cannot be overridden. */
function headersWith(own: Readonly<Record<string, string>>): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'user-agent': 'Callwright-Webhooks/1',
  };
  for (const [name, value] of Object.entries(own)) if (mayBeSet(name)) headers[name.toLowerCase()] = value;
  return headers;
}

/** How often held deliveries are released for another try. */
const RELEASE_MS = 60_000;
const NOTE =
  'held: another SECRET_KEY encrypted their signing secret or headers; start with that SECRET_KEY to send them';

/**
 * Deliveries whose secrets this process cannot decrypt. The cause is a wrong SECRET_KEY, not the receiver, so holding
 * costs no delivery attempt. They wait for a process with the right key or for a new signing secret.
 */
export class HeldDeliveries {
  readonly #deps: SigningDeps & { readonly log: Log };
  /** Workspaces whose signing secret cannot be decrypted. */
  readonly #unsignable = new Set<string>();
  /** Workspaces with a receiver whose headers cannot be decrypted. */
  readonly #unreadable = new Set<string>();
  #isLogged = false;
  #releasedAt = Number.NEGATIVE_INFINITY;

  constructor(deps: SigningDeps & { readonly log: Log }) {
    this.#deps = deps;
  }

  /** Note for readiness; null while nothing is held. */
  get note(): string | null {
    return this.#unsignable.size + this.#unreadable.size === 0 ? null : NOTE;
  }

  async hold(unsignable: readonly TakenAttempt[], unreadable: readonly TakenAttempt[]): Promise<void> {
    if (unsignable.length + unreadable.length === 0) return;
    for (const { workspaceId } of unsignable) this.#unsignable.add(workspaceId);
    for (const { workspaceId } of unreadable) this.#unreadable.add(workspaceId);
    if (!this.#isLogged) {
      this.#deps.log.error(
        'webhook deliveries are held: another SECRET_KEY encrypted their signing secrets or headers',
      );
    }
    this.#isLogged = true;
    await holdDeliveries(this.#deps.db, [...unsignable, ...unreadable]);
  }

  /** Once per `RELEASE_MS`, makes held deliveries due again that this process can sign and decrypt. */
  async release(): Promise<void> {
    const { db, clock } = this.#deps;
    const at = clock.monotonic();
    if (at - this.#releasedAt < RELEASE_MS) return;
    for (const [workspaceId, secrets] of await signingSecrets(this.#deps, [...this.#unsignable])) {
      if (canSign(secrets)) this.#unsignable.delete(workspaceId);
    }
    await releaseDeliveries(db, [...this.#unsignable, ...this.#unreadable], new Date(clock.now()));
    this.#releasedAt = at;
  }
}

/** Whether the current secret can be decrypted: a receiver may not know the retiring one. */
export const canSign = (secrets: readonly SigningSecret[]): boolean =>
  secrets.some(({ retiresAt }) => retiresAt === null);
