import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadConfig, type Config } from './config.ts';
import { SETTINGS } from './config/settings.ts';
import { exampleEnv } from './config/example-env.ts';
import { settingsInForce } from './config/in-force.ts';

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
  it('accepts an empty environment', () => {
    expect(good({})).toMatchObject({
      port: 8080,
      host: '127.0.0.1',
      publicUrl: null,
      mediaUrl: null,
      audioSocket: null,
      dataDir: './data',
      databaseUrl: null,
      sip: { port: 5060, hosts: ['127.0.0.1'], publicAddress: null, localNetworks: [] },
      rtpPorts: { first: 16_000, last: 23_999 },
      safeFetchAllow: [],
      roles: ['api', 'dialer', 'media', 'jobs'],
      billing: { creditsPerMinute: 1, pulseSeconds: 60 },
      llm: [],
    });
    expect(good({}).callWorkers).toBeGreaterThanOrEqual(1);
    expect(good({}).ringTimeoutMs).toBe(45_000);
    expect(good({ RING_TIMEOUT_SECONDS: '20' }).ringTimeoutMs).toBe(20_000);
  });

  it('listens for AudioSocket at HOST unless AUDIOSOCKET_HOST names another address', () => {
    const at = (env: Record<string, string>) => good({ HOST: '10.0.0.4', ...env }).audioSocket;
    expect(at({ AUDIOSOCKET_HOST: '10.0.0.5' })).toBe(null);
    expect(at({ AUDIOSOCKET_PORT: '9092' })).toEqual({ host: '10.0.0.4', port: 9092 });
    expect(at({ AUDIOSOCKET_PORT: '9092', AUDIOSOCKET_HOST: '10.0.0.5' })).toEqual({
      host: '10.0.0.5',
      port: 9092,
    });
  });

  it('reads countries and prefixes, and rejects UK in favour of GB', () => {
    expect(good({}).allowedCountries).toEqual([]);
    expect(good({ ALLOWED_COUNTRIES: 'US, +44,IN' }).allowedCountries).toEqual(['US', '+44', 'IN']);
    for (const wrong of ['UK', 'us', '44', '+0']) {
      expect(problems({ ALLOWED_COUNTRIES: wrong })[0]).toContain('the United Kingdom is GB');
    }
  });

  it('reads 0 as a value and an empty string as unset', () => {
    expect(good({ CREDITS_PER_MINUTE: '0', PORT: '0' })).toMatchObject({
      port: 0,
      billing: { creditsPerMinute: 0 },
    });
    expect(good({ PORT: ' ' }).port).toBe(8080);
  });

  it('reports every problem at once', () => {
    const found = problems({
      PORT: '99999',
      HOST: 'not a host',
      PUBLIC_URL: 'ftp://x',
      MEDIA_URL: 'ftp://x',
      AUDIOSOCKET_PORT: '0',
      RTP_PORTS: '9-5',
      ROLES: 'api,cook',
      LOG_LEVEL: 'loud',
      PUBLIC_ADDRESS: 'example.com',
      SIP_TLS_PORT: '99999',
      CALL_WORKERS: '0',
      ALLOWED_COUNTRIES: 'US,Germany',
      SAFE_FETCH_ALLOW: '10.0.0.0/33',
      DATABASE_URL: 'mysql://x',
    });
    expect(found.map((p) => p.split(' ')[0])).toEqual([
      'PORT',
      'HOST',
      'PUBLIC_URL',
      'MEDIA_URL',
      'AUDIOSOCKET_PORT',
      'DATABASE_URL',
      'PUBLIC_ADDRESS',
      'SIP_TLS_PORT',
      'RTP_PORTS',
      'ALLOWED_COUNTRIES',
      'SAFE_FETCH_ALLOW',
      'ROLES',
      'LOG_LEVEL',
      'CALL_WORKERS',
    ]);
    expect(found).toContain('PORT must be an integer from 0 to 65535');
  });

  it.each([
    [{ SIP_TLS_PORT: '5061' }, 'SIP_TLS_CERT_FILE is required when SIP_TLS_PORT or SIP_TLS_KEY_FILE is set'],
    [{ SIP_TLS_CERT_FILE: '/tls/cert.pem' }, 'SIP_TLS_KEY_FILE is required when SIP_TLS_CERT_FILE is set'],
  ])('refuses %j', (env, problem) => {
    expect(problems(env)).toEqual([problem]);
  });

  it.each(['1e3', '-1', '80.5', '0x50', 'NaN', '８０'])('refuses PORT=%s', (value) => {
    expect(problems({ PORT: value })).toHaveLength(1);
  });

  it('reads secrets from files and never prints their content', () => {
    const loaded = loadConfig(
      { LLM_BASE_URL: 'http://127.0.0.1:1234/v1/', LLM_MODEL: 'm', LLM_API_KEY_FILE: '/run/key' },
      (path) => (path === '/run/key' ? 'sk-canary\n' : noFiles()),
    );
    expect(loaded.ok && loaded.config.llm).toEqual([
      {
        vendor: 'openai-compatible',
        baseUrl: 'http://127.0.0.1:1234/v1',
        isWholeUrl: true,
        key: 'sk-canary',
        model: 'm',
      },
    ]);
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

  it('takes sherpa-onnx from a server or from a model folder', () => {
    const given = { STT_PROVIDER: 'sherpa', SHERPA_LANGUAGES: 'en' };
    const folder = { ...given, SHERPA_MODEL_DIR: '/models/zipformer' };
    expect(good(folder).stt).toEqual([
      {
        name: 'sherpa',
        settings: {
          apiKey: null,
          baseUrl: '',
          model: null,
          languages: ['en'],
          modelDir: '/models/zipformer',
        },
      },
    ]);
    const rule =
      'SHERPA_BASE_URL or SHERPA_MODEL_DIR, one of them, is required when STT_PROVIDER names sherpa';
    expect(problems(given)).toEqual([rule]);
    expect(problems({ ...folder, SHERPA_BASE_URL: 'http://127.0.0.1:6006' })).toEqual([rule]);
  });

  it('reads the prices of vendors from a file', () => {
    const load = (text: string) => loadConfig({ PRICES_FILE: 'prices.yaml' }, () => text);
    const read = load('prices: [{ part: tts, vendor: cartesia, per_thousand_characters: 0.03 }]');
    expect(read.ok && read.config.prices.prices[0]).toEqual({
      part: 'tts',
      vendor: 'cartesia',
      model: '*',
      perThousandCharacters: 0.03,
    });
    expect(load('prices: 5')).toMatchObject({ ok: false, problems: ['PRICES_FILE needs a list prices'] });
    expect(problems({ PRICES_FILE: '/absent/prices.yaml' })).toEqual(['PRICES_FILE cannot be read']);
  });

  it('requires the language model settings to be set together', () => {
    expect(problems({ LLM_BASE_URL: 'http://x' })).toEqual([
      'LLM_MODEL is required when LLM_BASE_URL is set',
    ]);
    expect(problems({ LLM_API_KEY: 'x' })).toHaveLength(1);
  });

  it('reads the voices of vendors in their order, with the model and voice of each', () => {
    const given = {
      TTS_PROVIDER: 'cartesia, offline,elevenlabs',
      ELEVENLABS_API_KEY: 'e',
      CARTESIA_API_KEY: 'c',
    };
    expect(good({ ...given, CARTESIA_TTS_MODEL: 'sonic-3', ELEVENLABS_VOICE: 'v' }).tts).toEqual([
      {
        name: 'cartesia',
        settings: { apiKey: 'c', baseUrl: 'https://api.cartesia.ai', model: 'sonic-3', voice: null },
      },
      {
        name: 'elevenlabs',
        settings: { apiKey: 'e', baseUrl: 'https://api.elevenlabs.io', model: null, voice: 'v' },
      },
    ]);
    expect(good({}).tts).toEqual([]);
    expect(problems({ TTS_PROVIDER: 'elevenlabs' })).toEqual([
      'ELEVENLABS_API_KEY is required when TTS_PROVIDER names elevenlabs',
    ]);
  });

  it('reads speech to speech with the model and voice of each vendor, and the turn model', () => {
    const given = {
      S2S_PROVIDER: 'google',
      GOOGLE_API_KEY: 'g',
      GOOGLE_VOICE: 'Kore',
      OPENAI_S2S_MODEL: 'gpt-realtime-x',
    };
    const { providers, turnModel } = good({ ...given, TURN_MODEL: '/models/turn.onnx' });
    expect(providers.s2s).toBe('google');
    expect(providers.accounts.google).toMatchObject({
      apiKey: 'g',
      s2sModel: 'gemini-3.8-live',
      voice: 'Kore',
    });
    expect(providers.accounts.openai).toMatchObject({ s2sModel: 'gpt-realtime-x' });
    expect(turnModel).toBe('/models/turn.onnx');
    expect([good({}).providers.s2s, good({}).turnModel]).toEqual(['pipeline', null]);
    expect(problems({ S2S_PROVIDER: 'openai' })).toEqual([
      'OPENAI_API_KEY is required when S2S_PROVIDER names openai',
    ]);
  });

  it('reads the language models in their order, each with its own settings', () => {
    const given = {
      LLM_PROVIDER: 'anthropic, openai,offline, openai-compatible',
      ANTHROPIC_API_KEY: 'ka',
      OPENAI_API_KEY: 'ko',
      OPENAI_MODEL: 'gpt-transcribe',
      OPENAI_LLM_MODEL: 'big',
      OPENAI_COMPATIBLE_BASE_URL: 'http://127.0.0.1:8000',
      OPENAI_COMPATIBLE_LLM_MODEL: 'qwen',
    };
    const server = {
      vendor: 'openai-compatible',
      key: null,
      baseUrl: 'http://127.0.0.1:8000',
      model: 'qwen',
    };
    expect(good(given).llm).toEqual([
      { vendor: 'anthropic', key: 'ka', baseUrl: 'https://api.anthropic.com', model: 'claude-haiku-5-5' },
      { vendor: 'openai', key: 'ko', baseUrl: 'https://api.openai.com', model: 'big' },
      server,
    ]);
    // A language model on another server than the recogniser's.
    const apart = { ...given, LLM_BASE_URL: 'http://127.0.0.1:9/v1', LLM_MODEL: 'llama' };
    expect(good(apart).llm.at(-1)).toMatchObject({ baseUrl: 'http://127.0.0.1:9/v1', model: 'llama' });
    // The offline engine alone, although a server is set.
    expect(good({ ...apart, LLM_PROVIDER: 'offline' }).llm).toEqual([]);
    expect(problems({ LLM_PROVIDER: 'google,openai-compatible' })).toEqual([
      'GOOGLE_API_KEY is required when LLM_PROVIDER names google',
      'OPENAI_COMPATIBLE_BASE_URL is required when LLM_PROVIDER names openai-compatible',
      'OPENAI_COMPATIBLE_LLM_MODEL is required when LLM_PROVIDER names openai-compatible',
    ]);
  });

  it('reads the recognisers in their order, the offline one last', () => {
    expect(good({}).stt).toEqual([]);
    const account = { apiKey: 'k', baseUrl: 'https://api.deepgram.com', model: null };
    const given = { STT_PROVIDER: 'offline, deepgram', DEEPGRAM_API_KEY: 'k' };
    expect(good(given).stt).toEqual([{ name: 'deepgram', settings: account }]);
    const own = { DEEPGRAM_BASE_URL: 'http://127.0.0.1:9300/', DEEPGRAM_MODEL: 'nova-3' };
    expect(good({ ...given, ...own }).stt[0]?.settings).toEqual({
      apiKey: 'k',
      baseUrl: 'http://127.0.0.1:9300',
      model: 'nova-3',
    });
    expect(problems({ STT_PROVIDER: 'deepgram' })).toEqual([
      'DEEPGRAM_API_KEY is required when STT_PROVIDER names deepgram',
    ]);
    expect(problems({ STT_PROVIDER: 'openai-compatible' })).toEqual([
      'OPENAI_COMPATIBLE_BASE_URL is required when STT_PROVIDER names openai-compatible',
    ]);
    const parts = good({
      STT_PROVIDER: 'openai-compatible',
      TTS_PROVIDER: 'openai-compatible',
      OPENAI_COMPATIBLE_STT_BASE_URL: 'http://ears',
      OPENAI_COMPATIBLE_TTS_BASE_URL: 'http://voice',
    });
    expect([parts.stt[0]?.settings.baseUrl, parts.tts[0]?.settings.baseUrl]).toEqual([
      'http://ears',
      'http://voice',
    ]);
    const server = { OPENAI_COMPATIBLE_BASE_URL: 'http://x', OPENAI_COMPATIBLE_LANGUAGES: 'en, hi-IN' };
    const chain = good({ ...given, ...server, STT_PROVIDER: 'openai-compatible,deepgram' }).stt;
    expect(chain.map(({ name }) => name)).toEqual(['openai-compatible', 'deepgram']);
    expect(chain[0]?.settings).toMatchObject({ apiKey: null, languages: ['en', 'hi-IN'] });
    expect(problems({ STT_PROVIDER: 'whisper' })[0]).toMatch(/^STT_PROVIDER must be one of deepgram, /);
  });

  it('requires the embeddings settings to be set together', () => {
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

  it('reads the headers of traces, percent-encoded as OpenTelemetry writes them', () => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example/otel/' };
    expect(good({ OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=1' }).traces).toBeNull();
    expect(
      good({ ...env, OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Basic%20cGs6c2s=, x-tenant=one' }).traces,
    ).toEqual({
      endpoint: 'https://collector.example/otel',
      headers: { authorization: 'Basic cGs6c2s=', 'x-tenant': 'one' },
      serviceName: 'callwright',
      hasContent: false,
    });
    for (const wrong of ['authorization', '=x', 'a b=1', 'a=%', 'a=%0d%0ab', 'a=1,']) {
      expect(problems({ ...env, OTEL_EXPORTER_OTLP_HEADERS: wrong })).toEqual([
        'OTEL_EXPORTER_OTLP_HEADERS must be header=value pairs, with commas between',
      ]);
    }
  });

  it('warns about likely misspellings only', () => {
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

  it('accepts hosts, addresses and CIDR ranges in SAFE_FETCH_ALLOW', () => {
    const entries = ['127.0.0.1', '10.0.0.0/8', 'fd00::/8', 'hooks.internal', 'localhost:9000'];
    expect(good({ SAFE_FETCH_ALLOW: entries.join(', ') }).safeFetchAllow).toEqual(entries);
  });

  it('accepts a purpose, and a workspace by its id, before an entry of SAFE_FETCH_ALLOW', () => {
    const entries = [
      'llm=models.internal:8000',
      'webhooks=10.0.0.0/8',
      'tools@018f3a52-6b9e-7d30-9c1a-5f0e2b7c4d11=crm.internal:8443',
    ];
    expect(good({ SAFE_FETCH_ALLOW: entries.join(',') }).safeFetchAllow).toEqual(entries);
  });

  it.each([
    'tools@City Dental=crm.internal',
    'tools@=crm.internal',
    'llm@018f3a52-6b9e-7d30-9c1a-5f0e2b7c4d11=models.internal',
  ])('refuses %s in SAFE_FETCH_ALLOW, and says how an entry names a workspace', (entry) => {
    expect(problems({ SAFE_FETCH_ALLOW: entry })).toEqual([
      `SAFE_FETCH_ALLOW must name a workspace by its id, after tools, webhooks or knowledge, as tools@<id>=host:port; ${JSON.stringify(entry)} does not`,
    ]);
  });
});

describe('config.example.env', () => {
  const example = readFileSync(new URL('../config.example.env', import.meta.url), 'utf8');
  it('matches the settings table', () => {
    expect(example).toBe(exampleEnv());
  });
  it('loads with every default uncommented', () => {
    const env = Object.fromEntries(
      example
        .split('\n')
        .filter((line) => /^#[A-Z0-9_]+=./.test(line))
        .map((line) => [line.slice(1, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    );
    const preset = Object.entries(SETTINGS).flatMap(([name, spec]) => (spec.default ? [name] : []));
    expect(Object.keys(env)).toEqual(preset);
    expect(good(env)).toEqual({ ...good({}), settings: settingsInForce(env) });
  });
});
