import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import type { TlsMaterial } from '@callwright/sip';
import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import { Poller } from '../shared/poller.ts';

/** Paths of PEM files; null: not set. */
export interface TlsPaths {
  readonly certificate: string | null;
  readonly key: string | null;
  readonly authorities: string | null;
  readonly clientAuthorities: string | null;
}

/** How soon a renewed certificate is in use. */
const RELOAD_MS = 60_000;
const DAY_MS = 86_400_000;
const SOON_MS = 14 * DAY_MS;

/** The certificates of SIP as the files have them: read every minute, the old ones stay while a file is faulty. */
export class TlsFiles {
  readonly #paths: TlsPaths;
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #poller: Poller;
  #current: TlsMaterial;

  /** Rejects with the error of a file that cannot be read or does not fit. */
  static async open(
    paths: TlsPaths,
    deps: { readonly log: Log; readonly clock: Clock; readonly reloadMs?: number },
  ): Promise<TlsFiles> {
    return new TlsFiles(paths, await readMaterial(paths), deps);
  }

  private constructor(
    paths: TlsPaths,
    material: TlsMaterial,
    { log, clock, reloadMs = RELOAD_MS }: { log: Log; clock: Clock; reloadMs?: number },
  ) {
    this.#paths = paths;
    this.#current = material;
    this.#log = log;
    this.#clock = clock;
    this.#poller = new Poller({
      poll: () => this.#reload(),
      pollMs: reloadMs,
      onError: (error) =>
        log.error({ err: error }, 'the SIP certificates could not be read; those in use stay'),
    });
    this.#warnOfEnd();
  }

  get current(): TlsMaterial {
    return this.#current;
  }

  start(): void {
    this.#poller.start();
  }

  stop(): Promise<void> {
    return this.#poller.stop();
  }

  async #reload(): Promise<void> {
    const material = await readMaterial(this.#paths);
    if (isDeepStrictEqual(material, this.#current)) return;
    this.#current = material;
    this.#log.info({}, 'the SIP certificates changed: new connections use the new ones');
    this.#warnOfEnd();
  }

  #warnOfEnd(): void {
    const { own } = this.#current;
    if (own === null) return;
    const until = Date.parse(new X509Certificate(own.certificate).validTo);
    if (until - this.#clock.now() < SOON_MS)
      this.#log.warn(
        { seconds: Math.round((until - this.#clock.now()) / 1000) },
        'the SIP certificate ends soon: renew its files',
      );
  }
}

/** Reads and checks the files; rejects for one that cannot be used. */
export async function readMaterial(paths: TlsPaths): Promise<TlsMaterial> {
  const read = (path: string | null): Promise<string | null> =>
    path === null ? Promise.resolve(null) : readFile(path, 'utf8');
  const [certificate, key, authorities, clientAuthorities] = await Promise.all(
    [paths.certificate, paths.key, paths.authorities, paths.clientAuthorities].map(read),
  );
  const own = certificate == null || key == null ? null : { certificate, key };
  // Throws for a file that is no PEM, also for one that is written in this moment.
  if (own !== null && !new X509Certificate(own.certificate).checkPrivateKey(createPrivateKey(own.key)))
    throw new Error('the key is not that of the certificate');
  for (const ca of [authorities, clientAuthorities]) if (ca != null) void new X509Certificate(ca);
  return { own, authorities: authorities ?? null, clientAuthorities: clientAuthorities ?? null };
}
