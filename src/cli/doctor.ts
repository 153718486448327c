import { createSocket } from 'node:dgram';
import { access, constants, mkdir, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { rtpHost } from '../app/sip-hosts.ts';
import type { Config } from '../config.ts';
import { createEmbedder } from '../vendors/openai-compatible/embeddings.ts';
import { speechHealth, speechTried } from '../offline/doctor.ts';
import { installedModel } from '../offline/models/installed.ts';
import { turnFiles, type TurnFiles } from '../offline/models/onnx-runtime.ts';
import { openScratch } from '../shared/scratch.ts';
import { trySmartTurn } from '../providers/turn/smart-turn.ts';
import { serverVersion } from '../store/server.ts';
import { isPackage, ownCommand } from '../shared/own-command.ts';
import { findBinaries } from '../store/embedded/binaries.ts';
import { dataOwner, keyOfData } from './doctor-key.ts';
import { securityFindings, surroundings } from './doctor-security.ts';
import { sipCertificates } from './doctor-tls.ts';
import { ofEnvironment } from './doctor-vendors.ts';
import { failed, messageOf, passed, type Finding } from './finding.ts';

/** Checks everything that a start depends on, and leaves nothing running. */
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
    await dataOwner(config),
    await database(config),
    await keyOfData(config),
    ...(await ports(config, isRunning)),
    ...(await sipCertificates(config, Date.now())),
    ...(await speech(config)),
    ...securityFindings(config, await surroundings(config, process.env)),
  ];
  const turn = turnFiles((id) => installedModel(config.modelsDir, id), config.turnModel);
  if (turn !== null) findings.push(await turnModel(turn));
  if (config.embeddings !== null) findings.push(await embeddings(config.embeddings));
  findings.push(...(await ofEnvironment(config)));
  return findings;
}

function nodeVersion(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isNewEnough = major > 22 || (major === 22 && minor >= 18);
  return isNewEnough
    ? passed('Node.js', process.versions.node)
    : failed('Node.js', process.versions.node, `start it by ${ownCommand()}, which runs Node.js 24`);
}

async function dataFolder(folder: string): Promise<Finding> {
  const path = resolve(folder);
  try {
    await mkdir(path, { recursive: true });
    await access(path, constants.W_OK);
    const { bavail, bsize } = await statfs(path);
    const freeGb = (bavail * bsize) / 1e9;
    return freeGb < 1
      ? failed(
          'data folder',
          `${path}: ${freeGb.toFixed(1)} GB free`,
          'free disk space: an hour of recording takes 115 MB',
        )
      : passed('data folder', `${path}: ${freeGb.toFixed(0)} GB free`);
  } catch (error) {
    return failed('data folder', messageOf(error), 'set DATA_DIR to a folder that this user can write to');
  }
}

async function database(config: Config): Promise<Finding> {
  if (config.databaseUrl === null) {
    try {
      const binaries = await findBinaries(null);
      return passed(
        'database',
        `embedded PostgreSQL ${binaries.major}, in ${join(resolve(config.dataDir), 'postgres')}`,
      );
    } catch (error) {
      return failed(
        'database',
        messageOf(error),
        isPackage()
          ? 'install the package again without --omit=optional, or set DATABASE_URL'
          : 'run scripts/setup.sh, or set DATABASE_URL',
      );
    }
  }
  try {
    const version = await serverVersion(config.databaseUrl);
    return Number.parseInt(version, 10) >= 15
      ? passed('database', `PostgreSQL ${version} at DATABASE_URL`)
      : failed('database', `PostgreSQL ${version}`, 'use PostgreSQL 15 or newer');
  } catch (error) {
    return failed('database', messageOf(error), 'check DATABASE_URL: host, port, user, password, database');
  }
}

