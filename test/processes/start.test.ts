import { once } from 'node:events';
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { SETTINGS } from '../../src/config/settings.ts';
import { randomToken } from '../../src/shared/ids.ts';
import { isAlive } from '../../src/shared/processes.ts';
import { readPostmasterFile } from '../../src/store/embedded/postmaster.ts';
import { runToEnd } from '../helpers/service/program.ts';
import { provisionWith } from '../helpers/service/scenario.ts';
import { eventually, freeTcpPort, startService, type Service } from '../helpers/service/service.ts';

/** Upper bound for a failing start. */
const FAILS_WITHIN_MS = 200_000;

let dataDir = '';
const services: Service[] = [];
const servers: Server[] = [];
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'callwright-start-'));
});
afterEach(async () => {
  await Promise.all(services.splice(0).map((service) => service.dispose()));
  for (const server of servers.splice(0)) server.close();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
});

async function start(env: Record<string, string> = {}, key?: string): Promise<Service> {
  const service = await startService({ dataDir, env, ...(key === undefined ? {} : { key }) });
  services.push(service);
  return service;
}

/** A listener that accepts connections and never responds. */
async function silentServer(): Promise<number> {
  const server = createServer((socket) => socket.on('error', () => undefined));
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as { port: number }).port;
}

async function freshDatabase(): Promise<string> {
  const { url } = inject('postgres');
  const name = `start_${randomToken(12).toLowerCase()}`;
  const admin = new Client({ connectionString: url });
  await admin.connect();
  await admin.query(`create database ${name}`);
  await admin.end();
  return url.replace(/[^/]+$/, name);
}

const postgresPid = async (): Promise<number> => {
  const file = await readPostmasterFile(join(dataDir, 'postgres', 'cluster'));
  if (file === null) throw new Error('no embedded database runs');
  return file.pid;
};

