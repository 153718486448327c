import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Snapshot } from '../../../src/store/backup/snapshot.ts';
import { createTestDatabase, type TestDatabase } from '../../helpers/database/database.ts';

/** CopyDone of PostgreSQL's protocol; CommandComplete, with the number of rows, follows it. */
const COPY_DONE = Buffer.from([0x63, 0, 0, 0, 4]);
const LATE_MS = 50;

let database: TestDatabase;
const sockets = new Set<Socket>();
/** Between PostgreSQL and the backup: what follows a CopyDone comes late, as from a busy server. */
const proxy = createServer((client) => {
  const { hostname, port } = new URL(database.url);
  const server = connect(Number(port), hostname);
  client.pipe(server);
  let sent = Promise.resolve();
  server.on('data', (chunk: Buffer) => {
    const at = chunk.indexOf(COPY_DONE);
    const parts = at === -1 ? [chunk] : [chunk.subarray(0, at + 5), chunk.subarray(at + 5)];
    sent = sent.then(async () => {
      client.write(parts[0] ?? chunk);
      if (parts[1] === undefined) return;
      await new Promise((resolve) => setTimeout(resolve, LATE_MS));
      client.write(parts[1]);
    });
  });
  for (const socket of [client, server]) {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => (socket === client ? server : client).destroy());
  }
});

beforeAll(async () => {
  database = await createTestDatabase();
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  proxy.close();
  await database?.close();
});

it('a backup counts the rows of a table whose number PostgreSQL says after their end', async () => {
  const url = new URL(database.url);
  url.port = String((proxy.address() as AddressInfo).port);
  const snapshot = await Snapshot.open(url.href);
  try {
    const tables = await snapshot.tables();
    const migrations = { name: 'migrations', columns: ['name', 'checksum'] };
    expect(tables.map(({ name }) => name)).toContain('workspaces');
    const copied = snapshot.rows(migrations);
    const lines = (await copied.setEncoding('utf8').toArray()).join('').trim().split('\n');
    expect(lines.length).toBeGreaterThan(0);
    expect(await snapshot.countOf(copied)).toBe(lines.length);
  } finally {
    await snapshot.close();
  }
});
