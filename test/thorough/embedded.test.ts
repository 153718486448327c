import { spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../src/shared/log.ts';
import { restoreLibraryLinks } from '../../src/store/embedded/binaries.ts';
import { EmbeddedPostgres, type EmbeddedOptions } from '../../src/store/embedded/embedded-postgres.ts';
import { migrate, readMigrations } from '../../src/store/migrate.ts';

let root: string;
const servers: EmbeddedPostgres[] = [];

function server(dataDir: string, more: Partial<EmbeddedOptions> = {}): EmbeddedPostgres {
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
      if (tries > 300) throw error;
      await sleep(100);
    }
  }
}

/** Listens on the port of a killed server before this process hears of the server's end. */
function takePort(port: number): Server {
  for (;;) {
    const other = createServer().on('error', () => undefined);
    other.listen(port);
    if (other.listening) return other;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
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
  it('rotates its log while it runs', async () => {
    const maxBytes = 3000;
    const url = await server(join(root, 'data'), { logRotation: { maxBytes, checkMs: 50 } }).start();
    const log = join(root, 'data/postgres/server.log');
    const wrong = new URL(url);
    wrong.pathname = '/no_such_database';
    const fail = (): Promise<unknown> => query(wrong.href, 'select 1').catch(() => undefined);
    await eventually(async () => {
      await fail();
      expect((await stat(`${log}.1`)).size).toBeGreaterThan(maxBytes);
    });
    expect(await readFile(`${log}.1`, 'utf8')).toContain('no_such_database');
    await eventually(async () => {
      await fail();
      expect(await readFile(log, 'utf8')).toMatch(/^[\x20-\x7e\n]*no_such_database/);
    });
    expect((await stat(log)).size).toBeLessThan(2 * maxBytes);
  });

  it('keeps its data over a restart, in a folder that only its owner may enter', async () => {
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

  it('is durable by default', async () => {
    const durable = new EmbeddedPostgres({ dataDir: join(root, 'd'), log: silentLog });
    servers.push(durable);
    const url = await durable.start();
    expect(await query(url, 'show fsync')).toEqual([{ fsync: 'on' }]);
    expect(await query(url, 'show max_connections')).toEqual([{ max_connections: '100' }]);
  });

  it('writes no WAL for a standby, until the operator configures a reader of it', async () => {
    const dataDir = join(root, 'd');
    const first = server(dataDir);
    const url = await first.start();
    expect(await query(url, 'show wal_level')).toEqual([{ wal_level: 'minimal' }]);
    await query(url, 'create table kept (n int)');
    await first.stop();
    await writeFile(
      join(dataDir, 'postgres/cluster/postgresql.local.conf'),
      "archive_mode = on\narchive_command = 'true'\n",
    );
    const again = server(dataDir);
    expect(await query(await again.start(), 'show wal_level')).toEqual([{ wal_level: 'replica' }]);
    await query(url, "select pg_create_physical_replication_slot('standby', true)");
    await again.stop();
    await rm(join(dataDir, 'postgres/cluster/postgresql.local.conf'));
    const third = await server(dataDir).start();
    expect(await query(third, 'select n from kept')).toEqual([]);
    expect(await query(third, 'show wal_level')).toEqual([{ wal_level: 'replica' }]);
  });

  it('restarts its server after a kill', async () => {
    const embedded = server(join(root, 'd'));
    const url = await embedded.start();
    const pid = embedded.pid!;
    process.kill(pid, 'SIGKILL');
    await eventually(async () => {
      expect(embedded.pid).not.toBe(pid);
      expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
    });
  });

  it('restarts its server on the same port, as soon as another program releases it', async () => {
    const refusals: string[] = [];
    const log = { ...silentLog, warn: ({ err }: any) => void refusals.push(err.message) };
    const embedded = server(join(root, 'd'), { log: log as typeof silentLog });
    const url = await embedded.start();
    const port = Number(new URL(url).port);
    process.kill(embedded.pid!, 'SIGKILL');
    const other = takePort(port);
    await eventually(async () =>
      expect(refusals).toContain(`another program uses port ${port} of the embedded database`),
    );
    other.close();
    await eventually(async () => expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]));
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
    // While its owner is alive, a second instance joins the server and does not stop it.
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

  it('starts after server and parent were killed, despite a stale pid file with a reused pid', async () => {
    const dataDir = join(root, 'd');
    const first = server(dataDir);
    await first.start();
    const file = join(dataDir, 'postgres/cluster/postmaster.pid');
    const text = await readFile(file, 'utf8');
    await first.stop();
    await writeFile(file, text.replace(/^\d+/, String(process.pid)), { mode: 0o600 });
    expect(await query(await server(dataDir).start(), 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('recovers all committed data after server and owner were killed together', async () => {
    const dataDir = join(root, 'd');
    const first = new EmbeddedPostgres({ dataDir, log: silentLog });
    const url = await first.start();
    await query(url, 'create table kept as select generate_series(1, 1000) as n');
    const pid = first.pid!;
    // `stop` prevents a restart here, as if the owning process were gone as well.
    const stopped = first.stop();
    process.kill(pid, 'SIGKILL');
    await stopped;
    const again = await server(dataDir).start();
    expect(await query(again, 'select count(*)::int as n from kept')).toEqual([{ n: 1000 }]);
  });

  it('applies migrations once with two concurrent starts', async () => {
    const url = await server(join(root, 'd')).start();
    const applied = await Promise.all([migrate(url), migrate(url)]);
    const all = (await readMigrations()).map(({ name }) => name);
    expect(applied.flat()).toEqual(all);
  });

  it('restores missing library symlinks', async () => {
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
    'runs as another user from a reachable folder if user namespaces are not available',
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
