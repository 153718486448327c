/**
 * Media legs on one thread against an echo peer in another process on loopback.
 *
 *   node bench/media-legs.ts [legs=100] [seconds=10]
 *
 * The peer echoes every packet and measures the time between packets of one leg. The same run first measures bare
 * senders on the same wheel, which is what the machine and Node can do without our media path, and then legs with SRTP,
 * whose keys are the same in both directions, so that the echo can be opened.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { systemClock } from '../src/shared/clock.ts';
import { silentLog } from '../src/shared/log.ts';
import {
  type Lateness,
  type MediaSink,
  PortPool,
  RtpLeg,
  type SrtpKeys,
  type SrtpSuite,
  Wheel,
  looksLikeRtcp,
  masterBytes,
  writeRtpHeader,
} from '@callwright/rtp';

const ADDRESS = '127.0.0.1';
const WARM_UP_MS = 1500;

interface PeerFigures {
  received: number;
  p50: number;
  p99: number;
  p999: number;
  max: number;
  over40: number;
}
interface Row extends PeerFigures {
  name: string;
  sent: number;
  returned: number;
  cpuPercent: number;
  late: Lateness;
}

/** Echoes every packet and keeps the intervals of each source between `mark` and `report`. */
async function runPeer(): Promise<void> {
  const socket = createSocket({ type: 'udp4', recvBufferSize: 4 << 20, sendBufferSize: 4 << 20 });
  const last = new Map<number, number>();
  let intervals: number[] = [];
  let received = 0;
  let measuring = false;
  socket.on('message', (packet, from) => {
    const now = performance.now();
    socket.send(packet, from.port, from.address);
    if (looksLikeRtcp(packet)) return;
    if (measuring) {
      received += 1;
      const before = last.get(from.port);
      if (before !== undefined) intervals.push(now - before);
    }
    last.set(from.port, now);
  });
  process.on('message', (order) => {
    if (order === 'mark') {
      measuring = true;
      received = 0;
      intervals = [];
      last.clear();
      return;
    }
    measuring = false;
    const sorted = Float64Array.from(intervals).sort();
    const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
    const figures: PeerFigures = {
      received,
      p50: at(0.5),
      p99: at(0.99),
      p999: at(0.999),
      max: at(1),
      over40: sorted.length === 0 ? 0 : sorted.filter((interval) => interval > 40).length / sorted.length,
    };
    process.send?.(figures);
  });
  process.on('disconnect', () => process.exit(0));
  socket.bind(0, ADDRESS);
  await once(socket, 'listening');
  process.send?.(socket.address().port);
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Plays continuously and copies received audio as a recorder would. */
class BusySink implements MediaSink {
  readonly #frame = Int16Array.from({ length: 160 }, (_, i) => Math.round(8000 * Math.sin(i / 3)));
  readonly #heard = new Int16Array(160);
  frames = 0;
  onAudio(pcm: Int16Array): void {
    this.#heard.set(pcm);
    this.frames += 1;
  }
  fill(out: Int16Array): boolean {
    out.set(this.#frame);
    return true;
  }
  onDtmf(): void {}
  onMediaTimeout(): void {}
}

interface Load {
  name: string;
  sent: () => number;
  returned: () => number;
  close: () => Promise<void>;
}

async function openLegs(
  wheel: Wheel,
  count: number,
  port: number,
  suite: SrtpSuite | null = null,
): Promise<Load> {
  const ports = new PortPool({ clock: systemClock, range: null });
  const legs: RtpLeg[] = [];
  for (let i = 0; i < count; i++) {
    const leg = await RtpLeg.open({ ports, address: ADDRESS, wheel, clock: systemClock, log: silentLog });
    leg.start(new BusySink());
    leg.update({
      remoteAddress: ADDRESS,
      remotePort: port,
      remoteRtcpPort: port,
      rtcpMux: false,
      codec: { name: 'PCMU', payloadType: 0, clockRate: 8000 },
      dtmfPayloadType: 101,
      ptimeMs: 20,
      direction: 'sendrecv',
      ...(suite === null ? {} : { srtp: sameKeys(suite) }),
    });
    legs.push(leg);
  }
  return {
    name: suite ?? 'legs',
    sent: () => legs.reduce((sum, leg) => sum + leg.stats().packetsSent, 0),
    returned: () => legs.reduce((sum, leg) => sum + leg.stats().packetsReceived, 0),
    close: async () => {
      await Promise.all(legs.map((leg) => leg.close()));
    },
  };
}

function sameKeys(suite: SrtpSuite): SrtpKeys {
  const master = randomBytes(masterBytes(suite));
  return { suite, send: master, receive: master, receivedMkiBytes: 0 };
}

async function openBare(wheel: Wheel, count: number, port: number): Promise<Load> {
  const sockets: Socket[] = [];
  let sent = 0;
  let returned = 0;
  for (let i = 0; i < count; i++) {
    const socket = createSocket({ type: 'udp4', lookup: (host, _options, done) => done(null, host, 4) });
    await new Promise<void>((resolve) => {
      socket.bind(0, ADDRESS, resolve);
    });
    socket.on('message', () => {
      returned += 1;
    });
    const packet = Buffer.alloc(172, 0xff);
    let sequence = 0;
    wheel.add({
      onTick: () => {
        writeRtpHeader(packet, 0, false, sequence & 0xffff, sequence * 160, i);
        sequence += 1;
        sent += 1;
        socket.send(packet, 0, 172, port, ADDRESS);
      },
    });
    sockets.push(socket);
  }
  return {
    name: 'bare',
    sent: () => sent,
    returned: () => returned,
    close: async () => {
      await Promise.all(
        sockets.map((socket) => new Promise<void>((resolve) => socket.close(() => resolve()))),
      );
    },
  };
}

async function measure(
  peer: ChildProcess,
  seconds: number,
  open: (wheel: Wheel) => Promise<Load>,
): Promise<Row> {
  const wheel = new Wheel({ clock: systemClock });
  wheel.start();
  const load = await open(wheel);
  await sleep(WARM_UP_MS);
  wheel.resetLateness();
  peer.send('mark');
  const [sentBefore, returnedBefore] = [load.sent(), load.returned()];
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  await sleep(seconds * 1000);
  const cpu = process.cpuUsage(cpuBefore);
  const elapsedMs = performance.now() - startedAt;
  const [sent, returned] = [load.sent() - sentBefore, load.returned() - returnedBefore];
  const late = wheel.lateness();
  const answer = once(peer, 'message') as Promise<[PeerFigures]>;
  peer.send('report');
  const [figures] = await answer;
  wheel.stop();
  await load.close();
  return {
    ...figures,
    name: load.name,
    sent,
    returned,
    cpuPercent: ((cpu.user + cpu.system) / 1000 / elapsedMs) * 100,
    late,
  };
}

function print(count: number, seconds: number, rows: readonly Row[]): void {
  console.log(`${count} duplex streams of G.711, ${seconds} s, one thread, Node ${process.versions.node}`);
  console.log(
    '| run | sent | at peer | back | interval p50 | p99 | p99.9 | max ms | > 40 ms | CPU % | wheel late p99 ms |',
  );
  console.log('|---|---|---|---|---|---|---|---|---|---|---|');
  for (const row of rows) {
    const times = [row.p50, row.p99, row.p999, row.max].map((ms) => ms.toFixed(1)).join(' | ');
    const over = `${(row.over40 * 100).toFixed(2)} %`;
    console.log(
      `| ${row.name} | ${row.sent} | ${row.received} | ${row.returned} | ${times} | ${over} | ${row.cpuPercent.toFixed(1)} | ${row.late.p99Ms} |`,
    );
  }
  const [bare, legs, ...encrypted] = rows;
  if (!bare || !legs) return;
  console.log(`CPU of the media path over bare packets: ${(legs.cpuPercent / bare.cpuPercent).toFixed(2)}x`);
  for (const { name, cpuPercent } of encrypted)
    console.log(
      `${name} adds ${((cpuPercent - legs.cpuPercent) / count).toFixed(3)} % of a core a call (bound: 0.10 %)`,
    );
}

if (process.argv[2] === 'peer') {
  await runPeer();
} else {
  const count = Number(process.argv[2] ?? 100);
  const seconds = Number(process.argv[3] ?? 10);
  if (!Number.isInteger(count) || count < 1 || !(seconds > 0)) {
    console.error('usage: node bench/media-legs.ts [legs] [seconds]');
    process.exit(2);
  }
  const peer = fork(import.meta.filename, ['peer']);
  const [port] = (await once(peer, 'message')) as [number];
  const bare = await measure(peer, seconds, (wheel) => openBare(wheel, count, port));
  const legs = await measure(peer, seconds, (wheel) => openLegs(wheel, count, port));
  const encrypted: Row[] = [];
  for (const suite of ['AES_CM_128_HMAC_SHA1_80', 'AEAD_AES_128_GCM'] as const)
    encrypted.push(await measure(peer, seconds, (wheel) => openLegs(wheel, count, port, suite)));
  print(count, seconds, [bare, legs, ...encrypted]);
  peer.disconnect();
}
