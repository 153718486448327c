import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { audioSocketBase } from '../../../src/app/carrier-entrance.ts';
import { AudioSocketEntrance } from '../../../src/app/audio-socket.ts';
import { connectionBudget, UNKNOWN_TOKEN } from '../../../src/app/web-sockets.ts';
import { StreamTickets, type AnnouncedCall } from '../../../src/domain/trunks/stream-tickets.ts';
import { ManualClock, systemScheduler } from '../../../src/shared/clock.ts';
import { newId } from '../../../src/shared/ids.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { registerNode } from '../../../src/store/nodes.ts';
import { adoptFramed } from '../../../src/telephony/carriers/audiosocket/framed-socket.ts';
import { FRAME_TYPES, frameOf } from '../../../src/telephony/carriers/audiosocket/frames.ts';
import { createTestDatabase, type TestDatabase } from '../../helpers/database/database.ts';
import { TEST_SEAL } from '../../helpers/database/seal.ts';
import { createTrunk } from '../../helpers/database/workspace.ts';

const clock = new ManualClock(1_800_000_000_000);
const KEY = frameOf(FRAME_TYPES.key, Buffer.from('7'));

/** A process with an AudioSocket port: the calls that it places, those that were opened, and the frames that came. */
interface Process {
  readonly entrance: AudioSocketEntrance;
  readonly port: number;
  readonly placed: Set<string>;
  readonly opened: string[];
  /** Runs what waits for a time. */
  timeOut(): void;
}

let database: TestDatabase;
let tickets: StreamTickets;
let trunkId = '';
const processes: Process[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  tickets = new StreamTickets({ db: database.db, clock, seal: TEST_SEAL });
  trunkId = await createTrunk(database.db, { kind: 'asterisk', uri: 'https://pbx.example.com:8089' });
  for (let n = 0; n < 2; n += 1) processes.push(await startProcess());
});
// Each test has the whole budget of its address.
beforeEach(() => clock.advance(600_000));
afterAll(async () => {
  await Promise.all(processes.map(({ entrance }) => entrance.stop()));
  await database?.close();
});

/** A call that it takes answers every frame of it, and closes the connection at a hang-up. */
async function startProcess(): Promise<Process> {
  const [placed, opened] = [new Set<string>(), [] as string[]];
  const timers = new Set<() => void>();
  const entrance = new AudioSocketEntrance({
    db: database.db,
    seal: TEST_SEAL,
    clock,
    log: silentLog,
    tickets,
    scheduler: {
      after: (_ms, run) => {
        timers.add(run);
        return () => void timers.delete(run);
      },
    },
    budget: connectionBudget('carrier', { clock }),
    calls: {
      open: async (request) => {
        if ('announced' in request) return { callId: request.announced.carrierCallId };
        const token = 'placed' in request ? request.placed : '';
        return placed.delete(token) ? { callId: `placed ${token}` } : UNKNOWN_TOKEN;
      },
      connect: (callId, socket) => {
        opened.push(callId);
        adoptFramed(socket, systemScheduler, (framed) =>
          framed.on('message', (frame) => {
            if (frame[0] === FRAME_TYPES.hangup) framed.close(1000, '');
            else framed.send(frame);
          }),
        );
      },
    },
  });
  const port = await entrance.listen({ port: 0, host: '127.0.0.1' });
  return { entrance, port, placed, opened, timeOut: () => timers.forEach((run) => run()) };
}

const announced = (carrierCallId: string): AnnouncedCall => ({
  trunkId,
  kind: 'asterisk',
  carrierCallId,
  from: '+14155550188',
  to: '+14155550100',
  displayName: null,
});
const opening = (uuid: string): Buffer =>
  frameOf(FRAME_TYPES.uuid, Buffer.from(uuid.replaceAll('-', ''), 'hex'));

async function dial({ port }: Process): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** A reset by the other side, which had not read everything, is a close as well. */
const closeOf = (socket: Socket): Promise<void> =>
  new Promise((resolve) => socket.once('close', () => resolve()));

