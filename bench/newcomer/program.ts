import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A clone of Callwright as a newcomer runs it: `bin/callwright` in a data folder of its own. */
export class Program {
  readonly folder: string;
  readonly root = mkdtempSync(join(tmpdir(), 'callwright-newcomer-'));
  readonly dataDir = join(this.root, 'data');
  url = '';
  key = '';
  #child: ChildProcess | null = null;
  #output = '';

  /** `folder`: the clone, set up. */
  constructor(folder: string) {
    this.folder = folder;
  }

  /** Starts the service and resolves when it takes calls. */
  async start(env: Record<string, string> = {}, dataDir = this.dataDir): Promise<void> {
    const port = await freePort();
    this.url = `http://127.0.0.1:${port}`;
    this.#output = '';
    const child = spawn(join(this.folder, 'bin/callwright'), ['start'], {
      cwd: this.folder,
      env: { ...process.env, PORT: String(port), SIP_PORT: '0', DATA_DIR: dataDir, CI: '', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    const listen = (chunk: Buffer): void => {
      this.#output += chunk.toString();
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    await new Promise<void>((resolve, reject) => {
      child.stdout.on('data', () => {
        if (this.#output.includes('"msg":"ready"')) resolve();
      });
      child.once('exit', (code) =>
        reject(new Error(`start exited with ${code}: ${this.#output.slice(-400)}`)),
      );
    });
    this.key ||= this.printed(/API key\s+(cw_live_\w+)/) ?? this.#stored('api-key.txt') ?? '';
  }

  /** What the service printed at its start. */
  printed(pattern: RegExp): string | null {
    return pattern.exec(this.#output)?.[1] ?? null;
  }

  /** The link that makes the first owner. */
  get ownerLink(): string {
    return this.printed(/Dashboard\s+(http\S+#\S+)/) ?? this.#stored('owner-link.txt') ?? '';
  }

  #stored(file: string): string | null {
    try {
      return readFileSync(join(this.dataDir, file), 'utf8').trim();
    } catch {
      return null;
    }
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const child = this.#child;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await ended;
  }

  /** Runs `bin/callwright` with the key and the address of the service. */
  command(
    args: readonly string[],
    env: Record<string, string> = {},
  ): Promise<{ code: number | null; output: string }> {
    return run(join(this.folder, 'bin/callwright'), args, this.folder, {
      CALLWRIGHT_API_KEY: this.key,
      CALLWRIGHT_URL: this.url,
      DATA_DIR: this.dataDir,
      ...env,
    });
  }

  /** A request with the key of the workspace, or another one. */
  async api(
    method: string,
    path: string,
    body?: unknown,
    key = this.key,
  ): Promise<{ status: number; body: any }> {
    const isForm = body instanceof FormData;
    const response = await fetch(`${this.url}/api/v0${path}`, {
      method,
      headers: {
        'x-api-key': key,
        ...(isForm || body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text };
  }

  async dispose(): Promise<void> {
    await this.stop();
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** Runs a program to its end. */
export function run(
  file: string,
  args: readonly string[],
  cwd: string,
  env: Record<string, string> = {},
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      cwd,
      env: { ...process.env, CI: '', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.once('error', reject);
    child.once('exit', (code) => resolve({ code, output }));
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
