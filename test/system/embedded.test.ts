import { spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../src/shared/log.ts';
import { restoreLibraryLinks } from '../../src/store/embedded/binaries.ts';
import { EmbeddedPostgres } from '../../src/store/embedded/embedded-postgres.ts';
import { migrate, readMigrations } from '../../src/store/migrate.ts';

let root: string;
const servers: EmbeddedPostgres[] = [];

function server(
  dataDir: string,
  more: { namespaces?: boolean; reachableBase?: string } = {},
): EmbeddedPostgres {
  const created = new EmbeddedPostgres({ dataDir, durable: false, log: silentLog, ...more });
  servers.push(created);
  return created;
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 3000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(text)).rows as unknown[];
  } finally {
    await client.end();
  }
}

async function eventually<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (tries > 150) throw error;
      await sleep(100);
    }
  }
}

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'cw-embedded-'));
});
afterEach(async () => {
  for (const started of servers.splice(0)) await started.stop();
  await rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
});

describe('embedded database', () => {
  it('keeps its data over a stop and a start, below a folder only its owner may enter', async () => {
    const closed = join(root, 'closed');
    await mkdir(closed, { mode: 0o700 });
    const first = server(join(closed, 'data'));
    const url = await first.start();
    await query(url, 'create table kept (n int)');
    await query(url, 'insert into kept values (7)');
    await first.stop();
    expect((await stat(join(closed, 'data/postgres/password'))).mode & 0o777).toBe(0o600);
    expect((await stat(join(closed, 'data/postgres/cluster'))).mode & 0o777).toBe(0o700);
    const again = await server(join(closed, 'data')).start();
    expect(await query(again, 'select n from kept')).toEqual([{ n: 7 }]);
    expect(again).toBe(url);
  });

  it('refuses a connection without the password', async () => {
    const url = await server(join(root, 'd')).start();
    await expect(query(url.replace(/:[^:@]+@/, ':wrong@'), 'select 1')).rejects.toThrow(/password/);
  });

  it('is durable unless told otherwise', async () => {
    const durable = new EmbeddedPostgres({ dataDir: join(root, 'd'), log: silentLog });
    servers.push(durable);
    const url = await durable.start();
    expect(await query(url, 'show fsync')).toEqual([{ fsync: 'on' }]);
    expect(await query(url, 'show max_connections')).toEqual([{ max_connections: '100' }]);
  });

  it('comes back by itself after its server is killed', async () => {
    const embedded = server(join(root, 'd'));
    const url = await embedded.start();
    const pid = embedded.pid!;
    process.kill(pid, 'SIGKILL');
    await eventually(async () => {
      expect(embedded.pid).not.toBe(pid);
      expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
    });
  });

  it('adopts the server that a killed process left behind, and then stops it', async () => {
    const dataDir = join(root, 'd');
    const program = `
      import { EmbeddedPostgres } from ${JSON.stringify(join(import.meta.dirname, '../../src/store/embedded/embedded-postgres.ts'))};
      import { silentLog } from ${JSON.stringify(join(import.meta.dirname, '../../src/shared/log.ts'))};
      const server = new EmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, durable: false, log: silentLog });
      await server.start();
      process.stdout.write(server.pid + '\\n');
      setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const pid = await new Promise<number>((resolve) => {
      child.stdout.once('data', (chunk: Buffer) => resolve(Number(chunk.toString())));
    });
    // While its owner lives a second one joins and leaves it alone.
    const guest = server(dataDir);
    const url = await guest.start();
    expect(guest.pid).toBe(pid);
    await guest.stop();
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
    const heir = server(dataDir);
    expect(await heir.start()).toBe(url);
    expect(heir.pid).toBe(pid);
    await heir.stop();
    await expect(query(url, 'select 1')).rejects.toThrow(/ECONNREFUSED/);
  });

  it('starts after server and parent were both killed, and over a stale pid file of a reused id', async () => {
    const dataDir = join(root, 'd');
    const first = server(dataDir);
    await first.start();
    const file = join(dataDir, 'postgres/cluster/postmaster.pid');
    const text = await readFile(file, 'utf8');
    await first.stop();
    await writeFile(file, text.replace(/^\d+/, String(process.pid)), { mode: 0o600 });
    expect(await query(await server(dataDir).start(), 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('starts again after server and owner were killed together, with everything committed', async () => {
    const dataDir = join(root, 'd');
    const first = new EmbeddedPostgres({ dataDir, log: silentLog });
    const url = await first.start();
    await query(url, 'create table kept as select generate_series(1, 1000) as n');
    const pid = first.pid!;
    // Not stopped: as if its process had gone too, so nobody restarts it here.
    const stopped = first.stop();
    process.kill(pid, 'SIGKILL');
    await stopped;
    const again = await server(dataDir).start();
    expect(await query(again, 'select count(*)::int as n from kept')).toEqual([{ n: 1000 }]);
  });

  it('applies migrations once, also when two start together', async () => {
    const url = await server(join(root, 'd')).start();
    const applied = await Promise.all([migrate(url), migrate(url)]);
    const all = (await readMigrations()).map(({ name }) => name);
    expect(applied.flat()).toEqual(all);
  });

  it('makes missing library links again', async () => {
    const fake = join(root, 'package');
    await mkdir(join(fake, 'native/lib'), { recursive: true });
    await writeFile(join(fake, 'native/lib/a.so.1.2'), 'library');
    await writeFile(
      join(fake, 'native/pg-symlinks.json'),
      JSON.stringify([{ source: 'native/lib/a.so.1.2', target: 'native/lib/a.so.1' }]),
    );
    await restoreLibraryLinks(fake);
    await restoreLibraryLinks(fake);
    expect(await readFile(join(fake, 'native/lib/a.so.1'), 'utf8')).toBe('library');
  });

  it.runIf(process.getuid?.() === 0)(
    'runs as another user from a reachable place when namespaces are refused',
    async () => {
      await chmod(root, 0o755);
      const closed = join(root, 'closed');
      await mkdir(closed, { mode: 0o700 });
      const reachableBase = join(root, 'reachable');
      const embedded = server(join(closed, 'data'), { namespaces: false, reachableBase });
      const url = await embedded.start();
      expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
      expect((await stat(`/proc/${embedded.pid}`)).uid).not.toBe(0);
    },
  );
});
