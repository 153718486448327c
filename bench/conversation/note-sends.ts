import { Socket } from 'node:dgram';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Socket as Connection } from 'node:net';
import { isMainThread, threadId } from 'node:worker_threads';
import type { SentPackets } from './sends.ts';

// Loaded into the service before its program (node --import): each call worker notes when it sends its RTP packets and the
// frames of browser calls, and writes that to a file when it ends.
const folder = process.env['BENCH_SENDS'];
/** Header and 20 ms of G.711; reports and SIP have other lengths. */
const PACKET_BYTES = 172;
const TIMESTAMP_AT = 4;
/** 20 ms of a browser call. */
const FRAME_BYTES = 640;
const now = (): number => performance.timeOrigin + performance.now();

if (!isMainThread && folder !== undefined) {
  const legs = new Map<Socket | Connection, SentPackets>();
  const send = Reflect.get(Socket.prototype, 'send') as (...args: unknown[]) => void;
  Socket.prototype.send = function (this: Socket, ...args: unknown[]): void {
    const [packet, , length] = args;
    if (length === PACKET_BYTES && Buffer.isBuffer(packet)) {
      let leg = legs.get(this);
      if (leg === undefined) legs.set(this, (leg = { kind: 'phone', atMs: [], timestamps: [] }));
      leg.atMs.push(now());
      leg.timestamps.push(packet.readUInt32BE(TIMESTAMP_AT));
    }
    Reflect.apply(send, this, args);
  };
  const write = Reflect.get(Connection.prototype, 'write') as (...args: unknown[]) => boolean;
  Connection.prototype.write = function (this: Connection, ...args: unknown[]): boolean {
    const [chunk] = args;
    if (chunk instanceof Uint8Array && chunk.length === FRAME_BYTES) {
      let leg = legs.get(this);
      if (leg === undefined) legs.set(this, (leg = { kind: 'browser', atMs: [], timestamps: [] }));
      leg.atMs.push(now());
    }
    return Reflect.apply(write, this, args);
  };
  process.on('exit', () => {
    if (legs.size > 0) writeFileSync(join(folder, `${threadId}.json`), JSON.stringify([...legs.values()]));
  });
}
