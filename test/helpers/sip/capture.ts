import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startProcess, whenReady } from './peer-process.ts';

const run = promisify(execFile);

/** A packet of RTP as tshark reads it. */
export interface RtpPacket {
  readonly from: string;
  readonly to: string;
  /** Of the sender. */
  readonly port: number;
  readonly source: string;
  readonly type: number;
  readonly sequence: number;
  readonly timestamp: number;
  readonly marker: boolean;
  readonly payload: Buffer;
}

/** A running capture; needs root. */
export interface Capture {
  /** Ends it: all bytes that it holds. */
  bytes(): Promise<Buffer>;
  /** The fields of the packets that the filter shows, after `bytes`. */
  fields(filter: string, names: readonly string[], args?: readonly string[]): Promise<string[][]>;
  /** The RTP packets to and from these ports. */
  rtp(ports: readonly number[] | { readonly first: number; readonly last: number }): Promise<RtpPacket[]>;
  close(): Promise<void>;
}

/** Captures what `filter` of libpcap passes; of loopback, unless another device or namespace is named. */
export async function startCapture(
  filter: string,
  { device = 'lo', within = [] }: { device?: string; within?: readonly string[] } = {},
): Promise<Capture> {
  const folder = await mkdtemp(join(tmpdir(), 'capture-'));
  const file = join(folder, 'wire.pcap');
  // The part of tshark that captures.
  const [command, ...args] = [...within, 'dumpcap'];
  const peer = startProcess(command, [...args, '-i', device, '-f', filter, '-w', file, '-P', '-q'], folder);
  await whenReady(peer, 'the capture begins', () => peer.output().includes('File: '));
  const fields: Capture['fields'] = async (shown, names, args = []) => {
    const { stdout } = await run(
      'tshark',
      ['-r', file, ...args, '-Y', shown, '-T', 'fields', ...names.flatMap((name) => ['-e', name])],
      { maxBuffer: 256 * 1024 * 1024 },
    );
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.split('\t'));
  };
  return {
    async bytes() {
      await peer.stop();
      return readFile(file);
    },
    fields,
    async rtp(ports) {
      const decoded = Array.isArray(ports)
        ? (ports as readonly number[]).map((port) => `udp.port==${port},rtp`)
        : [`udp.port==${(ports as { first: number }).first}-${(ports as { last: number }).last},rtp`];
      const names = [
        'ip.src',
        'ip.dst',
        'udp.srcport',
        'rtp.ssrc',
        'rtp.p_type',
        'rtp.seq',
        'rtp.timestamp',
        'rtp.marker',
        'udp.payload',
      ];
      const found = await fields(
        'rtp',
        names,
        decoded.flatMap((each) => ['-d', each]),
      );
      return found.map(
        ([from = '', to = '', port, source = '', type, sequence, timestamp, marker, payload = '']) => ({
          from,
          to,
          port: Number(port),
          source,
          type: Number(type),
          sequence: Number(sequence),
          timestamp: Number(timestamp),
          marker: marker === '1' || marker === 'True',
          // No CSRC and no extension in what the tests capture.
          payload: Buffer.from(payload.replaceAll(':', ''), 'hex').subarray(12),
        }),
      );
    },
    async close() {
      await peer.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
