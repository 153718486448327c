import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { RegistrationLease } from '../../../src/app/registration-lease.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { freeRegistrations, holdRegistrations } from '../../../src/store/numbers/registrations.ts';
import { createGround, type Ground } from '../../helpers/database/database-and-clock.ts';
import { createNode } from '../../helpers/database/workspace.ts';
import { closePlanes, datagrams, startPlane, trunkTo } from '../../helpers/sip/sip-plane.ts';

const [ONE, TWO] = ['0190a0a0-0000-7000-8000-000000000001', '0190a0a0-0000-7000-8000-000000000002'] as const;

let ground: Ground;
beforeAll(async () => {
  ground = await createGround();
});
afterAll(() => ground.close());
beforeEach(() => ground.renew());
afterEach(closePlanes);

const hold = (nodeId: string, ...trunkIds: string[]): Promise<string[]> => {
  const now = ground.clock.now();
  return holdRegistrations(ground.db, nodeId, trunkIds, {
    now: new Date(now),
    endsAt: new Date(now + 15_000),
  });
};

describe('the registration of an account', () => {
  it('belongs to one process, and to another once that one is silent, fenced or gone', async () => {
    const [first, second] = [await createNode(ground.db), await createNode(ground.db)];
    expect((await hold(first, ONE, TWO)).toSorted()).toEqual([ONE, TWO]);
    expect(await hold(second, ONE, TWO)).toEqual([]);
    ground.clock.advance(14_000);
    expect(await hold(first, ONE)).toEqual([ONE]);
    ground.clock.advance(2_000);
    expect(await hold(second, ONE, TWO)).toEqual([TWO]);
    await sql`update nodes set fenced_at = now() where id = ${first}`.execute(ground.db);
    expect((await hold(second, ONE, TWO)).toSorted()).toEqual([ONE, TWO]);
    await freeRegistrations(ground.db, second);
    const third = await createNode(ground.db);
    expect(await hold(third, ONE)).toEqual([ONE]);
    await sql`delete from nodes where id = ${third}`.execute(ground.db);
    expect(await hold(second, ONE)).toEqual([ONE]);
  });
  it('goes to one of processes that ask at once', async () => {
    const nodes = await Promise.all(Array.from({ length: 8 }, () => createNode(ground.db)));
    const held = await Promise.all(nodes.map((id) => hold(id, TWO, ONE)));
    expect(held.flat().toSorted()).toEqual([ONE, TWO]);
  });
});

/** A registrar that accepts everybody, and the Contact ports and seconds that it was asked for. */
async function registrar() {
  const { port, socket, received } = await datagrams();
  socket.on('message', (bytes, from) => {
    const kept = bytes
      .toString('latin1')
      .split('\r\n')
      .filter((line) => /^(Via|From|To|Call-ID|CSeq|Contact):/.test(line));
    socket.send(
      ['SIP/2.0 200 OK', ...kept, 'Content-Length: 0', '', ''].join('\r\n'),
      from.port,
      from.address,
    );
  });
  const asked = (): string[] =>
    received.flatMap((text) => {
      const contact = /^Contact: <sip:[^>]*:(\d+);[^>]*>;expires=(\d+)/m.exec(text);
      return text.startsWith('REGISTER') && contact !== null ? [`${contact[1]} ${contact[2]}`] : [];
    });
  return { port, asked };
}

describe('two processes with one account', () => {
  it('register it once, and the other takes over after the first has un-registered', async () => {
    const carrier = await registrar();
    const account = { register: true, username: 'alice', password: 'secret' };
    const start = async () => {
      const nodeId = await createNode(ground.db);
      const signalling = await startPlane([trunkTo(carrier.port, { ...account, id: ONE })], {
        tcpPort: null,
        sharesAccounts: true,
      });
      const { db, clock } = ground;
      const lease = new RegistrationLease({ db, clock, log: silentLog, nodeId: () => nodeId, signalling });
      lease.start();
      return { signalling, lease };
    };
    const first = await start();
    await expect.poll(() => first.signalling.health().trunks[0]?.registered).toBe(true);
    const second = await start();
    await expect.poll(() => second.signalling.health().trunks[0]?.registered).toBe(null);
    expect(carrier.asked()).toHaveLength(1);
    await first.lease.release(first.signalling.drain());
    expect(carrier.asked()).toHaveLength(2);
    second.lease.kick();
    await expect.poll(() => second.signalling.health().trunks[0]?.registered).toBe(true);
    const [registered, removed, taken] = carrier.asked();
    const port = registered?.split(' ')[0];
    expect([registered, removed]).toEqual([`${port} 300`, `${port} 0`]);
    expect(taken).toMatch(/ 300$/);
    expect(taken?.split(' ')[0]).not.toBe(port);
    await second.lease.release(second.signalling.drain());
  });
});
