import type { Clock } from '../../shared/clock.ts';
import {
  hasEnded,
  keyIdOf,
  readSignedName,
  signedName,
  type LinkKey,
  type NamePurpose,
  type SignedName,
} from './signed-name.ts';

/** Links that need no API key. */
export interface SignedLinks {
  /** Base URL, without a trailing slash. */
  readonly publicUrl: string;
  /**
   * A token that is valid for RECORDING_LINK_DAYS, rounded up to the end of a day, so that links can be cached. `brief`:
   * for a quarter of an hour, rounded up to the end of the next one.
   */
  issue(purpose: NamePurpose, name: SignedName, lifetime?: 'brief'): string;
  /** What a token names; null when it is forged, expired, revoked, or for another purpose. */
  read(purpose: NamePurpose, token: string): Promise<SignedName | null>;
  /** Whether a token that `read` refuses was valid before: it has expired, or its key was revoked. */
  hasEnded(purpose: NamePurpose, token: string): boolean;
}

/** As `links`, but each link ends within half an hour: the pages of the dashboard read fresh ones while they are open. */
export const briefLinks = (links: SignedLinks): SignedLinks => ({
  publicUrl: links.publicUrl,
  issue: (purpose, name) => links.issue(purpose, name, 'brief'),
  read: (purpose, token) => links.read(purpose, token),
  hasEnded: (purpose, token) => links.hasEnded(purpose, token),
});

const DAY_MS = 86_400_000;
const QUARTER_MS = 900_000;
/** How soon a process follows a rotation, and how often an unknown key may cause a query. */
export const RELOAD_MS = 10_000;
const UNKNOWN_KEY_MS = 1_000;

export interface LinkRingOptions {
  readonly clock: Clock;
  readonly publicUrl: () => string;
  /** RECORDING_LINK_DAYS; 0: no expiry. */
  readonly days: number;
  /** Reads the keys; the newest without `retiresAt` signs. */
  readonly load: () => Promise<readonly LinkKey[]>;
}

/** Signs with the current key and reads with every key that has not retired; follows rotations by other processes. */
export class LinkRing implements SignedLinks {
  readonly #options: LinkRingOptions;
  #keys: readonly LinkKey[];
  #loadedAt: number;
  #loading: Promise<void> | null = null;

  private constructor(options: LinkRingOptions, keys: readonly LinkKey[]) {
    this.#options = options;
    this.#keys = keys;
    this.#loadedAt = options.clock.monotonic();
  }

  static async open(options: LinkRingOptions): Promise<LinkRing> {
    return new LinkRing(options, await options.load());
  }

  get publicUrl(): string {
    return this.#options.publicUrl();
  }

  issue(purpose: NamePurpose, name: SignedName, lifetime?: 'brief'): string {
    const current = this.#keys.find(({ retiresAt }) => retiresAt === null);
    if (current === undefined) throw new Error('no key signs links');
    const { clock, days } = this.#options;
    const ends = (unit: number, count: number): number => (Math.ceil(clock.now() / unit) + count) * unit;
    const expiresAt = lifetime === 'brief' ? ends(QUARTER_MS, 1) : days === 0 ? null : ends(DAY_MS, days);
    return signedName(current, purpose, name, expiresAt);
  }

  async read(purpose: NamePurpose, token: string): Promise<SignedName | null> {
    const keyId = keyIdOf(token);
    const isUnknown = keyId !== null && !this.#keys.some(({ id }) => id === keyId);
    await this.#reload(isUnknown ? UNKNOWN_KEY_MS : RELOAD_MS);
    return readSignedName(this.#keys, purpose, token, this.#options.clock.now());
  }

  hasEnded(purpose: NamePurpose, token: string): boolean {
    return hasEnded(this.#keys, purpose, token, this.#options.clock.now());
  }

  /** Reads the keys. Called every `RELOAD_MS`, because links are issued without a wait, also after hours without any. */
  refresh(): Promise<void> {
    return this.#reload(0);
  }

  /** Reads the keys unless they were read within `withinMs`. When that fails, the known keys stay in use. */
  #reload(withinMs: number): Promise<void> {
    const { clock, load } = this.#options;
    if (this.#loading !== null) return this.#loading;
    if (clock.monotonic() - this.#loadedAt < withinMs) return Promise.resolve();
    this.#loadedAt = clock.monotonic();
    this.#loading = load()
      .then(
        (keys) => void (this.#keys = keys),
        () => undefined,
      )
      .finally(() => (this.#loading = null));
    return this.#loading;
  }
}
