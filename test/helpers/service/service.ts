import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, fetch } from 'undici';
import { keyFor } from '../api/owner-key.ts';
import { COMPILE_CACHE } from './compile-cache.ts';
import { freePorts } from './ports.ts';
import { SERVICE } from './program.ts';

/** The real program as a child process, as a self-hoster runs it. */
export interface Service {
  readonly url: string;
  readonly key: string;
  readonly sipPort: number;
  readonly dataDir: string;
  readonly child: ChildProcess;
  /** Its output so far. */
  output(): string;
  /** The key of its own workspace, which a first start without a provision file makes. */
  ownKey(): Promise<string>;
  /** The link that creates its first owner. */
  ownerLink(): Promise<string>;
  request(method: string, path: string, body?: unknown): Promise<{ status: number; body: any }>;
  /** Requests with another API key. */
  as(key: string): Pick<Service, 'request'>;
  /** Sends the signal and resolves with the exit code (or signal name) once it has ended. */
  end(signal?: NodeJS.Signals): Promise<number | string>;
  /** Stops it if it is still running and removes its data folder. */
  dispose(): Promise<void>;
}

export interface ServiceOptions {
  dataDir?: string;
  env?: Record<string, string>;
  /** Provision document. `key` is the API key of its first workspace. */
  provision?: Record<string, unknown>;
  key?: string;
  readyTimeoutMs?: number;
  /** A program to run instead of the service, relative to the project root; it gets an IPC channel. */
  program?: string;
  /** The folder in which the program starts; absent: the project's. */
  cwd?: string;
  /** Starts its own embedded database; otherwise it gets a fresh database on the server of the test run. */
  ownDatabase?: boolean;
  /** Runs it in another network namespace: the prefix of its command line and the address of its HTTP there. */
  within?: { readonly command: readonly string[]; readonly address: string };
}

export const freeTcpPort = (): Promise<number> => freePorts('http');
/** A port free on UDP and TCP. */
export const freeSipPort = (): Promise<number> => freePorts('sip');

const root = join(import.meta.dirname, '../../..');

/** The output of a program that has ended is read within this time. */
const OUTPUT_MS = 2_000;

/**
 * Closes idle connections long before the service does. If both sides closed one at the same moment, a request sent on
 * it would fail.
 */
const connections = new Agent({ keepAliveTimeout: 4000, keepAliveMaxTimeout: 4000 });

/** On the server of the test run; a bench passes its own DATABASE_URL. */
async function freshDatabase(): Promise<string> {
  const { createTestDatabase } = await import('../database/database.ts');
  const database = await createTestDatabase();
  await database.close();
  return database.url;
}
const TEST_SECRET_KEY = 'the secret key of every process of a test';
export const TEST_KEY = 'cw_live_testtesttesttesttesttesttesttest';

/** Starts the program and waits until /readyz returns 200. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'callwright-test-')));
  const port = await freeTcpPort();
  const sipPort = await freeSipPort();
  const isOwn = options.ownDatabase ?? options.dataDir !== undefined;
  const databaseUrl = options.env?.['DATABASE_URL'] ?? (isOwn ? null : await freshDatabase());
  const env: Record<string, string> = {
    PATH: process.env['PATH'] ?? '',
    HOME: process.env['HOME'] ?? '',
    ...COMPILE_CACHE,
    ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
    // Processes that share a database but no folder need a common key.
    ...(options.dataDir === undefined ? { SECRET_KEY: TEST_SECRET_KEY } : {}),
    PORT: String(port),
    DATA_DIR: dataDir,
    // Without models, so that most tests keep the small engines; one that needs weights names their folder.
    MODELS_DIR: join(dataDir, 'models'),
    MODELS_FETCH: 'off',
    SIP_PORT: String(sipPort),
    LOG_LEVEL: 'info',
    ...(options.within === undefined ? {} : { HOST: options.within.address }),
    ...options.env,
  };
  if (options.provision !== undefined) {
    const file = join(dataDir, 'provision.json');
    await writeFile(file, JSON.stringify(options.provision));
    env['PROVISION_FILE'] = file;
  }
  let output = '';
  const hasChannel = options.program !== undefined;
  const [command, ...args] = [...(options.within?.command ?? []), process.execPath];
  const child = spawn(command, [...args, join(root, options.program ?? SERVICE)], {
    cwd: options.cwd ?? root,
    env,
    stdio: ['ignore', 'pipe', 'pipe', ...(hasChannel ? (['ipc'] as const) : [])],
  });
  for (const stream of [child.stdout, child.stderr]) {
    // A chunk may end within a character.
    stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const exited = new Promise<number | string>((resolve) =>
    child.once('exit', (code, signal) => {
      const end = (): void => resolve(code ?? signal ?? 'unknown');
      // Its last lines may still be in the pipes. A database that outlives it may keep them open.
      child.once('close', end);
      // Timers run before sockets are read: a test that stood still reads them first.
      setTimeout(() => setImmediate(end), OUTPUT_MS).unref();
    }),
  );
  const url = `http://${options.within?.address ?? '127.0.0.1'}:${port}`;
  const key = options.key ?? TEST_KEY;
  const ask = async (
    as: string,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: any }> => {
    const response = await fetch(`${url}${path}`, {
      dispatcher: connections,
      method,
      headers: {
        'x-api-key': keyFor(method, path, as),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((error: unknown) => {
      const state = child.exitCode ?? child.signalCode ?? 'running';
      const last = output.split('\n').slice(-30).join('\n');
      throw new Error(`${method} ${path} got no response; the service is ${state}:\n${last}`, {
        cause: error,
      });
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? null : JSON.parse(text) };
  };
  const service: Service = {
    url,
    key,
    sipPort,
    dataDir,
    child,
    output: () => output,
    ownKey: async () => /cw_live_\w+/.exec(await readFile(join(dataDir, 'api-key.txt'), 'utf8'))?.[0] ?? '',
    ownerLink: async () => (await readFile(join(dataDir, 'owner-link.txt'), 'utf8')).trim(),
    request: (method, path, body) => ask(key, method, path, body),
    as: (other) => ({ request: (method, path, body) => ask(other, method, path, body) }),
    async end(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      return exited;
    },
    async dispose() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM');
        const timer = setTimeout(() => child.kill('SIGKILL'), 15_000);
        await exited;
        clearTimeout(timer);
      }
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
    },
  };
  const deadline = Date.now() + (options.readyTimeoutMs ?? 240_000);
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the service ended at start:\n${output}`);
    const ready = await fetch(`${url}/readyz`).then(
      (r) => r.ok,
      () => false,
    );
    if (ready) return service;
    if (Date.now() > deadline) {
      await service.dispose();
      throw new Error(`the service is not ready:\n${output}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Polls `probe` until it returns something other than null; fails after `timeoutMs` with the description `what`. */
export async function eventually<T>(
  what: string,
  probe: () => Promise<T | null>,
  timeoutMs = 120_000,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const value = await probe();
    if (value !== null) return value;
    if (Date.now() > deadline) throw new Error(`waited ${timeoutMs} ms for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
