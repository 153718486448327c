import { tmpdir } from 'node:os';
import { startProcess, whenReady, type PeerProcess } from './peer-process.ts';

/** coturn as a STUN server on UDP. `within`: prefix of a command line in another network namespace. */
export async function startCoturn(
  address: string,
  port: number,
  within: readonly string[] = [],
): Promise<PeerProcess> {
  const [command, ...args] = [
    ...within,
    'turnserver',
    '-n',
    '--stun-only',
    '--no-cli',
    '--no-tcp',
    '--no-tls',
    '--no-dtls',
    `--listening-ip=${address}`,
    `--listening-port=${port}`,
    '--log-file=stdout',
    '--simple-log',
    '--pidfile=',
    '--userdb=',
  ];
  const peer = startProcess(command ?? '', args, tmpdir());
  await whenReady(peer, 'coturn listens', () => peer.output().includes('server id=0 created'));
  return peer;
}