describe('settings', () => {
  it('are all reported at once, each with its rule, and nothing is started', async () => {
    const bad: Record<string, string> = {
      PORT: 'eighty',
      HOST: 'not a host',
      METRICS_PORT: '0',
      METRICS_HOST: 'not a host',
      PUBLIC_URL: 'ftp://files.example.com',
      MEDIA_URL: 'ftp://media.example.com',
      AUDIOSOCKET_PORT: '0',
      AUDIOSOCKET_HOST: 'not a host',
      TRUST_PROXY: '10.0.0.0/99',
      DISK_FLOOR_MB: '-1',
      DATABASE_URL: 'mysql://localhost/x',
      SIP_PORT: '70000',
      SIP_HOST: '-',
      PUBLIC_ADDRESS: 'example.com',
      LOCAL_NETWORKS: '10.0.0.0/40',
      SIP_TLS_PORT: '70000',
      RTP_PORTS: '20000-10000',
      ALLOWED_COUNTRIES: 'US,Atlantis',
      WHATSAPP_BASE_URL: 'ftp://graph.example.com',
      WHATSAPP_CONFIRM_SECONDS: '0',
      SAFE_FETCH_ALLOW: '127.0.0.1,300.1.1.1/8',
      RECORDING_LINK_DAYS: '-1',
      WEBHOOK_LOG_DAYS: '0',
      KEEP_CALLS_MONTHS: '-1',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization',
      OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'yes',
      REQUEST_LOG_ENTRIES: '-1',
      ROW_SECURITY: 'perhaps',
      ROLES: 'api,cook',
      STOP_SECONDS: '1',
      CLOCK: 'sundial',
      LOG_LEVEL: 'loud',
      CREDITS_PER_MINUTE: '-1',
      BILLING_PULSE_SECONDS: '0',
      CREDITS_PER_MODEL_TURN: '-1',
      CREDITS_PER_ANALYSIS: '-1',
      CREDITS_PER_1000_EMBEDDINGS: '-1',
      CREDITS_PER_PREVIEW: '-1',
      CALL_WORKERS: '0',
      CALL_WORKER_HEAP_MB: '64',
      RING_TIMEOUT_SECONDS: '4',
      SECRET_KEY: 'tooshortcanary',
      SECRET_KEY_PREVIOUS: 'tooshortcanary',
      LLM_PROVIDER: 'brain',
      LLM_BASE_URL: 'localhost:11434',
      LLM_API_KEY_FILE: '/nowhere/key',
      STT_PROVIDER: 'ear',
      TTS_PROVIDER: 'mouth',
      S2S_PROVIDER: 'telepathy',
      DEEPGRAM_API_KEY_FILE: '/nowhere/key',
      DEEPGRAM_BASE_URL: 'ftp://speech.example.com',
      SARVAM_API_KEY_FILE: '/nowhere/key',
      SARVAM_BASE_URL: 'ftp://speech.example.com',
      OPENAI_API_KEY_FILE: '/nowhere/key',
      OPENAI_BASE_URL: 'ftp://speech.example.com',
      ASSEMBLYAI_API_KEY_FILE: '/nowhere/key',
      ASSEMBLYAI_BASE_URL: 'ftp://speech.example.com',
      ELEVENLABS_API_KEY_FILE: '/nowhere/key',
      ELEVENLABS_BASE_URL: 'ftp://speech.example.com',
      CARTESIA_API_KEY_FILE: '/nowhere/key',
      CARTESIA_BASE_URL: 'ftp://speech.example.com',
      ANTHROPIC_API_KEY_FILE: '/nowhere/key',
      ANTHROPIC_BASE_URL: 'ftp://model.example.com',
      GOOGLE_API_KEY_FILE: '/nowhere/key',
      GOOGLE_BASE_URL: 'ftp://model.example.com',
      OPENAI_COMPATIBLE_API_KEY_FILE: '/nowhere/key',
      OPENAI_COMPATIBLE_BASE_URL: 'ftp://speech.example.com',
      OPENAI_COMPATIBLE_STT_BASE_URL: 'ftp://ears.example.com',
      OPENAI_COMPATIBLE_TTS_BASE_URL: 'ftp://voices.example.com',
      VOSK_BASE_URL: 'ftp://speech.example.com',
      SHERPA_BASE_URL: 'ftp://speech.example.com',
      MODELS_FETCH: 'later',
      RECOGNISER_CALLS: '0',
      RECOGNISER_BUSY_LINE: 'x'.repeat(301),
      EMBEDDINGS_BASE_URL: 'ftp://vectors.example.com',
      EMBEDDINGS_API_KEY_FILE: '/nowhere/key',
      EMBEDDINGS_DIMENSIONS: '7',
      EMBEDDINGS_WAIT_MS: 'soon',
      S3_ENDPOINT: 's3.example.com',
      S3_BUCKET: 'No Bucket',
      S3_PREFIX: '../up',
      KNOWLEDGE_MAX_MB: '0',
      CAMPAIGN_MAX_ROWS: '0',
      CAMPAIGN_MAX_FILE_MB: '1.5',
      CAMPAIGN_UPLOADS_MB: '0',
      STORAGE_RECORDINGS_MB: '-1',
      STORAGE_CALL_RECORDS_MB: 'all',
      STORAGE_CHATS_MB: '1.5',
      STORAGE_TESTS_MB: '1e3',
      RATE_LIMIT_READ: 'many',
      RATE_LIMIT_WRITE: '1.5',
      RATE_LIMIT_DIAL: '-3',
      RATE_LIMIT_WEBCALL_ADDRESS: '-1',
      RATE_LIMIT_WEBCALL_KEY: 'none',
      WEBCALL_MAX_SECONDS: '5',
      RATE_LIMIT_AUTH_FAILURES: '1e3',
    };
    const { code, output } = await runToEnd({ DATA_DIR: join(dataDir, 'never'), ...bad }, FAILS_WITHIN_MS);
    expect(code).toBe(2);
    const named = output.split('\n').flatMap((line) => /^ {2}- (\w+) \S/.exec(line)?.[1] ?? []);
    expect(output).not.toContain('tooshortcanary');
    expect(named).toEqual(Object.keys(bad).map((name) => name.replace(/_FILE$/, '')));
    const free = [
      'DATA_DIR',
      'PROVISION_FILE',
      'PRICES_FILE',
      'LLM_MODEL',
      'ANTHROPIC_MODEL',
      'GOOGLE_MODEL',
      'GOOGLE_S2S_MODEL',
      'GOOGLE_VOICE',
      'OPENAI_LLM_MODEL',
      'OPENAI_COMPATIBLE_LLM_MODEL',
      'DEEPGRAM_MODEL',
      'SARVAM_MODEL',
      'OPENAI_MODEL',
      'OPENAI_S2S_MODEL',
      'OPENAI_COMPATIBLE_MODEL',
      'ASSEMBLYAI_MODEL',
      'ELEVENLABS_MODEL',
      'ELEVENLABS_TTS_MODEL',
      'ELEVENLABS_VOICE',
      'CARTESIA_TTS_MODEL',
      'CARTESIA_VOICE',
      'DEEPGRAM_TTS_MODEL',
      'DEEPGRAM_VOICE',
      'SARVAM_TTS_MODEL',
      'SARVAM_VOICE',
      'OPENAI_TTS_MODEL',
      'OPENAI_VOICE',
      'OPENAI_COMPATIBLE_TTS_MODEL',
      'OPENAI_COMPATIBLE_VOICE',
      'OPENAI_COMPATIBLE_LANGUAGES',
      'VOSK_LANGUAGES',
      'SHERPA_MODEL_DIR',
      'SHERPA_LANGUAGES',
      'SIP_TLS_CERT_FILE',
      'SIP_TLS_KEY_FILE',
      'SIP_TLS_CA_FILE',
      'SIP_TLS_CLIENT_CA_FILE',
      'MODELS_DIR',
      'MODELS_MIRROR',
      'TURN_MODEL',
      'EMBEDDINGS_MODEL',
      'SMTP_URL',
      'MAIL_FROM',
      'OTEL_SERVICE_NAME',
      'S3_REGION',
      'S3_ACCESS_KEY_ID',
      'S3_SECRET_ACCESS_KEY',
    ];
    expect([...named, ...free].toSorted()).toEqual(Object.keys(SETTINGS).toSorted());
    await expect(access(join(dataDir, 'never'))).rejects.toThrow('ENOENT');
  });

  it('that conflict with each other are refused, and a misspelt name causes a warning', async () => {
    const { code, output } = await runToEnd(
      { DATA_DIR: dataDir, LLM_BASE_URL: 'http://127.0.0.1:1/v1', DATABASE_ULR: 'x', ROLES: ',' },
      FAILS_WITHIN_MS,
    );
    expect(code).toBe(2);
    expect(output).toContain('LLM_MODEL is required when LLM_BASE_URL is set');
    expect(output).toContain('ROLES must name at least one of api, dialer, media, jobs');
    expect(output).toContain('DATABASE_ULR is not a setting of this service; did you mean DATABASE_URL?');
  });
});

