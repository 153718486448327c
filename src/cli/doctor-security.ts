import { stat } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { KEY_FILE } from '../app/secrets.ts';
import type { Config } from '../config.ts';
import type { Finding } from './finding.ts';

/** What is looked at besides the settings. */
export interface Surroundings {
  /** Whether SECRET_KEY itself is in the environment, not SECRET_KEY_FILE. */
  readonly isKeyInEnvironment: boolean;
  /** Null: a system without user ids. */
  readonly uid: number | null;
  /** Permission bits of the key file; null: there is none. */
  readonly keyFileMode: number | null;
}

export async function surroundings(config: Config, env: NodeJS.ProcessEnv): Promise<Surroundings> {
  const mode = await stat(join(resolve(config.dataDir), KEY_FILE)).then(
    (found) => found.mode & 0o777,
    () => null,
  );
  return {
    isKeyInEnvironment: (env['SECRET_KEY'] ?? '') !== '',
    uid: process.getuid?.() ?? null,
    keyFileMode: mode,
  };
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
const finding = (name: string, detail: string, advice: string | null = null): Finding => ({
  name,
  ok: true,
  detail,
  advice,
});

/** Advice on what an attacker could use. Nothing here stops the service from working, so nothing fails. */
export function securityFindings(config: Config, around: Surroundings): Finding[] {
  return [
    countries(config),
    secretKey(config, around),
    metrics(config),
    api(config),
    ...(around.uid === 0
      ? [finding('account', 'root', 'run the service as a user of its own (docs/operations.md)')]
      : []),
  ];
}

function countries({ allowedCountries }: Config): Finding {
  if (allowedCountries.length > 0) return finding('countries', allowedCountries.join(', '));
  return finding(
    'countries',
    'owners may open every country',
    'set ALLOWED_COUNTRIES, such as US,CA, before you connect a carrier',
  );
}

function secretKey(config: Config, around: Surroundings): Finding {
  const name = 'secret key';
  if (config.secretKey !== null) {
    return around.isKeyInEnvironment
      ? finding(
          name,
          'SECRET_KEY in the environment',
          'use SECRET_KEY_FILE: other programs can read the environment',
        )
      : finding(name, 'SECRET_KEY_FILE');
  }
  const { keyFileMode: mode } = around;
  if (mode !== null && (mode & 0o077) !== 0) {
    return finding(
      name,
      `key file with mode ${mode.toString(8)}`,
      'chmod 600 the file secret.key in DATA_DIR',
    );
  }
  return config.databaseUrl === null
    ? finding(name, 'key file in DATA_DIR')
    : finding(
        name,
        'key file in DATA_DIR, database at DATABASE_URL',
        'set SECRET_KEY_FILE, so that further processes and a new DATA_DIR have the same key',
      );
}

function metrics({ host, metricsAt }: Config): Finding {
  const at = metricsAt === null ? 'beside the API' : `at ${metricsAt.host}:${metricsAt.port}`;
  const isOpen = !isLoopback(metricsAt === null ? host : metricsAt.host);
  return finding(
    'metrics',
    at,
    isOpen ? 'they need no key: set METRICS_PORT, and let only your monitoring reach METRICS_HOST' : null,
  );
}

function api({ host, publicUrl }: Config): Finding {
  if (isLoopback(host)) return finding('API', `on ${host}: this machine only`);
  return finding(
    'API',
    `on ${host}${publicUrl === null ? '' : `, PUBLIC_URL ${publicUrl}`}`,
    publicUrl?.startsWith('https:') === true
      ? null
      : 'keys travel in plain text: put a proxy with TLS in front, set HOST=127.0.0.1 and PUBLIC_URL=https://…',
  );
}