/** What comes back until the other side closes the connection, in hex. */
async function saidTo(process: Process, ...pieces: readonly Buffer[]): Promise<string> {
  const socket = await dial(process);
  const said: Buffer[] = [];
  socket.on('data', (bytes: Buffer) => said.push(bytes));
  const closed = closeOf(socket);
  for (const piece of pieces) socket.write(piece);
  await closed;
  return Buffer.concat(said).toString('hex');
}
const HANGUP = frameOf(FRAME_TYPES.hangup);

describe('a connection of AudioSocket', () => {
  it('opens a call that was announced to any process, once, and hands over every frame with the first one', async () => {
    const [first, second] = processes as [Process, Process];
    const uuid = await tickets.issue(announced('1700000000.1'), 'uuid');
    expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(await tickets.issue(announced('1700000000.1'), 'uuid')).toBe(uuid);
    expect(await tickets.issue(announced('1700000000.1'))).not.toBe(uuid);
    const whole = Buffer.concat([opening(uuid), KEY]);
    expect(await saidTo(second, whole.subarray(0, 5), whole.subarray(5), KEY, HANGUP)).toBe(
      Buffer.concat([opening(uuid), KEY, KEY]).toString('hex'),
    );
    expect([first.opened, second.opened]).toEqual([[], ['1700000000.1']]);
    expect(await saidTo(first, opening(uuid))).toBe('');
    expect(first.opened).toEqual([]);
  });

  it('opens a call that this process places, and no call of another one', async () => {
    const [first, second] = processes as [Process, Process];
    const uuid = '40325ec2-5efd-4bd3-805f-53576e581d13';
    first.placed.add(uuid);
    expect(await saidTo(second, opening(uuid))).toBe('');
    expect(await saidTo(first, opening(uuid), HANGUP)).toBe(opening(uuid).toString('hex'));
    expect(first.opened).toEqual([`placed ${uuid}`]);
    expect(await saidTo(first, opening(uuid))).toBe('');
  });

  it('is closed at once when its first frame is another one, before the rest of it came', async () => {
    const [first] = processes as [Process];
    for (const bytes of [Buffer.from([0x10]), Buffer.from('GET / HTTP/1.1\r\n\r\n'), HANGUP])
      expect(await saidTo(first, bytes)).toBe('');
  });

  it('is closed when the UUID has not come in time', async () => {
    const [first] = processes as [Process];
    const socket = await dial(first);
    const closed = closeOf(socket);
    socket.write(opening(newId()).subarray(0, 10));
    // Another connection is served meanwhile, so that this one has been accepted.
    expect(await saidTo(first, HANGUP)).toBe('');
    first.timeOut();
    await closed;
  });

  it('draws from the budget of its address before a byte is read', async () => {
    const [first] = processes as [Process];
    let taken = 0;
    for (let n = 0; n < 60; n += 1) {
      const uuid = `40325ec2-5efd-4bd3-805f-0000000000${String(n + 10)}`;
      first.placed.add(uuid);
      if ((await saidTo(first, opening(uuid), HANGUP)) !== '') taken += 1;
    }
    expect(taken).toBe(40);
  });
});

describe('where Asterisk connects for an announced call', () => {
  it('is this process, or else the one with most free calls that has such a port', async () => {
    const deps = { db: database.db, clock };
    expect(await audioSocketBase(deps, 'here.example.com:9092')).toBe('here.example.com:9092');
    expect(await audioSocketBase(deps, null)).toBeNull();
    const nodes = [
      ['api,media', { freeCalls: 3, audioSocket: 'busy.example.com:9092' }],
      ['api,media', { freeCalls: 9, audioSocket: 'free.example.com:9092' }],
      ['api,media', { freeCalls: 30, audioSocket: null }],
      ['api,dialer', { freeCalls: 40, audioSocket: 'dialer.example.com:9092' }],
    ] as const;
    for (const [i, [roles, figures]] of nodes.entries()) {
      const id = newId();
      await registerNode(database.db, { id, name: `node ${i}`, roles }, new Date(clock.now()));
      const json = JSON.stringify(figures);
      await database.db.updateTable('nodes').set({ figures: json }).where('id', '=', id).execute();
    }
    expect(await audioSocketBase(deps, null)).toBe('free.example.com:9092');
  });
});