describe('a provision file', () => {
  const startWith = async (text: string | null): Promise<{ code: number | null; output: string }> => {
    const file = join(dataDir, 'provision.yaml');
    if (text !== null) await writeFile(file, text);
    return runToEnd(
      { DATA_DIR: join(dataDir, 'never'), PROVISION_FILE: file, PORT: '0', SIP_PORT: '0' },
      200_000,
    );
  };

  it('that is missing or not YAML is refused by name before anything is started', async () => {
    const absent = await startWith(null);
    expect(absent.code).toBe(2);
    expect(absent.output).toContain(`PROVISION_FILE ${join(dataDir, 'provision.yaml')} cannot be applied:`);
    expect(absent.output).toContain('it cannot be read');
    const broken = await startWith('workspaces:\n  - name: [unclosed\n');
    expect(broken.code).toBe(2);
    expect(broken.output).toMatch(/file is not valid YAML or JSON \(line \d\)/);
    await expect(access(join(dataDir, 'never'))).rejects.toThrow('ENOENT');
  });

  it('is refused with the path of every problem', async () => {
    const shape = await startWith(
      [
        'trunks:',
        '  - { name: "", uri: "sip:carrier.example.com", max_calls: 0, colour: red }',
        'workspaces:',
        '  - name: Acme',
        '    api_key: short',
        '    credits: lots',
        '    owner: { email: nobody, password: "sWan" }',
        '    numbers: [{ number: "+14155550100" }]',
        'extra: 1',
      ].join('\n'),
    );
    expect(shape.code).toBe(2);
    for (const path of [
      'trunks[0].name',
      'trunks[0].max_calls',
      'trunks[0].colour',
      'workspaces[0].api_key',
      'workspaces[0].credits',
      'workspaces[0].owner.email',
      'workspaces[0].owner.password',
      'workspaces[0].numbers[0].trunk',
      'extra',
    ]) {
      expect(shape.output).toMatch(new RegExp(`^ +(- )?${path.replace(/[[\].]/g, '\\$&')} `, 'm'));
    }
    // Of no digits: times and process ids of log lines have those.
    expect(shape.output).not.toContain('sWan');

    const meaning = await startWith(
      [
        'trunks:',
        '  - { name: a, uri: "sips:carrier.example.com", transport: udp }',
        '  - { name: a, uri: "http://carrier.example.com", register: true }',
        '  - { name: test, uri: "sip:carrier.example.com" }',
        'workspaces:',
        '  - name: Acme',
        '    numbers: [{ number: "555", trunk: a }]',
        '  - name: Acme',
      ].join('\n'),
    );
    expect(meaning.code).toBe(2);
    for (const line of [
      'trunks[0].transport must be tls for a sips: URI',
      'trunks[1].name repeats the name of trunks[0].name',
      'trunks[1].uri must be a SIP URI',
      'trunks[1].username is required when register is true',
      'trunks[2].name test is the built-in test carrier',
      'workspaces[0].numbers[0].number must be in E.164 form',
      'workspaces[1].name repeats the name of workspaces[0].name',
    ]) {
      expect(meaning.output).toContain(line);
    }
  });

  it('with an unknown trunk is refused and changes nothing in the database', async () => {
    const databaseUrl = await freshDatabase();
    const file = join(dataDir, 'provision.json');
    await writeFile(file, JSON.stringify(provisionWith({ trunk: 'nobody' })));
    const { code, output } = await runToEnd(
      { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, PROVISION_FILE: file, PORT: '0', SIP_PORT: '0' },
      200_000,
    );
    expect({ code, output }).toMatchObject({ code: 2 });
    expect(output).toMatch(/workspaces\[0\]\.numbers\[0\]\.trunk /);
    const client = new Client({ connectionString: databaseUrl });
    await client.connect();
    const { rows } = await client.query('select count(*)::int as n from workspaces');
    await client.end();
    expect(rows).toEqual([{ n: 0 }]);
  });
});

