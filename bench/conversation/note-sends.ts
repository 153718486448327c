import { Socket } from 'node:dgram';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread, threadId } from 'node:worker_threads';
import type { SentPackets } from './sends.ts';

// Loaded into the service before its program (node --import): each call worker notes when it sends its RTP packets, and
// writes that to a file when it ends.
const folder = process.env['BENCH_SENDS'];
/** Header and 20 ms of G.711; reports and SIP have other lengths. */
const PACKET_BYTES = 172;
const TIMESTAMP_AT = 4;

if (!isMainThread && folder !== undefined) {
  const legs = new Map<Socket, SentPackets>();
  const send = Reflect.get(Socket.prototype, 'send') as (...args: unknown[]) => void;
  Socket.prototype.send = function (this: Socket, ...args: unknown[]): void {
    const [packet, , length] = args;
    if (length === PACKET_BYTES && Buffer.isBuffer(packet)) {
      let leg = legs.get(this);
      if (leg === undefined) legs.set(this, (leg = { atMs: [], timestamps: [] }));
      leg.atMs.push(performance.timeOrigin + performance.now());
      leg.timestamps.push(packet.readUInt32BE(TIMESTAMP_AT));
    }
    Reflect.apply(send, this, args);
  };
  process.on('exit', () => {
    if (legs.size > 0) writeFileSync(join(folder, `${threadId}.json`), JSON.stringify([...legs.values()]));
  });
}
