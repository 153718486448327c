import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startProcess, whenReady, type PeerProcess } from './peer-process.ts';
import { isBound } from './sipp.ts';

/**
 * Kamailio with the configuration of deploy/kamailio on a loopback port, before the processes and behind the carrier at these
 * ports. `isPatient`: one worker handles messages in their order, and a busy machine is no silent process.
 */
export async function startDispatcher(options: {
  readonly nodes: readonly number[];
  readonly carrier: number;
  readonly isPatient: boolean;
}): Promise<PeerProcess & { readonly port: number }> {
  const port = await freePort();
  const directory = mkdtempSync(join(tmpdir(), 'dispatcher-'));
  const configuration = readFileSync('deploy/kamailio/kamailio.cfg', 'utf8')
    .replaceAll('192.0.2.10:5060', `127.0.0.1:${port}`)
    .replaceAll('192.0.2.10', '127.0.0.1')
    .replaceAll('/etc/kamailio/', `${directory}/`);
  const patient = configuration
    .replace('children=4', 'children=1')
    .replace('"fr_timer", 2000', '"fr_timer", 10000');
  writeFileSync(join(directory, 'kamailio.cfg'), options.isPatient ? patient : configuration);
  writeFileSync(
    join(directory, 'dispatcher.list'),
    options.nodes.map((node) => `1 sip:127.0.0.1:${node}\n`).join(''),
  );
  writeFileSync(join(directory, 'address.list'), `1 127.0.0.1 32 ${options.carrier}\n`);
  const peer = startProcess(
    'kamailio',
    ['-f', 'kamailio.cfg', '-m', '32', '-M', '8', '-DD', '-E', '-Y', directory],
    directory,
  );
  await whenReady(peer, 'Kamailio has bound its port', () => isBound(port));
  return {
    ...peer,
    port,
    async stop() {
      await peer.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
