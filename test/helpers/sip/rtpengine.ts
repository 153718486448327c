import { tmpdir } from 'node:os';
import { freePort, startProcess, whenReady, type PeerProcess } from './peer-process.ts';
import { isBound } from './sipp.ts';

/** Addresses of rtpengine: the encrypted side of a call uses one, the side in clear the other. */
export const RELAY = { secret: '127.0.0.1', clear: '127.0.0.2' } as const;

/** Of its media: above those of other peers. */
export const RELAY_PORTS = { first: 65_000, last: 65_499 } as const;

export interface Rtpengine extends PeerProcess {
  /** Of its control protocol. */
  readonly port: number;
}

/** rtpengine in user space, which carries audio between SRTP and RTP. */
export async function startRtpengine(): Promise<Rtpengine> {
  const port = await freePort();
  const peer = startProcess(
    'rtpengine',
    [
      '--foreground',
      '--log-stderr',
      '--log-level=4',
      '--config-file=none',
      // No module of the kernel.
      '--table=-1',
      `--interface=secret/${RELAY.secret}`,
      `--interface=clear/${RELAY.clear}`,
      `--listen-ng=127.0.0.1:${port}`,
      `--port-min=${RELAY_PORTS.first}`,
      `--port-max=${RELAY_PORTS.last}`,
    ],
    tmpdir(),
  );
  await whenReady(peer, 'rtpengine has bound its control port', () => isBound(port, ['udp']));
  return { ...peer, port };
}