async function ports(config: Config, isRunning: boolean): Promise<Finding[]> {
  if (isRunning) return [passed('ports', `in use by the service that runs on port ${config.port}`)];
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
  const sipChecks = (host: string): [string, Promise<string | null>, string][] => {
    const at = sip.hosts.length === 1 ? '' : ` at ${host}`;
    const advice = (port: string): string =>
      `set ${port} to a free one, or SIP_HOST to an address of this machine`;
    return [
      [`SIP port, UDP${at}`, udp(sip.port, host), advice('SIP_PORT')],
      [`SIP port, TCP${at}`, tcp(sip.port, host), advice('SIP_PORT')],
      ...(sip.tlsPort === null
        ? []
        : [
            [`SIP port, TLS${at}`, tcp(sip.tlsPort, host), advice('SIP_TLS_PORT')] satisfies [
              string,
              Promise<string | null>,
              string,
            ],
          ]),
    ];
  };
  const checks: [string, Promise<string | null>, string][] = [
    [
      'HTTP port',
      tcp(config.port, config.host),
      'set PORT to a free one, or HOST to an address of this machine',
    ],
    ...sip.hosts.flatMap((host) => sipChecks(host)),
    [
      'RTP ports',
      udp(rtpPorts.first, rtpHost(sip.hosts)),
      'set RTP_PORTS to a range that no other program uses',
    ],
  ];
  const { metricsAt, audioSocket } = config;
  if (audioSocket !== null) {
    checks.push([
      'AudioSocket port',
      tcp(audioSocket.port, audioSocket.host),
      'set AUDIOSOCKET_PORT to a free one, or AUDIOSOCKET_HOST to an address of this machine',
    ]);
  }
  if (metricsAt !== null) {
    checks.push([
      'metrics port',
      tcp(metricsAt.port, metricsAt.host),
      'set METRICS_PORT to a free one, or METRICS_HOST to an address of this machine',
    ]);
  }
  return Promise.all(
    checks.map(async ([name, check, advice]) => {
      const problem = await check;
      return problem === null ? passed(name, 'free') : failed(name, problem, advice);
    }),
  );
}

async function speech(config: Config): Promise<Finding[]> {
  const parts = [...(await speechHealth()), ...(await tried(config))];
  return parts.map(({ name, ok, detail, advice }) => ({ name, ok, detail, advice: ok ? null : advice }));
}

/** Tries the speech engines with the scratch files of a service on this data folder. */
async function tried({ dataDir, modelsDir, turnModel: judge }: Config): ReturnType<typeof speechTried> {
  try {
    const scratch = openScratch(resolve(dataDir));
    return await speechTried(modelsDir, judge).finally(() => scratch.close());
  } catch {
    // The check of the data folder says that it cannot be written.
    return [];
  }
}

async function turnModel({ path, module }: TurnFiles): Promise<Finding> {
  const result = await trySmartTurn(path, module);
  return typeof result === 'number'
    ? passed('turn model', `${path} is loaded in ${result} ms`)
    : failed(
        'turn model',
        result,
        'set TURN_MODEL to a file of smart-turn v3, or to off; without a model, turns end by the rules',
      );
}

async function embeddings(settings: NonNullable<Config['embeddings']>): Promise<Finding> {
  const name = 'embeddings';
  const embedder = createEmbedder(settings);
  try {
    const [vector] = await embedder.embed(['What are your opening hours?'], { timeoutMs: 5000 });
    // Measure the second request: calls use an open connection, too.
    const startedAt = performance.now();
    await embedder.embed(['And on Sundays?'], { timeoutMs: 5000 });
    const ms = Math.round(performance.now() - startedAt);
    const detail = `${settings.model} at ${settings.baseUrl}: ${vector?.length ?? 0} dimensions in ${ms} ms`;
    return ms <= settings.waitMs
      ? passed(name, detail)
      : failed(
          name,
          detail,
          'slower than EMBEDDINGS_WAIT_MS, so calls use keyword search only: use a nearer server or raise it',
        );
  } catch (error) {
    return failed(
      name,
      messageOf(error),
      'check EMBEDDINGS_BASE_URL, EMBEDDINGS_API_KEY and EMBEDDINGS_MODEL',
    );
  }
}
