import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { startProcess, type PeerProcess } from './peer-process.ts';

/** Third-party programs that send and receive RTP on loopback, with a folder for each test. */
export interface MediaPeers {
  /** Of the running test. */
  readonly folder: string;
  /** Starts a program in the folder. */
  start(program: string, ...args: readonly (readonly string[])[]): PeerProcess;
  socket(): Promise<Socket>;
  /** Runs at the end of the test, the last one first. */
  later(stop: () => unknown): void;
  /** Writes the SDP of a stream of audio to loopback as `call.sdp`. */
  writeSdp(media: string, ...attributes: readonly string[]): Promise<void>;
}

/** Ends after each test what it started. */
export function useMediaPeers(name: string): MediaPeers {
  const running: (() => unknown)[] = [];
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), `${name}-`));
    running.push(() => rm(folder, { recursive: true, force: true }));
  });
  afterEach(async () => {
    for (const stop of running.splice(0).toReversed()) await stop();
  });
  return {
    get folder() {
      return folder;
    },
    start(program, ...args) {
      const peer = startProcess(program, args.flat(), folder);
      running.push(() => peer.stop());
      return peer;
    },
    async socket() {
      // Holds what comes while the machine is busy.
      const socket = createSocket({ type: 'udp4', recvBufferSize: 1_048_576 });
      socket.bind(0, '127.0.0.1');
      await once(socket, 'listening');
      running.push(() => void socket.close());
      return socket;
    },
    later: (stop) => void running.push(stop),
    writeSdp: (media, ...attributes) =>
      writeFile(
        join(folder, 'call.sdp'),
        [
          'v=0',
          'o=- 1 1 IN IP4 127.0.0.1',
          's=-',
          'c=IN IP4 127.0.0.1',
          't=0 0',
          media,
          ...attributes,
          '',
        ].join('\r\n'),
      ),
  };
}

/** The samples of a file of 16 bits each. */
export const pcmOf = (bytes: Buffer): Int16Array =>
  new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
