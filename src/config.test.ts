import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadConfig, type Config } from './config.ts';
import { SETTINGS } from './config/settings.ts';
import { exampleEnv } from './config/example-env.ts';

const noFiles = (): string => {
  throw new Error('no such file');
};
function good(env: Record<string, string>): Config {
  const loaded = loadConfig(env, noFiles);
  if (!loaded.ok) throw new Error(loaded.problems.join('\n'));
  return loaded.config;
}
function problems(env: Record<string, string>, files: (path: string) => string = noFiles): string[] {
  const loaded = loadConfig(env, files);
  return loaded.ok ? [] : loaded.problems;
}

describe('loadConfig', () => {
  it('needs nothing', () => {
    expect(good({})).toMatchObject({
      port: 8080,
      host: '127.0.0.1',
      publicUrl: null,
      dataDir: './data',
      databaseUrl: null,
      sip: { port: 5060, host: '127.0.0.1' },
      rtpPorts: { first: 16_000, last: 23_999 },
      safeFetchAllow: [],
      roles: ['api', 'dialer', 'media', 'jobs'],
      billing: { creditsPerMinute: 1, pulseSeconds: 60 },
      llm: null,
    });
    expect(good({}).callWorkers).toBeGreaterThanOrEqual(1);
    expect(good({}).ringTimeoutMs).toBe(45_000);
    expect(good({ RING_TIMEOUT_SECONDS: '20' }).ringTimeoutMs).toBe(20_000);
  });

  it('takes zero as zero and an empty value as unset', () => {
    expect(good({ CREDITS_PER_MINUTE: '0', PORT: '0' })).toMatchObject({
      port: 0,
      billing: { creditsPerMinute: 0 },
    });
    expect(good({ PORT: ' ' }).port).toBe(8080);
  });

  it('lists every problem at once', () => {
    const found = problems({
      PORT: '99999',
      HOST: 'not a host',
      PUBLIC_URL: 'ftp://x',
      RTP_PORTS: '9-5',
      ROLES: 'api,cook',
      LOG_LEVEL: 'loud',
      SIP_TLS_PORT: '5061',
      CALL_WORKERS: '0',
      SAFE_FETCH_ALLOW: '10.0.0.0/33',
      DATABASE_URL: 'mysql://x',
    });
    expect(found.map((p) => p.split(' ')[0])).toEqual([
      'PORT',
      'HOST',
      'PUBLIC_URL',
      'DATABASE_URL',
      'SIP_TLS_PORT',
      'RTP_PORTS',
      'SAFE_FETCH_ALLOW',
      'ROLES',
      'LOG_LEVEL',
      'CALL_WORKERS',
    ]);
    expect(found).toContain('SIP_TLS_PORT cannot be set: TLS is not part of this version');
    expect(found).toContain('PORT must be an integer from 0 to 65535');
  });

  it.each(['1e3', '-1', '80.5', '0x50', 'NaN', '８０'])('refuses PORT=%s', (value) => {
    expect(problems({ PORT: value })).toHaveLength(1);
  });

  it('reads secrets from files and never says what is in them', () => {
    const loaded = loadConfig(
      { LLM_BASE_URL: 'http://127.0.0.1:1234/v1/', LLM_MODEL: 'm', LLM_API_KEY_FILE: '/run/key' },
      (path) => (path === '/run/key' ? 'sk-canary\n' : noFiles()),
    );
    expect(loaded.ok && loaded.config.llm).toEqual({
      baseUrl: 'http://127.0.0.1:1234/v1',
      apiKey: 'sk-canary',
      model: 'm',
    });
    expect(problems({ DATABASE_URL_FILE: '/run/db' }, () => 'canary-password')).toEqual([
      'DATABASE_URL must be a URL that starts with postgres:// or postgresql://',
    ]);
    expect(problems({ DATABASE_URL_FILE: '/absent' })).toEqual([
      'DATABASE_URL cannot be read from DATABASE_URL_FILE',
    ]);
    expect(problems({ DATABASE_URL_FILE: '/a', DATABASE_URL: 'postgres://x' })).toEqual([
      'DATABASE_URL and DATABASE_URL_FILE are both set; keep one',
    ]);
  });

  it('wants the language model settings together', () => {
    expect(problems({ LLM_BASE_URL: 'http://x' })).toEqual([
      'LLM_MODEL is required when LLM_BASE_URL is set',
    ]);
    expect(problems({ LLM_API_KEY: 'x' })).toHaveLength(1);
  });

  it('wants the settings of the embeddings together', () => {
    const given = { EMBEDDINGS_BASE_URL: 'http://127.0.0.1:1234/v1/', EMBEDDINGS_MODEL: 'm' };
    const embeddings = { baseUrl: 'http://127.0.0.1:1234/v1', apiKey: null, model: 'm' };
    expect(good(given).embeddings).toEqual({ ...embeddings, dimensions: null, waitMs: 250 });
    expect(good({ ...given, EMBEDDINGS_DIMENSIONS: '512' }).embeddings?.dimensions).toBe(512);
    expect(good({}).embeddings).toBeNull();
    expect(problems({ EMBEDDINGS_BASE_URL: 'http://x' })).toEqual([
      'EMBEDDINGS_MODEL is required when EMBEDDINGS_BASE_URL is set',
    ]);
    for (const name of ['EMBEDDINGS_API_KEY', 'EMBEDDINGS_MODEL', 'EMBEDDINGS_DIMENSIONS']) {
      expect(problems({ [name]: '512' })).toEqual([
        'EMBEDDINGS_BASE_URL is required when another setting of the embeddings is set',
      ]);
    }
  });

  it('warns about likely misspellings and about nothing else', () => {
    const { warnings } = loadConfig(
      {
        PUBLIC_ULR: 'x',
        SIP_PROT: '1',
        PROVISIONFILE: 'y',
        HOME: '/',
        PATH: '/bin',
        LOGNAME: 'a',
        POST: '1',
      },
      noFiles,
    );
    expect(warnings).toEqual([
      'PUBLIC_ULR is not a setting of this service; did you mean PUBLIC_URL?',
      'SIP_PROT is not a setting of this service; did you mean SIP_PORT?',
      'PROVISIONFILE is not a setting of this service; did you mean PROVISION_FILE?',
    ]);
  });

  it('accepts hosts, addresses and ranges to reach', () => {
    const entries = ['127.0.0.1', '10.0.0.0/8', 'fd00::/8', 'hooks.internal', 'localhost:9000'];
    expect(good({ SAFE_FETCH_ALLOW: entries.join(', ') }).safeFetchAllow).toEqual(entries);
  });
});

describe('config.example.env', () => {
  const example = readFileSync(new URL('../config.example.env', import.meta.url), 'utf8');
  it('is what the settings table says', () => {
    expect(example).toBe(exampleEnv());
  });
  it('loads with every line that has a default switched on', () => {
    const env = Object.fromEntries(
      example
        .split('\n')
        .filter((line) => /^#[A-Z0-9_]+=./.test(line))
        .map((line) => [line.slice(1, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    );
    const preset = Object.entries(SETTINGS).flatMap(([name, spec]) => (spec.default ? [name] : []));
    expect(Object.keys(env)).toEqual(preset);
    expect(good(env)).toEqual(good({}));
  });
});
