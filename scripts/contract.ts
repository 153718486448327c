/**
 * Runs Schemathesis over the OpenAPI document that a started service serves: checks, exclusions and their reasons are in
 * test/contract/schemathesis.toml. Needs python3, and the Python package index at its first run.
 *
 *   node scripts/contract.ts [--seed number] [--operation operationId ...]
 *
 * The last line is `N passed, N failed`, counted in operations; the exit code is 1 if one failed.
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeHoldings } from '../test/contract/holdings.ts';
import { NAME_SERVER } from '../test/helpers/service/name-server-preload.ts';
import { startService, TEST_KEY, type Service } from '../test/helpers/service/service.ts';
import { LOOPBACK_OPEN } from '../test/helpers/service/open-addresses.ts';

const ROOT = join(import.meta.dirname, '..');
const CACHE = join(ROOT, 'node_modules/.cache/contract');
const FOLDER = join(ROOT, 'test/contract');
const PRELOAD = new URL('../test/helpers/service/name-server-preload.ts', import.meta.url);
/** No name server: requests to receivers, pages and vendors in generated bodies end on this machine. */
const NO_NAMES = '127.0.0.1:1';

const OWNER = { email: 'owner@example.com', password: 'a long enough passphrase' };

/** Generated requests exceed every limit on their number. */
const WITHOUT_LIMITS = Object.fromEntries(
  ['READ', 'WRITE', 'DIAL', 'WEBCALL_ADDRESS', 'WEBCALL_KEY', 'AUTH_FAILURES'].map((name) => [
    `RATE_LIMIT_${name}`,
    '0',
  ]),
);

/** The part of Schemathesis' JSON report that is read here. */
interface Report {
  readonly operations: { readonly tested: number; readonly errored: number };
  readonly failures: readonly { readonly operations: readonly string[] }[];
  readonly errors: readonly unknown[];
}

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '20260105' },
    operation: { type: 'string', multiple: true, default: [] },
  },
});

/** The virtual environment with the pinned packages; made anew when the pins change. Returns the program. */
function install(): string {
  const pins = join(FOLDER, 'requirements.txt');
  const wanted = readFileSync(pins, 'utf8');
  const environment = join(CACHE, 'python');
  const program = join(environment, 'bin/schemathesis');
  const stamp = join(environment, 'installed.txt');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return program;
  rmSync(environment, { recursive: true, force: true });
  mkdirSync(CACHE, { recursive: true });
  execFileSync('python3', ['-m', 'venv', environment], { stdio: 'inherit' });
  const pip = ['install', '--quiet', '--disable-pip-version-check', '--no-deps', '--requirement', pins];
  execFileSync(join(environment, 'bin/pip'), pip, { stdio: 'inherit' });
  writeFileSync(stamp, wanted);
  return program;
}

/** Headers of a signed-in owner. */
async function signIn({ url }: Service): Promise<Record<string, string>> {
  const signed = await fetch(`${url}/dashboard-api/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify(OWNER),
  });
  const cookie = signed.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const session = await fetch(`${url}/dashboard-api/session`, { headers: { cookie } });
  const { csrf_token: token } = (await session.json()) as { csrf_token?: string };
  if (token === undefined) throw new Error(`the owner cannot sign in: ${signed.status}`);
  return { CONTRACT_SESSION: cookie.split('=')[1] ?? '', CONTRACT_CSRF: token };
}

/** Resolves with the exit code of Schemathesis. */
function check(program: string, service: Service, env: Record<string, string>, report: string) {
  const config = join(CACHE, 'schemathesis.toml');
  writeFileSync(
    config,
    readFileSync(join(FOLDER, 'schemathesis.toml'), 'utf8').replaceAll(
      /\$\{(\w+)\}/g,
      (_, name) => env[String(name)] ?? '',
    ),
  );
  const args = ['--config-file', config, 'run', `${service.url}/openapi.json`];
  const child = spawn(
    program,
    [
      ...args,
      '--no-color',
      `--seed=${values.seed}`,
      `--report-json-path=${report}`,
      ...values.operation.flatMap((id) => ['--include-operation-id', id]),
    ],
    { cwd: CACHE, stdio: 'inherit', env: { ...process.env, ...env, PYTHONPATH: FOLDER } },
  );
  return new Promise<number>((resolve) => child.once('exit', (status) => resolve(status ?? 1)));
}

/** Log lines of requests that the service answered with 500. */
const failuresIn = (output: string): string[] =>
  output.split('\n').filter((line) => line.includes('"msg":"request failed"'));

const program = install();
const report = join(CACHE, 'report.json');
const service = await startService({
  ownDatabase: true,
  env: {
    ...WITHOUT_LIMITS,
    NODE_OPTIONS: `--import ${PRELOAD.href}`,
    [NAME_SERVER]: NO_NAMES,
    SAFE_FETCH_ALLOW: LOOPBACK_OPEN,
  },
  provision: {
    workspaces: [
      {
        name: 'Contract',
        api_key: TEST_KEY,
        credits: 100_000,
        owner: OWNER,
        numbers: [{ number: '+14155550100', trunk: 'test' }],
      },
    ],
  },
});
let hasFailed = true;
try {
  const ids = Object.entries(await makeHoldings(service)).map(([kind, id]) => [`CONTRACT_${kind}`, id]);
  const env = { CONTRACT_KEY: TEST_KEY, ...Object.fromEntries(ids), ...(await signIn(service)) };
  const code = await check(program, service, env, report);
  const { operations, failures, errors } = JSON.parse(readFileSync(report, 'utf8')) as Report;
  const failed = new Set(failures.flatMap((failure) => failure.operations)).size + errors.length;
  const logged = failuresIn(service.output());
  for (const line of logged.slice(0, 10)) console.log(`the service logged: ${line.slice(0, 500)}`);
  hasFailed = code !== 0 || failed > 0 || logged.length > 0 || operations.tested === 0;
  const wrong = Math.max(failed, hasFailed ? 1 : 0);
  console.log(`${Math.max(0, operations.tested - failed)} passed, ${wrong} failed`);
} finally {
  await service.dispose();
}
process.exitCode = hasFailed ? 1 : 0;
