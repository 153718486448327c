import { createSocket } from 'node:dgram';
import { access, constants, mkdir, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { Client } from 'pg';
import type { Config } from '../config.ts';
import { createEmbedder } from '../providers/embeddings/openai-embeddings.ts';
import { speechHealth } from '../providers/doctor.ts';
import { findBinaries } from '../store/embedded/binaries.ts';

/** One thing that was looked at; `advice` says what to do when it is not well. */
export interface Finding {
  name: string;
  ok: boolean;
  detail: string;
  advice: string | null;
}

const fine = (name: string, detail: string): Finding => ({ name, ok: true, detail, advice: null });
const bad = (name: string, detail: string, advice: string): Finding => ({ name, ok: false, detail, advice });
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Looks at everything a start depends on, without starting anything that stays. */
export async function examine(config: Config): Promise<Finding[]> {
  const isRunning = await fetch(`http://127.0.0.1:${config.port}/healthz`, {
    signal: AbortSignal.timeout(1500),
  }).then(
    (answer) => answer.ok,
    () => false,
  );
  const findings = [
    nodeVersion(),
    await dataFolder(config.dataDir),
    await database(config),
    ...(await ports(config, isRunning)),
    ...(await speech()),
  ];
  if (config.llm !== null) findings.push(await languageModel(config.llm));
  if (config.embeddings !== null) findings.push(await embeddings(config.embeddings));
  return findings;
}

function nodeVersion(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isNewEnough = major > 22 || (major === 22 && minor >= 18);
  return isNewEnough
    ? fine('Node.js', process.versions.node)
    : bad('Node.js', process.versions.node, 'use npm start or bin/callwright: they bring Node.js 24');
}

async function dataFolder(folder: string): Promise<Finding> {
  const path = resolve(folder);
  try {
    await mkdir(path, { recursive: true });
    await access(path, constants.W_OK);
    const { bavail, bsize } = await statfs(path);
    const freeGb = (bavail * bsize) / 1e9;
    return freeGb < 1
      ? bad(
          'data folder',
          `${path}: ${freeGb.toFixed(1)} GB free`,
          'free some space: a recorded hour takes 115 MB',
        )
      : fine('data folder', `${path}: ${freeGb.toFixed(0)} GB free`);
  } catch (error) {
    return bad('data folder', messageOf(error), 'set DATA_DIR to a folder this user may write');
  }
}

async function database(config: Config): Promise<Finding> {
  if (config.databaseUrl === null) {
    try {
      const binaries = await findBinaries(null);
      return fine(
        'database',
        `embedded PostgreSQL ${binaries.major}, in ${join(resolve(config.dataDir), 'postgres')}`,
      );
    } catch (error) {
      return bad('database', messageOf(error), 'run scripts/setup.sh, or set DATABASE_URL');
    }
  }
  const client = new Client({ connectionString: config.databaseUrl, connectionTimeoutMillis: 5000 });
  try {
    await client.connect();
    const { rows } = await client.query<{ server_version: string }>('show server_version');
    const version = rows[0]?.server_version ?? '';
    return Number.parseInt(version, 10) >= 15
      ? fine('database', `PostgreSQL ${version} at DATABASE_URL`)
      : bad('database', `PostgreSQL ${version}`, 'use PostgreSQL 15 or newer');
  } catch (error) {
    return bad('database', messageOf(error), 'check DATABASE_URL: host, port, user, password, database');
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function ports(config: Config, isRunning: boolean): Promise<Finding[]> {
  if (isRunning)
    return [fine('ports', `a service answers on port ${config.port}; its ports are in use by it`)];
  const tcp = (port: number, host: string): Promise<string | null> =>
    new Promise((done) => {
      const server = createServer();
      server.once('error', (error) => done(error.message));
      server.listen(port, host, () => server.close(() => done(null)));
    });
  const udp = (port: number, host: string): Promise<string | null> =>
    new Promise((done) => {
      const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
      socket.once('error', (error) => {
        socket.close();
        done(error.message);
      });
      socket.bind(port, host, () => socket.close(() => done(null)));
    });
  const { sip, rtpPorts } = config;
  const checks: [string, Promise<string | null>, string][] = [
    [
      'HTTP port',
      tcp(config.port, config.host),
      'set PORT to a free one, or HOST to an address of this machine',
    ],
    [
      'SIP port, UDP',
      udp(sip.port, sip.host),
      'set SIP_PORT to a free one, or SIP_HOST to an address of this machine',
    ],
    [
      'SIP port, TCP',
      tcp(sip.port, sip.host),
      'set SIP_PORT to a free one, or SIP_HOST to an address of this machine',
    ],
    ['RTP ports', udp(rtpPorts.first, sip.host), 'set RTP_PORTS to a range nothing else uses'],
  ];
  return Promise.all(
    checks.map(async ([name, check, advice]) => {
      const problem = await check;
      return problem === null ? fine(name, 'free') : bad(name, problem, advice);
    }),
  );
}

async function speech(): Promise<Finding[]> {
  return (await speechHealth()).map((part) => ({
    name: part.name,
    ok: part.ok,
    detail: part.detail,
    advice: part.ok ? null : part.advice,
  }));
}

async function languageModel(llm: NonNullable<Config['llm']>): Promise<Finding> {
  const name = 'language model';
  try {
    const answer = await fetch(`${llm.baseUrl}/models`, {
      headers: llm.apiKey === null ? {} : { authorization: `Bearer ${llm.apiKey}` },
      signal: AbortSignal.timeout(5000),
    });
    if (answer.status === 401 || answer.status === 403) {
      return bad(name, `the API refuses the key (${answer.status})`, 'check LLM_API_KEY');
    }
    return answer.ok
      ? fine(name, `${llm.model} at ${llm.baseUrl}`)
      : bad(name, `GET /models answers ${answer.status}`, 'check LLM_BASE_URL: it usually ends in /v1');
  } catch (error) {
    return bad(name, messageOf(error), 'check LLM_BASE_URL and that the server runs');
  }
}

async function embeddings(settings: NonNullable<Config['embeddings']>): Promise<Finding> {
  const name = 'embeddings';
  const embedder = createEmbedder(settings);
  try {
    const [vector] = await embedder.embed(['Is anybody there?'], { timeoutMs: 5000 });
    // Calls find the connection open.
    const startedAt = performance.now();
    await embedder.embed(['And now?'], { timeoutMs: 5000 });
    const ms = Math.round(performance.now() - startedAt);
    const detail = `${settings.model} at ${settings.baseUrl}: ${vector?.length ?? 0} numbers in ${ms} ms`;
    return ms <= settings.waitMs
      ? fine(name, detail)
      : bad(
          name,
          detail,
          'calls wait EMBEDDINGS_WAIT_MS for it: use a nearer server, or let them wait longer',
        );
  } catch (error) {
    return bad(name, messageOf(error), 'check EMBEDDINGS_BASE_URL, EMBEDDINGS_API_KEY and EMBEDDINGS_MODEL');
  }
}

/** Prints the findings; 0 when everything is well. */
export function printFindings(findings: readonly Finding[]): number {
  const width = Math.max(...findings.map((finding) => finding.name.length));
  for (const { name, ok, detail, advice } of findings) {
    console.log(`${ok ? 'ok  ' : 'FAIL'}  ${name.padEnd(width)}  ${detail}`);
    if (advice !== null) console.log(`${' '.repeat(width + 8)}→ ${advice}`);
  }
  const failed = findings.filter((finding) => !finding.ok).length;
  console.log(failed === 0 ? 'Everything is well.' : `${failed} of ${findings.length} need attention.`);
  return failed === 0 ? 0 : 1;
}