describe('the database', () => {
  it('may be an external PostgreSQL; then no embedded one is started', async () => {
    const databaseUrl = await freshDatabase();
    const first = await start({ DATABASE_URL: databaseUrl });
    const key = await first.ownKey();
    expect(await first.end()).toBe(0);
    await expect(access(join(dataDir, 'postgres'))).rejects.toThrow('ENOENT');
    const second = await start({ DATABASE_URL: databaseUrl }, key);
    expect((await second.request('GET', '/api/v0/workspace')).status).toBe(200);
    expect(second.output()).not.toContain('cw_live_');
  });

  it('that is unusable ends the start with the reason and without the password', async () => {
    const { url } = inject('postgres');
    const secret = 'canarypassword';
    const elsewhere = (change: (url: URL) => void): string => {
      const changed = new URL(url);
      changed.password = secret;
      change(changed);
      return changed.href;
    };
    const closed = await freeTcpPort();
    const mute = await silentServer();
    const cases: [string, string][] = [
      [elsewhere((u) => (u.port = String(closed))), 'ECONNREFUSED'],
      [elsewhere((u) => (u.port = String(mute))), 'timeout'],
      [elsewhere((u) => (u.hostname = 'nowhere.invalid')), 'nowhere.invalid'],
      [elsewhere(() => undefined), 'password authentication failed'],
      [url.replace(/[^/]+$/, 'no_such_database'), 'no_such_database'],
    ];
    for (const [databaseUrl, reason] of cases) {
      const { code, output } = await runToEnd(
        { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, PORT: '0', SIP_PORT: '0' },
        FAILS_WITHIN_MS,
      );
      expect({ code, output }).toMatchObject({ code: 1 });
      expect(output).toMatch(/^The service cannot start: .*DATABASE_URL/m);
      expect(output).toContain(reason);
      expect(output).not.toContain(secret);
      expect(output).not.toContain(new URL(url).password);
    }
  });
});

describe('a port in use', () => {
  it.each([
    ['PORT', /^The service cannot start: .*PORT/m],
    ['SIP_PORT', /^The service cannot start: .*SIP_PORT/m],
  ])('%s', async (name, message) => {
    const taken = await silentServer();
    const { code, output } = await runToEnd(
      {
        DATA_DIR: dataDir,
        DATABASE_URL: await freshDatabase(),
        PORT: '0',
        SIP_PORT: '0',
        [name]: String(taken),
      },
      FAILS_WITHIN_MS,
    );
    expect({ code, output }).toMatchObject({ code: 1 });
    expect(output).toMatch(message);
    expect(output).toContain(String(taken));
  });
});

describe('the data folder', () => {
  it('persists over restarts; only the first start shows the key', async () => {
    const first = await start();
    const key = await first.ownKey();
    await rm(join(dataDir, 'api-key.txt'));
    const pid = await postgresPid();
    expect(await first.end('SIGTERM')).toBe(0);
    expect(isAlive(pid)).toBe(false);

    const second = await start({}, key);
    await expect(second.ownKey()).rejects.toThrow('ENOENT');
    const agents = await second.request('GET', '/api/v0/agent/all');
    expect(agents.body.data.agents).toHaveLength(1);
    expect((await second.request('GET', '/api/v0/workspace/numbers')).body.workspace_numbers).toHaveLength(1);
  });

  it('of a killed process is taken over, including its running database', async () => {
    const first = await start();
    const key = await first.ownKey();
    const pid = await postgresPid();
    await first.end('SIGKILL');
    expect(isAlive(pid)).toBe(true);

    const second = await start({}, key);
    expect(await postgresPid()).toBe(pid);
    expect((await second.request('GET', '/api/v0/workspace')).status).toBe(200);
    expect(await second.end('SIGTERM')).toBe(0);
    await eventually('the adopted database to be stopped', async () => (isAlive(pid) ? null : true));
  });
});
