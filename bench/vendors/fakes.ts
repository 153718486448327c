import { spawn } from 'node:child_process';
import { join } from 'node:path';

export interface Fakes {
  /** Address by vendor. */
  readonly baseUrls: ReadonlyMap<string, string>;
  /** Changes the settings of one vendor, for the connections to come. */
  set(vendor: string, settings: Record<string, unknown>): Promise<void>;
  stop(): Promise<void>;
}

/** The stand-ins of `callwright vendors` in a process of their own, as their work must not count. */
export async function startFakes(): Promise<Fakes> {
  const program = join(import.meta.dirname, '../../src/cli/main.ts');
  const child = spawn(process.execPath, [program, 'vendors', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  let out = '';
  await new Promise<void>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the stand-ins ended with ${code}`)));
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString();
      if (out.includes('# Delays')) resolve();
    });
  });
  const found = [...out.matchAll(/^([A-Z_]+)_BASE_URL=(\S+)$/gm)];
  const baseUrls = new Map(
    found.map(([, name = '', url = '']) => [name.toLowerCase().replaceAll('_', '-'), url] as const),
  );
  return {
    baseUrls,
    async set(vendor, settings) {
      const answer = await fetch(`${baseUrls.get(vendor)}/fake/settings`, {
        method: 'PUT',
        body: JSON.stringify(settings),
      });
      if (!answer.ok) throw new Error(`${vendor}: ${await answer.text()}`);
    },
    async stop() {
      child.removeAllListeners('exit');
      const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      child.kill('SIGTERM');
      await ended;
    },
  };
}
